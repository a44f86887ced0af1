import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderObjects } from '@cuebook/bundle';
import { manualClock } from '@cuebook/engine';
import { openFolder } from '@cuebook/files';
import { anchorOf, NOW } from '../../bundle/test/platform.js';
import { describeKind } from '../../host/test/conformance.js';
import { must, type Stand } from '../../host/test/stand.js';
import { residentRuns } from '../src/kind/resident-kind.js';
import { AGENT, RUN, town } from './life.js';

/** The store and the root of an agent that has one thing to say: its goals of the day. */
async function furnish({ project }: Stand): Promise<void> {
  const platform = await town([], { autonomous: { enabled: false } });
  const objects = folderObjects(must(await openFolder(join(project, 'store'), { create: true })));
  for (const [key, bytes] of platform.store.all) must(await objects.put(key, bytes));
  writeFileSync(join(project, 'root.json'), anchorOf(platform, AGENT).root);
}

describeKind('the life of an agent', {
  kind: () => residentRuns,
  files: { 'agent.yaml': `agent: ${AGENT}\nstore: store\nlog: test-log\n` },
  prepare: furnish,
  host: () => ({ clock: manualClock(NOW) }),
  run: RUN,
  target: `resident:${AGENT}`,
  call: {},
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  says: (description) => ({
    text: JSON.stringify([{ type: 'create', description, difficulty: 'medium' }]),
  }),
  afterWords: 'idle',
  // It looks around again, and what came to nothing is tried again.
  again: { after: { text: 'Half', error: { status: 500 } }, word: { type: 'resume' } },
  turnHit: 3,
  certified: 'its words are certified objects of the store, and a new version of them is an event',
  told: { text: 'Ada', ref: 'agents/all/ada_1.json' },
});
