import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditRun } from '@cuebook/engine';
import { publicKeyOf, verifyRun } from '@cuebook/journal';
import { afterEach, describe, expect, it } from 'vitest';
import {
  call,
  type HostStand,
  hostStand,
  nodeOf,
  problems,
  scriptOf,
  startRun,
  stateOf,
} from '../../test/host-stand.js';
import { createTeamMachine } from '../run/machine.js';

let stand: HostStand;
afterEach(async () => {
  if (problems.length > 0) console.error(problems.splice(0));
  await stand.remove();
});

const TEAM = `
goal: Greet the world.
nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: implementer }
edges: [{ from: lead, to: dev }]
`;

describe('a run by the real host', () => {
  it('goes from the goal to its end: handoff, edit, diff, reply, finish; and its record verifies', async () => {
    stand = await hostStand({ git: true, files: { 'a.txt': 'one\n', 'team.yaml': TEAM } });
    const host = await stand.open();
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({
        lead: [
          { text: `Go.\n${call('send_handoff', { to: 'dev', message: 'Write hello.txt.' })}` },
          { text: `Good.\n${call('finish_run', { ok: true, summary: 'Greeted.' })}` },
        ],
        dev: [
          {
            text: `Done.\n${call('send_handoff', { to: 'lead', message: 'It is there.' })}`,
            edits: [{ path: 'hello.txt', content: 'hello\n' }],
          },
        ],
      }),
    });
    await host.drain();
    const state = await stateOf(host, run);
    expect(state).toMatchObject({ status: 'completed', result: { summary: 'Greeted.' } });
    const events = await stand.store.read(run);
    if (process.env.SHOW)
      for (const e of events)
        console.log(e.seq, e.at - (events[0]?.at ?? 0), e.type, JSON.stringify(e.data).slice(0, 400));
    const kept = events.filter(({ type }) => type === 'artifact.kept');
    expect(kept).toHaveLength(1);
    const [hash] = kept.map(({ data }) => (data as { readonly hash: string }).hash);
    const diff = await host.artifact(run, hash ?? '');
    expect(diff.ok && diff.value).toContain('+hello');
    expect((await host.workspaces(run)).ok).toBe(true);
    expect(nodeOf(state, 'dev').lastTurn).toBe(2);
    const key = publicKeyOf(stand.options.signer.publicKey);
    const verified = await verifyRun(stand.store, run, {
      publicKeys: new Map(key ? [[stand.options.signer.keyId, key]] : []),
    });
    expect(verified).toMatchObject({ ok: true, turns: 3, problems: [] });
    const machine = createTeamMachine({ resumes: () => true, nativeTools: () => true });
    expect(await auditRun(stand.store, machine, run)).toEqual([]);
    expect(readFileSync(join(stand.project, 'a.txt'), 'utf8')).toBe('one\n');
  });
});
