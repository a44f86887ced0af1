import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { agentRun } from '../../test/agent-run.js';
import { pendingApprovals } from '../approval/approval.js';
import type { EngineEvent } from '../machine.js';
import type { ConversationEvent } from './conversation.js';
import { currentHistory, historyProblem } from './history.js';

type Run = ReturnType<typeof agentRun>;
type Event = ConversationEvent | EngineEvent;

const LIMIT = { turns: 6, tokens: 700 };
const EXPECTED = { tokens: 50, usd: 0 };

const someCall = fc.record({
  id: fc.constantFrom('', 'a', 'b', 'c'),
  name: fc.constantFrom('read', 'read', 'write', 'write', 'pay', 'wait', 'ghost'),
  input: fc.constantFrom({}, { path: 'x' }, 5),
});
const someAct = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      text: fc.constantFrom('', 'working', 'thinking', 'done'),
      calls: fc.oneof(
        fc.constant([]),
        ...[1, 2, 3].map(() => fc.array(someCall, { minLength: 1, maxLength: 4 })),
      ),
      reason: fc.constantFrom('done', 'done', 'done', 'done', 'aborted', 'error'),
      tokens: fc.nat(150),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('tool' as const), pick: fc.nat(), ok: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('resolve' as const),
      pick: fc.nat(),
      decision: fc.constantFrom('allow', 'deny', 'change'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('stop' as const), force: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('resume', 'say', 'raise', 'wait', 'doubt', 'rut') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('native' as const), call: someCall, isApproval: fc.boolean() }),
  },
);
type Act = typeof someAct extends fc.Arbitrary<infer T> ? T : never;

it('whatever models, tools, people and restarts do, the promises of a conversation hold', () => {
  fc.assert(
    fc.property(fc.array(someAct, { minLength: 1, maxLength: 50, size: 'max' }), (acts) => {
      const run = agentRun({ approvalMs: 1_000, expect: () => EXPECTED });
      run.start('hello', { budget: LIMIT });
      for (const act of acts) {
        play(run, act as Act);
        checkPromises(run);
      }
      finish(run);
      checkPromises(run);
      checkEnd(run);
    }),
    runs(100, 10_000),
  );
});

function play(run: Run, act: Act): void {
  switch (act.act) {
    case 'answer': {
      if (!run.turn()) run.say('more');
      const usage = { inputTokens: act.tokens, outputTokens: 0, costUsd: 0 };
      run.answers(act.text, act.calls, { end: { reason: act.reason as 'done' }, usage });
      return;
    }
    case 'tool': {
      const effect = run.tools()[act.pick % Math.max(1, run.tools().length)];
      const error = { code: 'E_DISK', message: `of ${callOf(effect?.input)}` };
      const output = `of ${callOf(effect?.input)}`;
      run.settle(effect?.id ?? '', act.ok ? { ok: true, output } : { ok: false, error });
      return;
    }
    case 'resolve': {
      const pending = pendingApprovals(run.state().approvals);
      const approval = pending[act.pick % Math.max(1, pending.length)]?.id ?? 'apr_none';
      const decision = act.decision as 'allow';
      run.submit({ type: 'approval.resolve', approval, decision, input: { amount: 1 }, by: 'ann' });
      return;
    }
    case 'stop':
      run.stop(act.force);
      return;
    case 'native': {
      const effect = run.turn()?.id ?? 'none';
      const { name: tool, input } = act.call;
      run.submit(
        act.isApproval
          ? { type: 'native.approve', effect, tool, input }
          : { type: 'native.call', effect, call: act.call },
      );
      return;
    }
    case 'rut':
      for (let turn = 0; turn < 3; turn += 1) {
        if (run.turn()) run.answers('again', [{ id: 'x', name: 'write', input: {} }]);
        for (const { id } of run.tools())
          run.settle(id, { ok: false, error: { code: 'E_DISK', message: 'full' } });
      }
      return;
    case 'resume':
      run.resume();
      return;
    case 'say':
      run.say('more');
      return;
    case 'wait':
      run.wait(600);
      return;
    case 'raise':
      run.submit({ type: 'budget.raise', to: { turns: run.state().turns + 3, tokens: 10_000 }, by: 'ann' });
      return;
    case 'doubt': {
      const [effect] = run.openEffects();
      if (effect && !run.state().doubts.includes(effect.id)) run.doubt(effect.id);
    }
  }
}

function checkPromises(run: Run): void {
  const state = run.state();
  const events = run.events();
  const open = run.openEffects();
  expect(historyProblem(currentHistory(state))).toBeUndefined();
  expect(open.filter(({ kind }) => kind === 'model.turn').length).toBeLessThanOrEqual(1);
  // A status that claims work has work in flight; one that claims to wait names what for.
  const status = run.status();
  if (status.kind === 'asking' || status.kind === 'tools' || status.kind === 'stopping')
    expect(open.length).toBeGreaterThan(0);
  if (status.kind === 'waiting' && status.for === 'approval')
    expect(status.approvals.length).toBeGreaterThan(0);
  const isMoving = state.mode === 'active' && !state.pause;
  if (isMoving) expect(open.length + pendingApprovals(state.approvals).length).toBeGreaterThan(0);
  expect(effectsAfterStop(events)).toEqual([]);
  expect(overBudget(events)).toEqual([]);
  expect(callsTwice(events)).toEqual([]);
}

/** Everything settles, everything is allowed: the run must come to rest, not hang. */
function finish(run: Run): void {
  for (
    let round = 0;
    round < 200 && (run.openEffects().length > 0 || run.openTimers().length > 0);
    round += 1
  ) {
    const [tool] = run.tools();
    if (tool) run.settle(tool.id, { ok: true, output: `of ${callOf(tool.input)}` });
    else if (run.turn()) run.answers('done');
    else run.wait(1_000);
  }
}

function checkEnd(run: Run): void {
  const state = run.state();
  expect(run.openEffects()).toEqual([]);
  expect(state.calls).toBeNull();
  expect(['idle', 'done', 'stopped', 'failed', 'waiting']).toContain(run.status().kind);
  // Each call has the outcome of its own effect, whatever order they came in.
  for (const message of state.history)
    if (message.role === 'tool' && message.text.startsWith('of '))
      expect(message.text).toBe(`of ${message.call}`);
}

/** Effects that are begun after a stop, before somebody says to go on. */
function effectsAfterStop(events: readonly Event[]): readonly Event[] {
  let isStopped = false;
  return events.filter((event) => {
    if (event.type === 'agent.stopping') isStopped = true;
    if (event.type === 'agent.resumed' || (event.type === 'agent.told' && event.data.by !== 'cuebook'))
      isStopped = false;
    return isStopped && event.type === 'effect.intended';
  });
}

/** Turns that were begun without room for them. */
function overBudget(events: readonly Event[]): readonly Event[] {
  let limit: { turns: number; tokens: number } = { turns: 0, tokens: 0 };
  let turns = 0;
  let tokens = 0;
  return events.filter((event) => {
    if (event.type === 'budget.opened' || event.type === 'budget.raised') limit = event.data.limit;
    if (event.type === 'budget.spent') tokens += event.data.tokens;
    if (event.type !== 'agent.asked') return false;
    turns += 1;
    return turns > limit.turns || tokens + EXPECTED.tokens > limit.tokens;
  });
}

/** Calls that were begun twice, or begun although they were refused or denied. */
function callsTwice(events: readonly Event[]): readonly string[] {
  const begun = events.flatMap((event) =>
    event.type === 'effect.intended' && event.data.kind === 'tool.call' ? [callOf(event.data.input)] : [],
  );
  const refused = new Set(
    events.flatMap((event) => {
      if (event.type === 'agent.judged') return event.data.calls.filter(isRefused).map(({ id }) => id);
      return event.type === 'native.called' && isRefused(event.data) ? [event.data.id] : [];
    }),
  );
  return begun.filter((call, index) => begun.indexOf(call) !== index || refused.has(call));
}

const isRefused = ({ plan }: { readonly plan: string }) => plan === 'refuse';

const callOf = (input: unknown): string => (input as { call?: string } | undefined)?.call ?? '';
