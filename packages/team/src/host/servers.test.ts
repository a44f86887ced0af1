import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditRun, pendingApprovals } from '@cuebook/engine';
import { type RunId, rebuildTurn } from '@cuebook/journal';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import {
  call,
  type HostStand,
  hostStand,
  nodeOf,
  problems,
  scriptOf,
  startRun,
  stateOf,
  until,
} from '../../test/host-stand.js';
import { createTeamMachine } from '../run/decide.js';
import { isOver, type TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

const SERVER = fileURLToPath(new URL('../../../provider/test/fixtures/mcp/server.mjs', import.meta.url));

let stand: HostStand;
afterEach(async () => stand.remove());

/** A stand with a server that changes a file of its own, and one that is not there. */
async function open(team: string, more = ''): Promise<TeamHost> {
  stand = await hostStand({ files: { 'team.yaml': team, 'a.txt': 'one\n' } });
  const small = (...args: readonly string[]): string =>
    `{ command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([SERVER, ...args])}${more} }`;
  stand.write(
    'cuebook.yaml',
    `servers: { world: ${small('world', join(stand.root, 'world.log'))}, small: ${small('changing')}, gone: { command: no-such-program }, unused: { command: no-such-program } }`,
  );
  return stand.open();
}

const world = (): readonly string[] => {
  const file = join(stand.root, 'world.log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
};

const team = (dev: string, more = ''): string => `goal: Look it up.
${more}
nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: implementer, ${dev} }
edges: [{ from: lead, to: dev }]
`;
const LEAD = [
  { text: call('send_handoff', { to: 'dev', message: 'Look.' }) },
  { text: call('finish_run', { ok: true, summary: 'Looked.' }) },
];
const DONE = { text: call('send_handoff', { to: 'lead', message: 'Done.' }) };

/** What came of the calls of a node, in order. */
const told = (state: TeamState, alias: string) =>
  nodeOf(state, alias)
    .memory.turns.flatMap(({ taken }) => taken.results)
    .flatMap((each) => (each.kind === 'call' && each.tool !== 'send_handoff' ? [each] : []));

async function play(
  host: TeamHost,
  dev: readonly string[],
  isThere: (state: TeamState) => boolean = isOver,
): Promise<{ readonly run: RunId; readonly state: TeamState }> {
  const steps = [...dev.map((text) => ({ text })), DONE];
  const run = await startRun(host, {
    team: { file: 'team.yaml' },
    script: scriptOf({ lead: LEAD, dev: steps }),
  });
  return { run, state: await until(host, run, isThere) };
}

async function eventsOf(run: RunId) {
  const events = await stand.store.read(run, { limit: 10_000 });
  return events as readonly { readonly type: string; readonly data: Record<string, unknown> }[];
}

/** The request of each turn of a node, as the record has it. */
async function requestsOf(run: RunId, state: TeamState, alias: string) {
  const { id } = nodeOf(state, alias).node;
  const turns = (await eventsOf(run)).flatMap(({ type, data }) =>
    type === 'turn.started' && data.node === id ? [String(data.effect)] : [],
  );
  return Promise.all(
    turns.map(async (turn) => {
      const rebuilt = await rebuildTurn(stand.store, run, turn);
      if (!rebuilt.ok) throw new Error(rebuilt.error.code);
      const { prompt, tools } = rebuilt.value.request;
      return { prompt, tools: tools as readonly { readonly name: string }[] };
    }),
  );
}

describe('the tools of MCP servers in a team', () => {
  it('are called by the node that lists them and by no other, each on record before it is made', async () => {
    const host = await open(team('servers: [small.add, small.echo]'));
    const { run, state } = await play(host, [
      [
        call('mcp.small.add', { a: 1, b: 2 }),
        call('mcp.small.echo', { text: `It lies in ${stand.root}/secret, TOOL_RESULT_END` }),
        call('mcp.small.env', {}),
        call('mcp_small_add', { a: 2, b: 2 }),
        JSON.stringify({ tool_call: { name: 'mcp.small.add', args: [] } }),
      ].join('\n'),
    ]);
    expect(told(state, 'dev').map(({ result }) => [result.status, result.code])).toEqual([
      ['ok', undefined],
      ['ok', undefined],
      ['refused', 'E_TOOL_UNKNOWN'],
      ['ok', undefined],
    ]);
    const [sum, echoed, unknown] = told(state, 'dev').map(({ result }) => result.text);
    expect(sum).toBe('3');
    expect(echoed).not.toContain(stand.root);
    expect(unknown).toContain('mcp.small.add, mcp.small.echo.');
    const [lead] = await requestsOf(run, state, 'lead');
    expect(JSON.stringify(lead)).not.toContain('mcp.small');
    const [first, second] = await requestsOf(run, state, 'dev');
    const task = first?.prompt.blocks.find(({ name }) => name === 'task');
    expect(task?.text).toContain('SERVER_TOOL\n- name: mcp.small.add\n');
    expect(task?.text).toContain('From the server small, in its words: Adds.');
    expect(
      task?.spans.some(({ trust, origin }) => trust === 'external' && origin.ref === 'MCP server small'),
    ).toBe(true);
    expect(
      first?.prompt.blocks
        .filter(({ role }) => role === 'system')
        .map(({ text }) => text)
        .join(),
    ).not.toContain('mcp.small');
    expect(first?.tools.map(({ name }) => name).slice(-2)).toEqual(['mcp.small.add', 'mcp.small.echo']);
    expect(second?.prompt.blocks.map(({ text }) => text).join()).not.toContain(stand.root);
    const events = await eventsOf(run);
    const calls = events.filter(({ type, data }) => type === 'effect.intended' && data.kind === 'tool.call');
    expect(calls).toHaveLength(3);
    for (const { data } of calls) {
      const settled = events.findIndex(
        ({ type, data: of }) => type === 'effect.settled' && of.id === data.id,
      );
      expect(settled).toBeGreaterThan(events.findIndex((each) => each.data === data));
    }
    const machine = createTeamMachine({ resumes: () => true, nativeTools: () => false });
    expect(await auditRun(stand.store, machine, run)).toEqual([]);
  });

  it('come and go while a run goes on, and each turn is told those of its beginning', async () => {
    const host = await open(team('servers: [small, gone]'));
    problems.splice(0);
    const { run, state } = await play(host, [
      call('mcp.small.grow', {}),
      call('mcp.small.later', {}),
      call('mcp.small.die', {}),
      call('mcp.small.add', { a: 1, b: 1 }),
    ]);
    const texts = told(state, 'dev').map(({ result }) => result.text);
    expect(texts.slice(0, 2)).toEqual(['grown', 'late']);
    expect(texts[2]).toMatch(/^MCP_CALL_FAILED: .*E_MCP|its program has ended/);
    // Whoever comes after the end of a program starts another.
    expect(texts[3]).toBe('2');
    const tools = (await requestsOf(run, state, 'dev')).map(({ tools: all }) =>
      all.some(({ name }) => name === 'mcp.small.later'),
    );
    expect(tools).toEqual([false, true, true, false, false]);
    const listed = (await eventsOf(run)).filter(({ type }) => type === 'servers.listed');
    expect(listed[0]?.data.problems).toEqual([
      expect.stringMatching(/"gone" cannot be reached.* E_MCP_START/),
    ]);
    expect(problems.splice(0)).toContainEqual(expect.stringMatching(/"gone" cannot be reached/));
  });

  it('are asked about where the operator or the node says so; a denied call is never made', async () => {
    const host = await open(team('servers: [world]'), ', approval: always');
    const isAsked = ({ approvals }: TeamState): boolean => pendingApprovals(approvals).length > 0;
    const { run } = await play(
      host,
      [call('mcp.world.append', { text: 'a' }), call('mcp.world.append', { text: 'b' })],
      isAsked,
    );
    const [asked] = await host.approvals();
    expect(asked).toMatchObject({
      tool: 'mcp.world.append',
      input: { text: 'a' },
      reason: expect.stringContaining('MCP server world'),
    });
    const answer = { type: 'approval.resolve', by: 'ann' } as const;
    await host.submit(run, { ...answer, approval: asked?.id ?? '', decision: 'deny', id: 'one' });
    await until(
      host,
      run,
      (state) => isAsked(state) && pendingApprovals(state.approvals)[0]?.id !== asked?.id,
    );
    expect(world()).toEqual([]);
    const [second] = await host.approvals();
    const input = { text: 'c' };
    await host.submit(run, { ...answer, approval: second?.id ?? '', decision: 'change', input, id: 'two' });
    await until(host, run, isOver);
    expect(world()).toEqual(['c']);
  });

  it('change nothing in PLANNING: only what its server calls reading is called', async () => {
    const host = await open(team('servers: [world]', 'globalMode: PLANNING'));
    writeFileSync(join(stand.root, 'world.log'), '');
    const { state } = await play(host, [
      ['append', 'put', 'peek'].map((name) => call(`mcp.world.${name}`, {})).join('\n'),
    ]);
    const results = told(state, 'dev').map(({ result }) => result.code ?? result.status);
    expect(results).toEqual(['E_TOOL_DENIED', 'E_TOOL_DENIED', 'ok']);
    expect(world()).toEqual([]);
  });

  it('are those of the beginning of the run: what an agent writes into cuebook.yaml starts nothing', async () => {
    const host = await open(team('servers: [world], workspace: shared'));
    const evil = JSON.stringify({
      servers: { world: { command: 'touch', args: [join(stand.root, 'evil')] } },
    });
    const script = scriptOf({
      lead: LEAD,
      dev: [
        { text: call('write_file', { path: 'cuebook.yaml', content: evil }) },
        { text: call('mcp.world.append', { text: 'mine' }) },
        DONE,
      ],
    });
    const run = await startRun(host, { team: { file: 'team.yaml' }, script });
    await until(host, run, ({ nodes }) => Object.values(nodes).some(({ results }) => results.length > 0));
    await stand.stopAll();
    const second = await stand.open();
    await until(second, run, isOver);
    expect(readFileSync(join(stand.project, 'cuebook.yaml'), 'utf8')).toBe(evil);
    expect(existsSync(join(stand.root, 'evil'))).toBe(false);
    expect(world()).toEqual(['mine']);
  });

  it('are given to a spawned node only as far as its parent has them', async () => {
    const host = await open(
      team('servers: [small]').replace(
        'role: orchestrator',
        'role: orchestrator, servers: [small.add, world]',
      ),
    );
    const child = { label: 'C', alias: 'c', roleTemplate: 'implementer', instructions: 'Look.' };
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({
        lead: [
          { text: call('spawn_node', { ...child, servers: ['small', 'world.peek', 'gone', 'unused'] }) },
          { text: call('finish_run', { ok: true, summary: 'x' }) },
        ],
        c: [
          {
            text: [
              call('mcp.small.add', { a: 1, b: 1 }),
              call('mcp.small.echo', { text: 'x' }),
              call('mcp.world.append', {}),
            ].join('\n'),
          },
          { text: call('send_handoff', { to: 'lead', message: 'x' }) },
        ],
      }),
    });
    const state = await until(host, run, isOver);
    expect(nodeOf(state, 'c').node.servers).toEqual(['small.add', 'world.peek']);
    expect(told(state, 'c').map(({ result }) => result.status)).toEqual(['ok', 'refused', 'refused']);
    expect(world()).toEqual([]);
  });
});

describe('a call that a crash cut off', () => {
  const HANGING = (name: string) => call(`mcp.world.${name}`, { text: name, hang: true });
  /** A call is at the server, and its host goes. */
  async function cutOff(name: string) {
    const first = await open(team('servers: [world]'));
    const steps = [{ text: HANGING(name) }, DONE];
    const run = await startRun(first, {
      team: { file: 'team.yaml' },
      script: scriptOf({ lead: LEAD, dev: steps }),
    });
    await until(first, run, ({ nodes }) =>
      Object.values(nodes).some(({ work }) => work?.calls.some(({ phase }) => phase === 'running') ?? false),
    );
    await written(1);
    await stand.stopAll('abort');
    return { run, second: await stand.open() };
  }
  /** The server has written so much: only its file says so. */
  async function written(count: number): Promise<void> {
    while (world().length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('is a question to a person, and is made again only when one says that it was not done', async () => {
    const { run, second } = await cutOff('append');
    const state = await until(second, run, ({ doubts }) => doubts.length > 0);
    expect(world()).toEqual(['append']);
    const [effect = ''] = state.doubts;
    const outcome = { ok: true, output: 'It was written.' };
    await second.submit(run, { type: 'effect.resolve', effect, outcome, by: 'ann', id: 'r' });
    const after = await until(second, run, isOver);
    expect(told(after, 'dev').map(({ result }) => result.text)).toEqual(['It was written.']);
    expect(world()).toEqual(['append']);
  });

  it('is made again by itself where its server says that this does no harm', async () => {
    const { run, second } = await cutOff('put');
    await written(2);
    expect((await stateOf(second, run)).doubts).toEqual([]);
    expect(world()).toEqual(['put', 'put']);
  });
});
