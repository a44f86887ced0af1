import fc from 'fast-check';

export const LIMITS = { parallel: 2, perProvider: { claude: 1 }, nodes: 7, depth: 2, inbox: 5 };
export const BUDGET = { turns: 25, tokens: 5_000 };
const someAlias = fc.constantFrom('lead', 'dev', 'doc', 'dep', 'test', 'n1', 'n2', 'ghost');
const someCall = fc.oneof(
  fc.record({
    name: fc.constant('spawn_node'),
    input: fc.record({
      label: fc.constantFrom('x', 'y', ''),
      alias: fc.constantFrom('n1', 'n2', 'LEAD'),
      roleTemplate: fc.constantFrom('planner', 'orchestrator', 'ghost'),
      instructions: fc.constantFrom('go', 'on'),
      capabilities: fc.constantFrom({}, { edgeManagement: 'all' }, { runCommands: true }),
      workspace: fc.constantFrom('lead', 'dev', 'test', 'n1', 'ghost'),
    }),
  }),
  fc.record({ name: fc.constant('create_edge'), input: fc.record({ from: someAlias, to: someAlias }) }),
  fc.record({
    name: fc.constant('send_handoff'),
    input: fc.record({
      to: someAlias,
      message: fc.constantFrom('a', 'b', 'c'),
      response: fc.constantFrom({ expectation: 'required' }, { expectation: 'none' }),
    }),
  }),
  fc.record({
    name: fc.constant('finish_run'),
    input: fc.record({ ok: fc.constantFrom(true, true, true, false), summary: fc.constant('done') }),
  }),
  fc.record({
    name: fc.constantFrom('command', 'read_file', 'write_file', 'zap'),
    input: fc.constantFrom({ cmd: 'ls' }, { path: 'a', content: 'x' }, { path: 'docs/a' }, 5),
  }),
);
export const someAct = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      pick: fc.nat(),
      text: fc.constantFrom('working', 'thinking', 'waiting', ''),
      calls: fc.array(someCall, { maxLength: 3 }),
      reason: fc.constantFrom('done', 'done', 'done', 'done', 'error', 'aborted'),
      tokens: fc.nat(300),
      by: fc.constantFrom('driver', 'driver', 'world', 'person'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      act: fc.constant('settle' as const),
      pick: fc.nat(),
      ok: fc.boolean(),
      files: fc.subarray(['docs/a.md', 'src/a.ts', 'src/b.ts']),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('resolve' as const),
      pick: fc.nat(),
      decision: fc.constantFrom('allow', 'deny', 'change'),
      grant: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('person' as const),
      node: someAlias,
      what: fc.constantFrom('message', 'interrupt', 'reset', 'resume', 'push', 'configure'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('run' as const),
      what: fc.constantFrom('pause', 'halt', 'resume', 'plan', 'build', 'auto', 'raise', 'finish', 'expire'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('native' as const),
      pick: fc.nat(),
      call: someCall,
      asks: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('crash' as const), pick: fc.nat(), again: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('leave' as const), hasSession: fc.boolean() }),
  },
);
export type Act = typeof someAct extends fc.Arbitrary<infer T> ? T : never;
