import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pendingApprovals } from '@cuebook/engine';
import type { FileChange } from '@cuebook/host';
import { afterEach, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import {
  call,
  type HostStand,
  hostStand,
  scriptOf,
  startRun,
  stateOf,
  until,
} from '../../test/host-stand.js';
import type { TeamState } from '../run/state.js';

let stand: HostStand | undefined;
afterEach(async () => {
  await stand?.remove();
  stand = undefined;
});

const SECRET = 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const FILES = {
  'greet.txt': 'Hello.\nGood day.\nBye.\n',
  'key.txt': `key=${SECRET}\nport=1\n`,
};
const TEAM = `
goal: Work.
mode: INTERACTIVE
nodes: [{ alias: dev, role: implementer, workspace: shared, permissions: { cliPermissionsMode: gated } }]
`;
const isAsked = (state: TeamState): boolean => pendingApprovals(state.approvals).length > 0;

/** What a person is shown of the first thing that a node asks for. */
async function shown(
  step: Record<string, unknown>,
  prepare: (project: string) => void = () => undefined,
): Promise<readonly FileChange[] | undefined> {
  const opened = await hostStand({ files: FILES });
  stand = opened;
  prepare(opened.project);
  const host = await opened.open();
  const run = await startRun(host, { team: { text: TEAM }, script: scriptOf({ dev: [step as never] }) });
  await until(host, run, isAsked);
  const [asked] = pendingApprovals((await stateOf(host, run)).approvals);
  const changes = await host.changes(run);
  if (!changes.ok) throw new Error(changes.error.code);
  return changes.value.get(asked?.id ?? '');
}
const tells = ['/path', '/content'];
const edit = (path: string, content: string) => ({ text: 'x', edits: [{ path, content }] });

it('an edit of an agent is shown as the lines that go and come', async () => {
  expect(await shown(edit('greet.txt', 'Hello.\nGuten Tag.\nBye.\n'))).toEqual([
    { file: 'greet.txt', patch: '@@ -1,3 +1,3 @@\n Hello.\n-Good day.\n+Guten Tag.\n Bye.', tells },
  ]);
});

it('a new file is shown whole', async () => {
  expect(await shown(edit('new.txt', 'a\nb\n'))).toEqual([{ file: 'new.txt', patch: '+a\n+b', tells }]);
});

it('a file that goes is shown whole', async () => {
  expect(await shown({ text: call('delete_file', { path: 'greet.txt' }) })).toEqual([
    { file: 'greet.txt', patch: '-Hello.\n-Good day.\n-Bye.', tells: ['/path'] },
  ]);
});

it('a secret in the file is not shown', async () => {
  const [change] = (await shown(edit('key.txt', 'port=2\n'))) ?? [];
  expect(change?.patch).toContain('+port=2');
  expect(change?.patch).toMatch(/-key=/);
  expect(change?.patch).not.toContain(SECRET);
  expect(change?.tells).toBeUndefined();
});

it('of a file that is no text, or a large one, nothing is shown: the input speaks', async () => {
  const binary = (project: string) => writeFileSync(join(project, 'greet.txt'), Buffer.from([0xff, 0xfe, 0]));
  expect(await shown(edit('greet.txt', 'x'), binary)).toBeUndefined();
  await stand?.remove();
  const large = (project: string) => writeFileSync(join(project, 'greet.txt'), 'x\n'.repeat(200_000));
  expect(await shown(edit('greet.txt', 'x'), large)).toBeUndefined();
});

it('a command is no edit, and an unknown run is refused', async () => {
  expect(await shown({ text: call('command', { cmd: 'rm greet.txt' }) })).toBeUndefined();
  const host = await stand?.open();
  expect(await host?.changes('run_none' as never)).toMatchObject({ ok: false, error: { kind: 'notFound' } });
});
