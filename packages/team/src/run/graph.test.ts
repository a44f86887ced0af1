import { describe, expect, it } from 'vitest';
import { spec, teamRun } from '../../test/team-run.js';
import { composeNode } from '../prompt/compose.js';
import { promptInput } from './facts.js';

type Run = ReturnType<typeof teamRun>;
const call = (run: Run, alias: string) => {
  const results = run.results(alias).flatMap((each) => (each.kind === 'call' ? [each] : []));
  return results.map(({ tool, result }) => [tool, result.status, result.code ?? '', result.text] as const);
};
const SPAWN = {
  label: 'Docs Agent',
  alias: 'docs',
  roleTemplate: 'planner',
  instructions: 'Summarize.',
  input: { n: 1 },
};
const promptText = (run: Run, alias: string) => {
  const input = promptInput(run.state(), run.node(alias).node.id, { nativeTools: () => false });
  if (!input) throw new Error('no turn');
  return composeNode(input)
    .full.map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n\n');
};

describe('spawn, edge and handoff', () => {
  it('by alias in one answer: node, edge and envelope are there, in that order', () => {
    const run = teamRun();
    run.start();
    run.says('lead', 'On it.', [
      ['spawn_node', SPAWN],
      ['create_edge', { from: 'lead', to: 'DOCS' }],
      ['send_handoff', { to: 'docs', message: 'And this.' }],
    ]);
    const made = run
      .events()
      .flatMap(({ type }) => (/^(?:node\.added|edge\.added|envelope\.sent)$/.test(type) ? [type] : []));
    expect(made.slice(-4)).toEqual(['node.added', 'envelope.sent', 'edge.added', 'envelope.sent']);
    const docs = run.node('docs');
    expect(docs.work?.taken.inbox.map(({ payload }) => payload)).toEqual([
      { message: 'Summarize.', structured: { n: 1 } },
      { message: 'And this.' },
    ]);
    expect(docs.node).toMatchObject({
      parent: run.node('lead').node.id,
      depth: 1,
      provider: 'line',
      role: 'planner',
    });
    expect(call(run, 'lead').map(([tool, status]) => [tool, status])).toEqual([
      ['spawn_node', 'ok'],
      ['create_edge', 'ok'],
      ['send_handoff', 'ok'],
    ]);
    expect(run.results('lead')[0]).toMatchObject({ result: { text: expect.stringContaining(docs.node.id) } });
  });

  it('an edge has its defaults', () => {
    const run = teamRun();
    run.start({
      nodes: [spec('lead', 'orchestrator'), spec('a', 'planner'), spec('b', 'planner')],
      edges: [],
    });
    run.says('lead', '', [
      ['create_edge', { from: 'a', to: 'b' }],
      ['create_edge', { from: 'lead', to: 'b', type: 'report', bidirectional: false }],
    ]);
    expect(run.state().edges).toMatchObject([
      { bidirectional: true, type: 'handoff', label: 'task' },
      { bidirectional: false, type: 'report', label: 'report' },
    ]);
  });

  it('a spawn without instructions sends nothing', () => {
    const run = teamRun();
    run.start();
    run.says('lead', '', [['spawn_node', { label: 'x', alias: 'x', roleTemplate: 'planner' }]]);
    expect(run.node('x')).toMatchObject({ inbox: [], work: null });
  });

  it.each<[string, readonly [string, object], RegExp]>([
    [
      'an unknown role',
      ['spawn_node', { label: 'x', roleTemplate: 'plumber' }],
      /plumber.*orchestrator, planner/,
    ],
    [
      'an unknown provider',
      ['spawn_node', { label: 'x', roleTemplate: 'planner', provider: 'nobody' }],
      /There are: line, claude/,
    ],
    [
      'a taken alias',
      ['spawn_node', { label: 'x', roleTemplate: 'planner', alias: 'DEV' }],
      /already in use by dev/,
    ],
    ['a field of a wrong type', ['spawn_node', { label: 5, roleTemplate: 'planner' }], /args\.label/],
    ['an edge to nobody', ['create_edge', { from: 'lead', to: 'ghost' }], /to="ghost" is not known/],
    ['an edge that is there', ['create_edge', { from: 'lead', to: 'dev' }], /there already/],
    ['an edge to itself', ['create_edge', { from: 'dev', to: 'dev' }], /two different/],
    ['a handoff to nobody', ['send_handoff', { to: 'ghost', message: 'x' }], /to="ghost" is not known/],
    [
      'a reply to nobody',
      ['send_handoff', { to: 'dev', message: 'x', response: { expectation: 'required', replyTo: 'ghost' } }],
      /replyTo="ghost"/,
    ],
    ['an unknown tool', ['send_hndof', { to: 'dev' }], /Did you mean send_handoff\?.*There are: command/s],
  ])('%s is answered, and nothing is made', (_name, [tool, input], message) => {
    const run = teamRun();
    run.start();
    const before = [Object.keys(run.state().nodes).length, run.state().edges.length];
    run.says('lead', '', [[tool, input as never]]);
    expect([Object.keys(run.state().nodes).length, run.state().edges.length]).toEqual(before);
    expect(run.node('dev').inbox).toEqual([]);
    expect(call(run, 'lead')).toEqual([
      [tool, 'refused', expect.stringMatching(/^E_/), expect.stringMatching(message)],
    ]);
  });

  it('the second of two calls with one id is refused, the third runs', () => {
    const run = teamRun();
    run.start();
    run.says('lead', '', [
      ['send_handoff', { to: 'dev', message: 'a' }, 'x'],
      ['send_handoff', { to: 'dev', message: 'b' }, 'x'],
      ['send_handoff', { to: 'dev', message: 'c' }, 'y'],
    ]);
    expect(call(run, 'lead').map(([, status]) => status)).toEqual(['ok', 'refused', 'ok']);
  });

  it.each([
    ['one way', false, ['ok', 'refused']],
    ['both ways', true, ['ok', 'ok']],
  ])('an edge %s', (_name, bidirectional, expected) => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE', edges: [{ from: 'lead', to: 'dev', bidirectional }] });
    run.says('lead', '', [['send_handoff', { to: 'dev', message: 'go' }]]);
    run.says('dev', '', [['send_handoff', { to: 'lead', message: 'done' }]]);
    expect([call(run, 'lead')[0]?.[1], call(run, 'dev')[0]?.[1]]).toEqual(expected);
  });

  it('handoffs sent while a node works wait in order, and its turn is not interrupted', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.submit({ type: 'node.message', node: 'dev', text: 'begin', by: 'ann' });
    const before = run.turn('dev')?.id;
    run.says('lead', '', [
      ['send_handoff', { to: 'dev', message: 'first' }],
      ['send_handoff', { to: 'dev', message: 'second' }],
    ]);
    expect(run.turn('dev')?.id).toBe(before);
    run.says('dev', 'ok');
    expect(run.node('dev').work?.taken.inbox.map(({ payload }) => payload.message)).toEqual([
      'first',
      'second',
    ]);
    expect(promptText(run, 'dev').indexOf('first')).toBeLessThan(promptText(run, 'dev').indexOf('second'));
  });

  it('an inbox has a limit', () => {
    const run = teamRun();
    run.start({ limits: { inbox: 2 }, mode: 'INTERACTIVE' });
    run.submit({ type: 'run.pause', by: 'ann' });
    run.says(
      'lead',
      '',
      ['a', 'b', 'c'].map((message) => ['send_handoff', { to: 'dev', message }] as const),
    );
    expect(call(run, 'lead').map(([, status]) => status)).toEqual(['ok', 'ok', 'refused']);
  });
});

describe('replies', () => {
  const ask = { to: 'dev', message: 'Answer me.', response: { expectation: 'required', replyTo: 'LEAD' } };
  it('that are owed are seen by both, until they are sent', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', '', [['send_handoff', ask]]);
    const lead = run.node('lead').node.id;
    expect(run.state().replies).toMatchObject([{ from: lead, to: lead, owedBy: run.node('dev').node.id }]);
    expect(run.node('dev').work?.taken.inbox[0]?.payload.response).toEqual({
      expectation: 'required',
      replyTo: lead,
    });
    expect(promptText(run, 'dev')).toContain('- youOwe:\n  - lead, for env_');
    run.says('dev', '', [['send_handoff', { to: 'lead', message: 'Here.' }]]);
    expect(run.state().replies).toEqual([]);
  });

  it('whoever waits for a node that failed is told', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', '', [['send_handoff', ask]]);
    run.settle(run.turn('dev')?.id ?? '', { ok: false, error: { code: 'E_PROVIDER_EXIT', message: 'boom' } });
    run.diffs('dev');
    expect(run.node('dev').hold).toEqual({ kind: 'failed', code: 'E_PROVIDER_EXIT', message: 'boom' });
    expect(run.node('lead').work?.taken.inbox).toMatchObject([
      { kind: 'signal', payload: { status: { ok: false } } },
    ]);
  });
});

describe('rights', () => {
  it('a child has no more than its parent, whatever is asked for it', () => {
    const run = teamRun();
    const capabilities = { ...spec('x', 'orchestrator').capabilities, runCommands: false };
    run.start({ nodes: [spec('lead', 'orchestrator', { capabilities })], edges: [] });
    run.says('lead', '', [
      [
        'spawn_node',
        {
          label: 'x',
          alias: 'x',
          roleTemplate: 'implementer',
          capabilities: { edgeManagement: 'all', runCommands: true },
          permissions: { agentManagementRequiresApproval: false },
        },
      ],
    ]);
    expect(run.node('x').node).toMatchObject({
      orchestrator: false,
      capabilities: { runCommands: false },
      permissions: { agentManagementRequiresApproval: true },
    });
  });

  it('a role without scope spawns nothing, though its node has edgeManagement=all', () => {
    const run = teamRun();
    const capabilities = { ...spec('x', 'implementer').capabilities, edgeManagement: 'all' } as const;
    run.start({ nodes: [spec('dev', 'implementer', { capabilities })], edges: [] });
    run.says('dev', '', [['spawn_node', SPAWN]]);
    expect(call(run, 'dev')).toMatchObject([
      ['spawn_node', 'refused', 'E_TOOL_DENIED', expect.stringContaining('edge_management_all')],
    ]);
    expect(Object.keys(run.state().nodes)).toHaveLength(1);
  });

  it('depth and number of nodes are bounded', () => {
    const run = teamRun();
    run.start({ limits: { nodes: 3, depth: 1 }, nodes: [spec('lead', 'orchestrator')], edges: [] });
    run.says('lead', '', [
      ['spawn_node', { label: 'a', alias: 'a', roleTemplate: 'orchestrator', instructions: 'go' }],
      ['spawn_node', { label: 'b', roleTemplate: 'planner' }],
      ['spawn_node', { label: 'c', roleTemplate: 'planner' }],
    ]);
    expect(call(run, 'lead').map(([, , code]) => code)).toEqual(['', '', 'E_TOOL_DENIED']);
    run.says('a', '', [['spawn_node', { label: 'd', roleTemplate: 'planner' }]]);
    expect(call(run, 'a')[0]?.[3]).toMatch(/limit/);
  });
});
