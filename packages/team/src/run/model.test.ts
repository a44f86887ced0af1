import { findApproval, pendingApprovals } from '@cuebook/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { loadedRoles } from '../../test/roles.js';
import { spec, teamRun } from '../../test/team-run.js';
import type { GlobalMode } from '../capability/authorize.js';
import { isWithinScope } from '../capability/capabilities.js';
import { foldAlias } from '../graph/reference.js';
import { hostOf } from '../graph/workspace.js';
import { composeNode } from '../prompt/compose.js';
import type { TeamCommand } from './command.js';
import { promptInput } from './facts.js';
import { LEFT_CODE } from './outcome.js';
import { isOver, nodesOf } from './state.js';
import { isQuiet, needsOf } from './status.js';
import { waitingCount } from './waits.js';

type Run = ReturnType<typeof teamRun>;

const LIMITS = { parallel: 2, perProvider: { claude: 1 }, nodes: 7, depth: 2, inbox: 5 };
const BUDGET = { turns: 25, tokens: 5_000 };
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
    name: fc.constantFrom('command', 'read_file', 'write_file', 'zap'),
    input: fc.constantFrom({ cmd: 'ls' }, { path: 'a', content: 'x' }, { path: 'docs/a' }, 5),
  }),
);
const someAct = fc.oneof(
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
type Act = typeof someAct extends fc.Arbitrary<infer T> ? T : never;

it('whatever agents, tools, people and restarts do, the promises of a team run hold', () => {
  const seen = new Set<string>();
  const counted = runs(40, 4_000);
  fc.assert(
    fc.property(
      fc.array(someAct, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.constantFrom('PLANNING', 'IMPLEMENTATION'),
      (acts, globalMode) => {
        const run = begin(globalMode);
        for (const act of acts) {
          play(run, act as Act);
          checkPromises(run);
        }
        drain(run);
        checkPromises(run);
        checkQuiet(run);
        for (const { type } of run.events()) seen.add(type);
      },
    ),
    counted,
  );
  // The acts reach everything that can happen, where enough of them are tried.
  if (counted.numRuns < 40) return;
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      'node.added',
      'turn.closed',
      'node.held',
      'run.paused',
      'changes.flagged',
      'approval.resolved',
      'call.settled',
      'run.finished',
      'native.called',
    ]),
  );
});

function begin(globalMode: GlobalMode): Run {
  const run = teamRun({ approvalMs: 1_000, expect: () => ({ tokens: 10, usd: 0 }) });
  run.start({
    globalMode,
    nodes: [
      spec('lead', 'orchestrator'),
      spec('dev', 'implementer', { provider: 'claude', workspace: 'shared' }),
      spec('doc', 'planner', {
        workspace: 'shared',
        permissions: { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true },
      }),
      spec('test', 'reviewer', { workspace: { with: 'lead' } }),
      spec('dep', 'deputy', { capabilities: { ...spec('x', 'x').capabilities, edgeManagement: 'all' } }),
    ],
    edges: [
      { from: 'lead', to: 'dev' },
      { from: 'doc', to: 'lead', bidirectional: false },
      { from: 'lead', to: 'test' },
    ],
    roles: [
      ...loadedRoles(),
      ...loadedRoles().flatMap((role) => (role.name === 'orchestrator' ? [{ ...role, name: 'deputy' }] : [])),
    ],
    verify: ['npm test'],
    limits: LIMITS,
    budget: BUDGET,
  });
  return run;
}

function play(run: Run, act: Act): void {
  switch (act.act) {
    case 'answer': {
      const turns = run.effects('node.turn');
      const effect = turns[act.pick % Math.max(1, turns.length)];
      if (!effect) return;
      const output = {
        text: act.text,
        calls: act.calls.map(({ name, input }, index) => ({ id: `c${index}`, name, input })),
        notes: [],
        end: { reason: act.reason },
        usage: { inputTokens: act.tokens, outputTokens: 0, costUsd: 0 },
        ...(act.tokens % 3 === 0 ? {} : { sessionId: 's' }),
      };
      run.settle(effect.id, { ok: true, output: output as never }, act.by as 'driver');
      return;
    }
    case 'settle': {
      const others = run.open().filter(({ kind }) => kind !== 'node.turn');
      const effect = others[act.pick % Math.max(1, others.length)];
      if (!effect) return;
      const output =
        effect.kind === 'diff.take'
          ? { hash: act.files.length > 0 ? `h${act.files.join()}` : null, files: act.files }
          : { failure: act.ok ? null : 'FAIL', text: 'x' };
      run.settle(
        effect.id,
        act.ok || effect.kind === 'verify.run'
          ? { ok: true, output }
          : { ok: false, error: { code: 'E_DISK', message: 'full' } },
      );
      return;
    }
    case 'resolve': {
      const pending = pendingApprovals(run.state().approvals);
      const approval = pending[act.pick % Math.max(1, pending.length)];
      const decision = act.decision as 'allow';
      const input = approval?.input ?? {};
      run.submit({
        type: 'approval.resolve',
        approval: approval?.id ?? 'apr_0',
        decision,
        input,
        grant: act.grant,
        by: 'ann',
      });
      return;
    }
    case 'person':
      run.submit(personCommand(act.node, act.what));
      return;
    case 'run':
      if (act.what === 'expire') {
        const [approval] = pendingApprovals(run.state().approvals);
        if (approval) run.fire(`expire/${approval.id}`);
      } else run.submit(RUN_COMMANDS[act.what as keyof typeof RUN_COMMANDS]);
      return;
    case 'native': {
      const turns = run.effects('node.turn');
      const effect = turns[act.pick % Math.max(1, turns.length)]?.id ?? 'none';
      const { name, input } = act.call;
      run.submit(
        act.asks
          ? { type: 'native.approve', effect, tool: 'mcp__x', input: input as never }
          : { type: 'native.call', effect, call: { id: 'm', name, input: input as never } },
      );
      return;
    }
    case 'leave': {
      // The host ends: every turn in flight is cut off.
      const end = { reason: 'aborted', code: LEFT_CODE };
      for (const { id } of run.effects('node.turn')) {
        const output = { text: '', calls: [], notes: [], end, ...(act.hasSession ? { sessionId: 's' } : {}) };
        run.settle(id, { ok: true, output: output as never });
      }
      return;
    }
    case 'crash': {
      const open = run.open();
      const effect = open[act.pick % Math.max(1, open.length)];
      if (!effect) return;
      run.write({ type: 'effect.asked', data: { id: effect.id } });
      if (act.again) run.write({ type: 'effect.reopened', data: { id: effect.id } });
    }
  }
}

const by = 'ann';
const RUN_COMMANDS = {
  pause: { type: 'run.pause', by },
  halt: { type: 'run.pause', interrupt: true, by },
  resume: { type: 'run.resume', by },
  plan: { type: 'run.mode', globalMode: 'PLANNING', by },
  build: { type: 'run.mode', globalMode: 'IMPLEMENTATION', mode: 'INTERACTIVE', by },
  auto: { type: 'run.mode', mode: 'AUTO', by },
  raise: { type: 'budget.raise', scope: 'run', to: { tokens: 9_000 }, by },
  finish: { type: 'run.finish', ok: true, summary: 'x', by },
} as const satisfies Record<string, TeamCommand>;

function personCommand(node: string, what: string): TeamCommand {
  switch (what) {
    case 'message':
      return { type: 'node.message', node, text: 'hello', by };
    case 'push':
      return { type: 'node.message', node, text: 'now', interrupt: true, by };
    case 'interrupt':
      return { type: 'node.interrupt', node, by };
    case 'reset':
      return { type: 'node.reset', node, by };
    case 'resume':
      return { type: 'node.resume', node, by };
    default:
      return { type: 'node.configure', node, to: { provider: 'raw', override: 'Be brief.' }, by };
  }
}

function checkPromises(run: Run): void {
  const state = run.state();
  // The state is nothing but the events, and both are plain JSON.
  expect(run.rebuilt()).toEqual(state);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  const nodes = nodesOf(state);
  const running = run.effects('node.turn');
  // Limits: of turns, of nodes, of depth, of inboxes, of money.
  expect(nodes.length).toBeLessThanOrEqual(LIMITS.nodes);
  for (const { node, inbox } of nodes) {
    expect(node.depth).toBeLessThanOrEqual(LIMITS.depth);
    expect(inbox.length).toBeLessThanOrEqual(LIMITS.inbox * 2);
  }
  const { spent } = state.budget.scopes.run ?? { spent: { turns: 0 } };
  expect(spent.turns + running.length).toBeLessThanOrEqual(BUDGET.turns);
  expect(Object.keys(state.budget.holds).sort()).toEqual(running.map(({ id }) => id).sort());
  // Nothing stands still unlisted.
  const isUnderWay = run.open().some(({ id }) => !state.doubts.includes(id));
  if (!isOver(state) && !isUnderWay) expect(waitingCount(state)).toBeGreaterThan(0);
  // One thing at a time in every lane, and every open effect belongs to somebody who waits for it.
  const lanes = run.open().map(({ lane }) => lane);
  expect(new Set(lanes).size).toBe(lanes.length);
  for (const { id, lane } of run.open()) {
    const work = nodes.find(({ node }) => lane.split('/')[1] === node.id)?.work;
    const waits = [
      work?.effect,
      work?.step?.effect,
      ...[...(work?.calls ?? []), ...(work?.native ?? [])].map(({ effect }) => effect),
    ];
    expect(waits).toContain(id);
  }
  // Two writers are never at work in one folder.
  const writers = nodes.filter(({ node, work }) => work !== null && node.workspace === 'shared');
  expect(writers.length).toBeLessThanOrEqual(1);
  // Nor are two nodes in one that is not the person's; whoever works with another works with one that has a folder.
  const folders = nodes.flatMap(({ node, work }) =>
    work === null || node.workspace === 'shared' ? [] : [hostOf(node)],
  );
  expect(new Set(folders).size).toBe(folders.length);
  for (const { node } of nodes) {
    if (typeof node.workspace === 'object')
      expect(state.nodes[node.workspace.with]?.node.workspace).toBe('own');
    // Nobody is given the person's folder by somebody who has it not.
    if (node.parent !== undefined && node.workspace === 'shared')
      expect(state.nodes[node.parent]?.node.workspace).toBe('shared');
  }
  // Aliases are unique, children are clamped, envelopes go along edges or from a parent.
  const aliases = nodes.flatMap(({ node }) => (node.alias === undefined ? [] : [foldAlias(node.alias)]));
  expect(new Set(aliases).size).toBe(aliases.length);
  for (const { node } of nodes) {
    const parent = node.parent === undefined ? undefined : state.nodes[node.parent]?.node;
    if (!parent) continue;
    expect(isWithinScope(node.capabilities.edgeManagement, parent.capabilities.edgeManagement)).toBe(true);
    expect(node.orchestrator && !parent.orchestrator).toBe(false);
  }
  // Whoever does not lead has spawned no more than a person has allowed.
  const added = run
    .events()
    .flatMap((event) => (event.type === 'node.added' ? [event.data.node.parent] : []));
  const unled = added.filter((parent) => parent !== undefined && !state.nodes[parent]?.node.orchestrator);
  const allowed = Object.entries(state.approvals.resolved).filter(
    ([id, { decision }]) => state.approvals.asked[id]?.tool === 'spawn_node' && /allow|change/.test(decision),
  );
  expect(unled.length).toBeLessThanOrEqual(allowed.length);
  // A turn in flight can be composed, and a run that is over begins nothing.
  for (const { node, work } of nodes) {
    if (work === null) continue;
    const input = promptInput(state, node.id, { nativeTools: () => false });
    expect(input && composeNode(input).full.length).toBeGreaterThanOrEqual(4);
  }
  if (isOver(state)) expect(pendingApprovals(state.approvals)).toEqual([]);
  for (const { id } of pendingApprovals(state.approvals))
    expect(findApproval(state.approvals, id)).toBeDefined();
}

/** Lets everything come to its end: turns say nothing more, people deny. */
function drain(run: Run): void {
  for (
    let step = 0;
    step < 500 && run.open().length + pendingApprovals(run.state().approvals).length > 0;
    step += 1
  ) {
    for (const { id } of pendingApprovals(run.state().approvals))
      run.submit({ type: 'approval.resolve', approval: id, decision: 'deny', by });
    const [effect] = run.open();
    if (!effect) continue;
    const output =
      effect.kind === 'node.turn'
        ? {
            text: 'end',
            calls: [],
            notes: [],
            end: { reason: 'done' },
            sessionId: 's',
            usage: { inputTokens: 1, outputTokens: 0, costUsd: 0 },
          }
        : { hash: null, files: [], failure: null, text: '' };
    run.settle(effect.id, { ok: true, output });
  }
}

/** Nothing is stuck: when nothing is open, every node is idle and whoever could go on waits for a person. */
function checkQuiet(run: Run): void {
  expect(run.open()).toEqual([]);
  expect(isQuiet(run.state())).toBe(true);
  const turns = run.events().filter(({ type }) => type === 'turn.started').length;
  expect(run.events().filter(({ type }) => type === 'turn.closed')).toHaveLength(turns);
  const { status, settings } = run.state();
  if (status === 'running' && settings.mode === 'AUTO')
    expect(needsOf(run.state()).length).toBeGreaterThan(0);
}
