import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type Act, type CliStand, cliStand } from '../../test/cli-stand.js';
import { nodeOf, startRun, until } from '../../test/host-stand.js';

let stand: CliStand;
afterEach(() => stand.remove());

const MEETING = ['a', 'b', 'c'];
const READS = 'workspace: shared, capabilities: { delegateOnly: true }';
const TEAM = `
goal: Work.
mode: INTERACTIVE
limits: { parallel: 5 }
nodes:
  - { alias: a, role: orchestrator, provider: cli, ${READS} }
  - { alias: b, role: orchestrator, provider: cli, ${READS} }
  - { alias: c, role: orchestrator, provider: cli, ${READS} }
  - { alias: hangs, role: orchestrator, provider: cli, ${READS} }
  - { alias: dies, role: orchestrator, provider: cli, ${READS} }
`;

it('three turns are under way at a time, beside an agent that hangs and one that dies', async () => {
  stand = await cliStand();
  /** Speaks when all three have begun: one after the other none would ever end. */
  const meets = (alias: string): readonly Act[] => [
    { write: { path: join(stand.root, alias), content: '' } },
    ...MEETING.map((other) => ({ waitFor: join(stand.root, other) })),
    { text: 'done' },
  ];
  stand.script({
    ...Object.fromEntries(MEETING.map((alias) => [alias, [meets(alias)]])),
    hangs: [[{ deaf: true }]],
    dies: [[{ stderr: 'boom\n' }, { exit: 1 }]],
  });
  const host = await stand.open();
  const run = await startRun(host, { team: { text: TEAM } });
  const state = await until(
    host,
    run,
    (now) =>
      nodeOf(now, 'dies').hold !== null &&
      MEETING.every((alias) => nodeOf(now, alias).lastTurn > 0 && nodeOf(now, alias).work === null),
  );
  expect(JSON.stringify(nodeOf(state, 'dies').hold)).toContain('boom');
  expect(nodeOf(state, 'hangs').work).not.toBeNull();
});
