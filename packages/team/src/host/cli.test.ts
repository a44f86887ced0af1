import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type CliLanes, type CliStand, cliStand } from '../../test/cli-stand.js';
import {
  call,
  nodeOf,
  problems,
  type StandOptions,
  startRun,
  stateOf,
  until,
} from '../../test/host-stand.js';
import type { TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

let stand: CliStand;
let host: TeamHost;
afterEach(async () => {
  if (problems.length > 0) console.error(problems.splice(0));
  await stand.remove();
});

const begin = async (lanes: CliLanes, team: string, given: StandOptions = {}) => {
  stand = await cliStand(given);
  stand.script(lanes);
  host = await stand.open();
  return startRun(host, { team: { text: team } });
};
const solo = (more = ''): string => `
goal: Work.
mode: INTERACTIVE
provider: cli
nodes: [{ alias: dev, role: implementer${more} }]
`;
const quiet = (state: TeamState): boolean => nodeOf(state, 'dev').work === null;
const folder = async (run: Parameters<TeamHost['read']>[0]) =>
  stand.options.homeFolder &&
  join(stand.homeFolder, 'workspaces', run, nodeOf(await stateOf(host, run), 'dev').node.id);

describe('an agent on a command line', () => {
  it('calls our tools in mid-turn, and between its own tools; results of lines come with the next turn', async () => {
    const run = await begin(
      {
        lead: [
          [
            {
              call: { name: 'spawn_node', input: { label: 'Docs', alias: 'docs', roleTemplate: 'planner' } },
            },
            { say: 'answer' },
            { text: `\n${call('create_edge', { from: 'lead', to: 'docs' })}` },
            { use: { name: 'Bash', input: { command: 'ls' }, output: 'a.txt' } },
            { use: { name: 'Bash', input: { command: 'false' }, output: 'no', isError: true } },
            { text: `${call('send_handoff', { to: 'docs', message: 'Read a.txt.' })}\n` },
            { text: call('read_file', { path: 'a.txt' }) },
          ],
          [{ text: call('finish_run', { ok: true, summary: 'Done.' }) }],
        ],
        docs: [[{ text: 'Read.' }]],
      },
      'goal: Work.\nprovider: cli\nnodes: [{ alias: lead, role: orchestrator }]\n',
      { files: { 'a.txt': 'the text of a\n' } },
    );
    const state = await until(host, run, ({ status }) => status === 'completed');
    expect(Object.values(state.nodes).map(({ node }) => node.alias)).toEqual(['lead', 'docs']);
    expect(state.edges).toHaveLength(1);
    const [first, second] = stand.heard('lead');
    expect(first?.tools).toContain('spawn_node');
    expect(second?.promptKind).toBe('delta');
    expect(second?.pid).toBe(first?.pid);
    expect(second?.sessionId).toBe(first?.sessionId);
    expect(second?.prompt).toContain('the text of a');
    expect(second?.prompt).not.toContain('You are one node of a graph');
    const events = await stand.store.read(run);
    expect(events.filter(({ type }) => type === 'envelope.sent')).toMatchObject([
      { data: { payload: { message: 'Read a.txt.' } } },
    ]);
    const turns = events.filter(({ type }) => type === 'effect.settled');
    expect(JSON.stringify(turns[0]?.data)).toContain('"isError":true');
  });

  it.each([
    ['a program that ends at once', [{ stderr: 'boom\n' }, { exit: 1 }], 'boom'],
    ['one that says it failed', [{ fail: { message: 'quota is gone', status: 429 } }], 'quota is gone'],
  ])('%s fails its node alone, with its words', async (_name, acts, words) => {
    const run = await begin(
      {
        lead: [
          [
            {
              text: `${call('send_handoff', { to: 'a', message: 'Go.' })}\n${call('send_handoff', { to: 'b', message: 'Go.' })}`,
            },
          ],
          [{ text: 'fine' }],
        ],
        a: [acts],
        b: [[{ text: call('send_handoff', { to: 'lead', message: 'b is done' }) }]],
      },
      `
goal: Work.
mode: INTERACTIVE
provider: cli
nodes: [{ alias: lead, role: orchestrator }, { alias: a, role: implementer }, { alias: b, role: implementer }]
edges: [{ from: lead, to: a }, { from: lead, to: b }]
`,
    );
    const state = await until(
      host,
      run,
      (now) => nodeOf(now, 'a').hold !== null && nodeOf(now, 'lead').lastTurn > 3,
    );
    expect(nodeOf(state, 'a').hold).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(nodeOf(state, 'a').hold)).toContain(words);
    expect(nodeOf(state, 'b').hold).toBeNull();
    // What it had been handed is still there: a person's word takes the same turn again.
    expect(nodeOf(state, 'a').inbox).toHaveLength(1);
  });

  it('a program that is not there fails its node with what is missing', async () => {
    const run = await begin({}, solo().replace('provider: cli', 'provider: missing'));
    const state = await until(host, run, (now) => nodeOf(now, 'dev').hold !== null);
    expect(nodeOf(state, 'dev').hold).toMatchObject({ kind: 'failed', code: 'E_PROVIDER_START' });
  });

  it('is interrupted in the middle of its turn, and takes the next one in the same process', async () => {
    const run = await begin({ dev: [[{ text: 'begun' }, { hang: true }], [{ text: 'again' }]] }, solo());
    const seen = new Promise<void>((resolve) => {
      host.watch(run, ({ event }) => event.type === 'text.delta' && resolve());
    });
    await seen;
    await host.submit(run, { id: 'i', type: 'node.interrupt', node: 'dev', by: 'ann' });
    const held = await until(host, run, (now) => nodeOf(now, 'dev').hold !== null);
    expect(nodeOf(held, 'dev').hold).toMatchObject({ kind: 'interrupted', by: 'ann' });
    await host.submit(run, { id: 'm', type: 'node.message', node: 'dev', text: 'Go on.', by: 'ann' });
    await until(host, run, (now) => nodeOf(now, 'dev').lastTurn === 2 && quiet(now));
    const [first, second] = stand.heard('dev');
    expect(second).toMatchObject({ promptKind: 'delta', pid: first?.pid });
  });

  it('a silent one is ended after its idle time, as a timeout', async () => {
    const run = await begin({ dev: [[{ deaf: true }]] }, solo(), { limits: { turn: { idleMs: 300 } } });
    const state = await until(host, run, (now) => nodeOf(now, 'dev').hold !== null);
    expect(nodeOf(state, 'dev').hold).toMatchObject({ kind: 'failed', code: 'E_PROVIDER_TIMEOUT' });
  });

  const gated = solo(', permissions: { cliPermissionsMode: gated }');
  const asks = (path: (run: string) => string) => (run: string) => [
    { ask: { tool: 'Write', input: { file_path: path(run), content: 'made' }, write: true } },
    { say: 'answer' },
  ];

  it('asks before it acts: a denial reaches it, and nothing is written', async () => {
    const run = await begin({ dev: [asks(() => 'x.txt')('')] }, gated);
    await until(host, run, (now) => Object.keys(now.approvals.asked).length === 1);
    const [row] = await host.approvals();
    expect(row).toMatchObject({ run, tool: 'Write', input: { file_path: 'x.txt', content: 'made' } });
    const node = nodeOf(await stateOf(host, run), 'dev').node.id;
    expect(row?.lane).toBe(`node/${node}`);
    const answer = { type: 'approval.resolve', approval: row?.id ?? '', by: 'ann' } as const;
    expect((await host.submit(run, { ...answer, id: 'a', decision: 'deny', message: 'not there' })).ok).toBe(
      true,
    );
    const state = await until(host, run, quiet);
    expect(JSON.stringify(nodeOf(state, 'dev'))).not.toContain('E_');
    expect(existsSync(join((await folder(run)) ?? '', 'x.txt'))).toBe(false);
    expect(await host.approvals()).toEqual([]);
    const again = await host.submit(run, { ...answer, id: 'b', decision: 'allow' });
    expect(again).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'E_APPROVAL_RESOLVED' } });
    const other = await host.submit(run, { ...answer, approval: 'apr_none', id: 'c', decision: 'allow' });
    expect(other).toMatchObject({ ok: false, error: { kind: 'notFound', code: 'E_APPROVAL_UNKNOWN' } });
  });

  it('a person changes what it does; nobody is shown where its folder is', async () => {
    stand = await cliStand();
    host = await stand.open();
    stand.script({ dev: [[{ text: 'ready' }], [{ waitFor: join(stand.root, 'go') }, { text: 'x' }]] });
    const run = await startRun(host, { team: { text: gated } });
    await until(host, run, (now) => nodeOf(now, 'dev').lastTurn === 1 && quiet(now));
    const own = (await folder(run)) ?? '';
    stand.script({ dev: [[], [...asks(() => join(own, 'src/x.txt'))('')]] });
    await stand.stopAll();
    host = await stand.open();
    await host.submit(run, { id: 'm', type: 'node.message', node: 'dev', text: 'Write.', by: 'ann' });
    await until(host, run, (now) => Object.keys(now.approvals.asked).length === 1);
    const [row] = await host.approvals();
    expect(row?.input).toEqual({ file_path: 'src/x.txt', content: 'made' });
    const changed = { file_path: 'src/x.txt', content: 'changed' };
    const answer = { type: 'approval.resolve', approval: row?.id ?? '', by: 'ann', id: 'a' } as const;
    expect(await host.submit(run, { ...answer, decision: 'change', input: changed })).toMatchObject({
      ok: true,
    });
    const state = await until(host, run, quiet);
    expect(existsSync(join(own, 'src/x.txt'))).toBe(true);
    expect(JSON.stringify(state)).not.toContain(stand.root);
  });

  it('in PLANNING it is started to read, and may write documents only after it has asked', async () => {
    const team = solo().replace('mode: INTERACTIVE', 'mode: INTERACTIVE\nglobalMode: PLANNING');
    const run = await begin(
      {
        dev: [
          [
            { ask: { tool: 'Write', input: { file_path: 'src/a.ts', content: 'x' }, write: true } },
            { ask: { tool: 'Write', input: { file_path: 'docs/a.md', content: 'x' }, write: true } },
            { ask: { tool: 'Bash', input: { command: 'touch src/b.ts' } } },
            { write: { path: 'src/c.ts', content: 'sneaked' } },
          ],
          [{ text: 'I see.' }],
        ],
      },
      team,
    );
    const state = await until(host, run, (now) => nodeOf(now, 'dev').lastTurn === 2 && quiet(now));
    const own = (await folder(run)) ?? '';
    expect(
      ['src/a.ts', 'docs/a.md', 'src/b.ts', 'src/c.ts'].map((path) => existsSync(join(own, path))),
    ).toEqual([false, true, false, false]);
    expect(stand.heard('dev')[1]?.prompt).toContain('src/c.ts');
    expect(state.status).toBe('running');
  });
});
