import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInTurn } from '../../../test/runs.js';
import { HARMLESS, type PlayedCase, type PlayedNodes, playNodes } from './played-nodes.js';
import { call, type ServerStand, says, serverStand } from './server-stand.js';

const EDGES = { capabilities: { ...HARMLESS, edgeManagement: 'all' } };
const LEAD = { role: 'orchestrator', ...EDGES };
const NATIVE = { provider: 'claude-like' };
const edge = (id: string, from = 'a', to = 'b') => call('create_edge', { from, to, label: id }, id);

/** Every case is a node of one run; its first turn says the lines. */
const CASES: readonly PlayedCase[] = [
  { alias: 'lone', node: LEAD, turns: [says('Before.', edge('one'), 'After.')] },
  { alias: 'spaces', node: LEAD, turns: [says(`  ${edge('two', 'b', 'c')}\t\r`, 'Done.\r')] },
  {
    alias: 'several',
    node: LEAD,
    turns: [says(edge('s1', 'c', 'd'), edge('s2', 'c', 'nobody'), edge('s3', 'd', 'e'))],
  },
  {
    alias: 'parts',
    node: LEAD,
    turns: [
      [
        { text: edge('p1', 'e', 'f').slice(0, 20) },
        { text: `${edge('p1', 'e', 'f').slice(20)}\n` },
        { use: { name: 'Read', output: 'x' } },
        { text: 'End.' },
      ],
    ],
  },
  {
    alias: 'fenced',
    node: LEAD,
    turns: [says('```json', edge('f1', 'a', 'f'), '```', '~~~', edge('f2', 'a', 'f'), '~~~')],
  },
  { alias: 'prefix', node: LEAD, turns: [says(`Now: ${edge('x1', 'a', 'f')}`, `- ${edge('x2', 'a', 'f')}`)] },
  { alias: 'twice', node: LEAD, turns: [says(`${edge('t1', 'a', 'f')} ${edge('t2', 'a', 'f')}`)] },
  {
    alias: 'params',
    node: LEAD,
    turns: [says('{"tool_call":{"name":"create_edge","params":{"from":"a","to":"f"}}}')],
  },
  { alias: 'broken', node: LEAD, turns: [says('{"tool_call":{"name":"create_edge","args":{"from":"a"')] },
  { alias: 'unknown', node: LEAD, turns: [says(call('make_coffee', {}))] },
  {
    alias: 'data',
    node: LEAD,
    turns: [says('{"name":"x","args":{}}', '{"a":1}', '{"name":"Alice","age":3}')],
  },
  { alias: 'data2', node: { ...LEAD, ...NATIVE }, turns: [says('{"name":"x","args":{}}', '{"a":1}')] },
  {
    alias: 'fields',
    node: LEAD,
    turns: [
      says(
        call('spawn_node', { label: 5, roleTemplate: 'planner' }),
        call('spawn_node', { label: 'No role' }),
        call('send_handoff', { to: 'a', message: '' }),
        call('send_handoff', { to: 'a', message: 'x', response: { expectation: 'maybe' } }),
        call('create_edge', { from: 'a', to: 'f', type: 'banana' }),
      ),
    ],
  },
  { alias: 'dup', node: LEAD, turns: [says(edge('same', 'f', 'a'), edge('same', 'f', 'b'))] },
  {
    alias: 'native',
    node: { ...LEAD, ...NATIVE },
    turns: [
      says(
        call('command', { cmd: 'ls' }),
        call('read_file', { path: 'a.txt' }),
        call('write_file', { path: 'x', content: 'x' }),
        call('list_files', {}),
        call('delete_file', { path: 'a.txt' }),
        edge('n1', 'f', 'c'),
      ),
    ],
  },
  {
    alias: 'ours',
    node: { capabilities: {} },
    turns: [
      says(
        call('read_file', { path: 'a.txt' }),
        call('list_files', {}),
        call('write_file', { path: 'new.txt', content: 'new\n' }),
        call('command', { cmd: 'cat new.txt' }),
        call('delete_file', { path: 'new.txt' }),
      ),
    ],
  },
  {
    alias: 'echo',
    node: { capabilities: {} },
    turns: [says(call('command', { cmd: `echo '${edge('e1')}'` }))],
  },
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((alias) => ({ alias, turns: [says('Yes.')] })),
];

let stand: ServerStand;
let played: PlayedNodes;
beforeAll(async () => {
  stand = await serverStand({ files: { 'a.txt': 'the text of a\n' } });
  played = await playNodes(stand, CASES);
});
afterAll(() => stand.remove());

const said = (alias: string) => played.turns(alias)[0]?.text;
const statuses = (alias: string) => played.results(alias).map(({ given, status }) => [given, status]);
const hasEdge = (id: string) => played.view.edges.some(({ label }) => label === id);

// All of them look at one run, so they have their turn together.
describeInTurn('a call in an answer', () => {
  it('17: alone on its line is done once, its line is not shown, the others are', () => {
    expect(statuses('lone')).toEqual([['one', 'ok']]);
    expect(said('lone')).toBe('Before.\nAfter.');
    expect(played.view.edges.filter(({ label }) => label === 'one')).toHaveLength(1);
  });

  it('18: may have spaces around it, and a return', () => {
    expect(statuses('spaces')).toEqual([['two', 'ok']]);
    expect(said('spaces')).toBe('Done.');
  });

  it('19: several are done in order, and each has its result', () => {
    expect(statuses('several')).toEqual([
      ['s1', 'ok'],
      ['s2', 'refused'],
      ['s3', 'ok'],
    ]);
    expect([hasEdge('s1'), hasEdge('s3')]).toEqual([true, true]);
  });

  it('is found when it comes in pieces, and before a tool of the agent', () => {
    expect(statuses('parts')).toEqual([['p1', 'ok']]);
  });

  const NEAR: readonly (readonly [string, string, readonly string[], RegExp])[] = [
    ['20: in a fence', 'fenced', ['fence', 'fence'], /fence/],
    ['21: behind other text', 'prefix', ['prefix', 'prefix'], /alone|line/],
    ['two on a line', 'twice', ['two'], /one|line/],
    ['23: with params', 'params', ['params'], /args/],
    ['25: that does not end', 'broken', ['split'], /line|JSON/],
  ];
  it.each(NEAR)('%s is not done, and the agent is told why', async (_, alias, rules, message) => {
    expect(played.results(alias)).toEqual([]);
    const notes = played.notes(alias);
    expect(notes.map(({ rule }) => rule)).toEqual(rules);
    for (const note of notes) expect(note.message).toMatch(message);
    expect(played.view.edges.filter(({ label }) => /^[ftx]\d$/.test(label))).toEqual([]);
    // An example in a fence is told at the next turn, whenever that is; all others at once.
    if (rules[0] !== 'fence') expect(await played.prompt(alias, 1)).toContain(`- rule: ${rules[0]}`);
  });

  it('26: of an unknown tool is answered with those that there are', () => {
    expect(played.results('unknown')).toMatchObject([
      { code: 'E_TOOL_UNKNOWN', text: expect.stringMatching(/spawn_node.*create_edge.*send_handoff/) },
    ]);
  });

  it.each(['data', 'data2'])('27: data that only looks like one is left alone (%s)', (alias) => {
    expect(played.results(alias)).toEqual([]);
    expect(played.notes(alias)).toEqual([]);
    expect(said(alias)).toContain('{"name":"x","args":{}}\n{"a":1}');
    expect(played.turns(alias)).toHaveLength(1);
  });

  it('29: with a wrong field names it, and nothing is made', () => {
    const [label, role, message, expectation, type] = played.results('fields').map(({ text }) => text);
    expect(label).toContain('args.label');
    expect(role).toContain('args.roleTemplate');
    expect(message).toContain('args.message');
    expect(expectation).toContain('args.response.expectation');
    expect(type).toContain('args.type');
    expect(played.view.nodes).toHaveLength(CASES.length);
  });

  it('with an id that was used before is not done again', () => {
    expect(statuses('dup')).toEqual([
      ['same', 'ok'],
      ['same', 'refused'],
    ]);
  });

  it('30: of a tool that the agent has itself is answered so; the graph is ours', () => {
    const results = played.results('native');
    for (const result of results.slice(0, 5)) {
      expect(result.status).toBe('refused');
      expect(result.text).toMatch(/own|native/);
    }
    expect(results[5]).toMatchObject({ given: 'n1', status: 'ok' });
  });

  it('31: the file and command tools work where an agent has none, and it is told what came of them', async () => {
    expect(played.results('ours').map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    const next = await played.prompt('ours', 1);
    expect(next).toContain('the text of a');
    expect(next).toMatch(/TOOL_RESULT[\s\S]*- tool: command[\s\S]*new/);
  });

  it('is none in the output of a command, and that is said', async () => {
    expect(played.results('echo')).toMatchObject([{ name: 'command' }]);
    expect(hasEdge('e1')).toBe(false);
    expect(await played.prompt('echo', 1)).toContain('E_CALL_IN_OUTPUT');
  });
});
