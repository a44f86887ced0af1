import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type CliStand, cliStand } from '../../test/cli-stand.js';
import { call, type HostStand, hostStand, nodeOf, scriptOf, startRun, until } from '../../test/host-stand.js';
import type { TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

let stand: HostStand;
let host: TeamHost;
afterEach(() => stand.remove());

const TEAM = `
goal: Work.
nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: implementer }
  - { alias: review, role: scribe, workspace: { with: dev } }
edges: [{ from: lead, to: dev }, { from: dev, to: review }, { from: review, to: lead }]
`;
/** Reviews, runs commands and writes documents. */
const SCRIBE = `[template]
name = "scribe"
capabilities = ["review_diffs", "run_commands", "write_docs"]

Review.
`;
const handoff = (to: string): string => call('send_handoff', { to, message: `Go on, ${to}.` });
const SCRIPT = scriptOf({
  lead: [
    { text: handoff('dev') },
    {
      text: call('spawn_node', {
        ...{ label: 'Tester', alias: 'test', roleTemplate: 'scribe', workspace: 'review' },
        instructions: 'Look, too.',
      }),
    },
    { text: call('finish_run', { ok: true, summary: 'Done.' }) },
  ],
  dev: [
    {
      edits: [
        { path: 'src/a.txt', content: 'by dev\n' },
        { path: 'src/old.txt', content: 'still by dev\n' },
      ],
      text: handoff('review'),
    },
  ],
  review: [
    {
      edits: [{ path: 'docs/review.md', content: 'Fine.\n' }],
      text: call('command', {
        cmd: 'cat src/a.txt src/old.txt; echo by review > src/a.txt; echo new > src/b.txt; rm src/old.txt',
      }),
    },
    { text: handoff('lead') },
  ],
  test: [
    { text: call('command', { cmd: 'cat src/a.txt src/old.txt docs/review.md; ls src' }) },
    { text: 'Seen.' },
  ],
});

it.each([true, false])(
  'a node works in the folder of another, and leaves its work alone (git: %s)',
  async (git) => {
    const files = { 'readme.txt': 'Hello.\n', 'docs/templates/scribe.md': SCRIBE };
    stand = await hostStand({ git, files });
    host = await stand.open();
    const run = await startRun(host, { team: { text: TEAM }, script: SCRIPT });
    const state = await until(host, run, ({ status }) => status === 'completed');
    const folder = join(stand.homeFolder, 'workspaces', run, nodeOf(state, 'dev').node.id);
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

    // What the reviewer may not change is set aside; what the developer made stays, and so does what it may write.
    expect(read('src/a.txt') + read('src/old.txt') + read('docs/review.md')).toBe(
      'by dev\nstill by dev\nFine.\n',
    );
    expect(existsSync(join(folder, 'src/b.txt'))).toBe(false);
    expect(existsSync(join(folder, '..', nodeOf(state, 'review').node.id))).toBe(false);
    const events = await stand.store.read(run);
    const of = (type: string) =>
      events.filter((event) => event.type === type).map(({ data }) => data as never);
    expect(of('changes.flagged')).toMatchObject([
      { node: nodeOf(state, 'review').node.id, files: ['src/a.txt', 'src/b.txt', 'src/old.txt'] },
    ]);

    // Each diff holds the changes of its own turn alone.
    expect(diffsOf(state, events)).toEqual([
      ['dev', ['src/a.txt', 'src/old.txt']],
      ['review', ['docs/review.md', 'src/a.txt', 'src/b.txt', 'src/old.txt']],
    ]);
    // What a command of the one sees is what the other left.
    const outputs = JSON.stringify(of('effect.settled'));
    expect(outputs).toContain('by dev\\nstill by dev');
    expect(outputs).toContain('by dev\\nstill by dev\\nFine.\\na.txt\\nold.txt');

    const views = await host.workspaces(run);
    if (!views.ok) throw new Error(views.error.code);
    expect(views.value.map(({ node, unapplied }) => [nameOf(state, node), unapplied])).toEqual([
      ['lead', 0],
      ['dev', 3],
    ]);
  },
);

it('a program that rests is left alone while another works in its folder, and goes on, also after a restart', async () => {
  const cli: CliStand = await cliStand({
    files: { 'readme.txt': 'Hello.\n', 'docs/templates/scribe.md': SCRIBE },
  });
  stand = cli;
  cli.script({
    dev: [
      [{ write: { path: 'src/a.txt', content: 'by dev\n' } }, { text: handoff('review') }],
      [{ write: { path: 'src/b.txt', content: 'by dev\n' } }, { text: 'Done.' }],
      [{ text: 'Still here.' }],
    ],
    review: [
      [
        { ask: { tool: 'Write', input: { file_path: 'src/a.txt', content: 'x' } } },
        { say: 'answer' },
        { rename: ['src/a.txt', 'src/c.txt'] },
        { text: `\n${handoff('dev')}` },
      ],
      [{ text: 'I see.' }],
    ],
  });
  host = await cli.open();
  const team = TEAM.replace('goal: Work.', 'mode: INTERACTIVE\nprovider: cli').replace(
    ', to: lead',
    ', to: dev',
  );
  const run = await startRun(host, { team: { text: team } });
  const told = (id: string) =>
    host.submit(run, { id, type: 'node.message', node: 'dev', text: 'Go.', by: 'ann' });
  await told('first');
  const isAt = (dev: number, review: number) => (now: TeamState) =>
    [nodeOf(now, 'dev'), nodeOf(now, 'review')].every(({ work }) => work === null) &&
    nodeOf(now, 'dev').lastTurn === dev &&
    nodeOf(now, 'review').lastTurn === review;
  const state = await until(host, run, isAt(3, 4));
  const [first, second] = cli.heard('dev');
  expect(second).toMatchObject({ promptKind: 'delta', pid: first?.pid });
  const [review] = cli.heard('review');
  expect(review?.pid).not.toBe(first?.pid);
  expect(review?.prompt).toContain('this folder is that of dev; you take turns in it with dev');
  const events = await cli.store.read(run);
  const turns = JSON.stringify(events.filter(({ type }) => type === 'effect.settled'));
  expect(turns).toContain('this node may not write code');
  // It moved the file all the same: that is set aside, and the developer has its file again.
  expect(diffsOf(state, events)).toEqual([
    ['dev', ['src/a.txt']],
    ['review', ['src/a.txt', 'src/c.txt']],
    ['dev', ['src/b.txt']],
  ]);
  const folder = join(cli.homeFolder, 'workspaces', run, nodeOf(state, 'dev').node.id);
  expect(readFileSync(join(folder, 'src/a.txt'), 'utf8')).toBe('by dev\n');
  expect(existsSync(join(folder, 'src/c.txt'))).toBe(false);

  await cli.stopAll();
  host = await cli.open();
  await told('second');
  await until(host, run, isAt(5, 4));
  expect(cli.heard('dev')[2]).toMatchObject({ promptKind: 'delta', sessionId: first?.sessionId });
});

const nameOf = (state: TeamState, id: string): string | undefined => state.nodes[id]?.node.alias;

/** The files of each diff that names any, with the node of its turn. */
function diffsOf(state: TeamState, events: readonly { readonly type: string; readonly data: unknown }[]) {
  const nodes = new Map<string, string>();
  return events.flatMap(({ type, data }) => {
    const { id = '', kind, input, outcome } = data as Effect;
    if (type === 'effect.intended' && kind === 'diff.take') nodes.set(id, input?.node ?? '');
    const node = type === 'effect.settled' ? nodes.get(id) : undefined;
    const files = outcome?.output?.files ?? [];
    return node === undefined || files.length === 0 ? [] : [[nameOf(state, node), [...files].sort()]];
  });
}

interface Effect {
  readonly id?: string;
  readonly kind?: string;
  readonly input?: { readonly node?: string };
  readonly outcome?: { readonly output?: { readonly files?: readonly string[] } };
}
