import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { ApprovalEvent } from '../approval/approval.js';
import type { EngineEvent } from '../machine.js';
import { areSettled, type Calls, openCalls, projectCalls } from './calls.js';
import { nextCalls, stopCalls } from './next-calls.js';
import type { PlannedCall } from './plan.js';

const planned = (id: string, given: Partial<PlannedCall> = {}): PlannedCall => ({
  id,
  given: id,
  name: 'tool',
  input: { id },
  parallel: false,
  onCrash: 'ask-person',
  plan: 'run',
  ...given,
});

let ids = 0;
const context = {
  now: 0,
  newId: (prefix: string) => {
    ids += 1;
    return `${prefix}_${ids}`;
  },
};

type Event = EngineEvent | ApprovalEvent | ReturnType<typeof stopCalls>[number];
const fold = (calls: Calls, events: readonly Event[]): Calls =>
  events.reduce((sum, event) => projectCalls(sum, event, 1_000), calls);
const step = (calls: Calls, maxParallel = 8) => nextCalls(calls, { lane: 'agent', maxParallel }, context);
const settled = (id: string, output: string): EngineEvent => ({
  type: 'effect.settled',
  data: { id, outcome: { ok: true, output }, by: 'driver' },
});
const running = (calls: Calls) => calls.filter((call) => call.phase === 'running');
const textOf = (calls: Calls) => calls.map((call) => call.result?.text);

const somePlans = fc.array(fc.record({ parallel: fc.boolean(), refuse: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

describe('the calls of an answer', () => {
  it('results stand in call order, whatever order the calls settle in', () => {
    fc.assert(
      fc.property(
        somePlans,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 4 }),
        (plans, luck, limit) => {
          let calls = openCalls(plans.map(toPlan));
          let most = 0;
          for (let turn = 0; turn < 100 && !areSettled(calls); turn += 1) {
            calls = fold(calls, step(calls, limit));
            const live = running(calls);
            most = Math.max(most, live.length);
            expect(live.length).toBeGreaterThan(0);
            expect(live.length).toBeLessThanOrEqual(limit);
            // One that must be alone is alone, and nothing before it is open.
            const alone = live.find((call) => !call.parallel);
            if (alone) {
              expect(live).toEqual([alone]);
              expect(calls.find((call) => call.phase !== 'settled')).toBe(alone);
            }
            const lanes = live.map((call) => call.effect);
            expect(new Set(lanes).size).toBe(live.length);
            const next = live[luck.next().value % live.length];
            calls = fold(calls, [settled(next?.effect ?? '', `result of ${next?.id}`)]);
          }
          expect(textOf(calls)).toEqual(
            plans.map((plan, index) => (plan.refuse ? 'refused' : `result of ${index}`)),
          );
          if (plans.every((plan) => plan.parallel && !plan.refuse))
            expect(most).toBe(Math.min(limit, plans.length));
        },
      ),
      runs(200, 20_000),
    );
  });

  it('no more than the limit run at once', () => {
    const calls = openCalls(['a', 'b', 'c', 'd'].map((id) => planned(id, { parallel: true })));
    expect(step(calls, 3)).toHaveLength(3);
    expect(step(fold(calls, step(calls, 3)), 3)).toEqual([]);
  });

  it('parallel calls have lanes of their own, calls in order share one', () => {
    const parallel = openCalls([planned('a', { parallel: true }), planned('b', { parallel: true })]);
    expect(lanesOf(step(parallel))).toEqual(['agent/a', 'agent/b']);
    const inOrder = openCalls([planned('a'), planned('b')]);
    const first = step(inOrder);
    expect(lanesOf(first)).toEqual(['agent/calls']);
    expect(step(fold(inOrder, first))).toEqual([]);
  });

  it('a call in order waits for the parallel ones before it', () => {
    let calls = openCalls([planned('a', { parallel: true }), planned('b')]);
    calls = fold(calls, step(calls));
    expect(running(calls).map((call) => call.id)).toEqual(['a']);
    expect(step(calls)).toEqual([]);
  });

  it('the calls behind one in order wait for it', () => {
    const calls = openCalls([planned('a'), planned('b', { parallel: true })]);
    expect(lanesOf(step(calls))).toEqual(['agent/calls']);
  });

  it('a second outcome changes nothing', () => {
    let calls = openCalls([planned('a')]);
    calls = fold(calls, step(calls));
    const effect = calls[0]?.effect ?? '';
    calls = fold(calls, [settled(effect, 'first'), settled(effect, 'second')]);
    expect(textOf(calls)).toEqual(['first']);
  });

  it('a stop answers what has not begun at once, and what is running with its outcome', () => {
    let calls = openCalls([planned('a'), planned('b'), planned('c', { plan: 'ask' })]);
    calls = fold(calls, step(calls));
    calls = fold(calls, step(calls));
    calls = fold(calls, stopCalls(calls, 'the run was stopped', false));
    expect(calls.map((call) => call.result?.status)).toEqual([undefined, 'stopped', 'stopped']);
    calls = fold(calls, [settled(calls[0]?.effect ?? '', 'it ran')]);
    expect(textOf(calls)[0]).toBe('it ran');
  });

  it('a stop by force says that nobody knows, and a late outcome does not change it', () => {
    let calls = openCalls([planned('a')]);
    calls = fold(calls, step(calls));
    calls = fold(calls, stopCalls(calls, 'the run was stopped', true));
    calls = fold(calls, [settled(calls[0]?.effect ?? '', 'it ran')]);
    expect(calls[0]?.result).toMatchObject({ status: 'unknown', code: 'E_TOOL_OUTCOME_UNKNOWN' });
  });

  it('a denied call does not drop the later ones', () => {
    let calls = openCalls([planned('a', { plan: 'ask' }), planned('b')]);
    calls = fold(calls, step(calls));
    expect(calls.map((call) => call.phase)).toEqual(['asked', 'due']);
    const denied = {
      id: calls[0]?.approval ?? '',
      decision: 'deny',
      by: 'ann',
      at: 0,
      message: 'not now',
    } as const;
    calls = fold(calls, [{ type: 'approval.resolved', data: denied }]);
    expect(calls[0]?.result).toMatchObject({ status: 'denied', code: 'E_APPROVAL_DENIED' });
    expect(calls[0]?.result?.text).toContain('not now');
    calls = fold(calls, step(calls));
    expect(running(calls).map((call) => call.id)).toEqual(['b']);
  });

  it('a changed call runs with what it was changed to, and keeps what it was', () => {
    let calls = openCalls([planned('a', { plan: 'ask', input: { amount: 5_000 } })]);
    calls = fold(calls, step(calls));
    const changed = {
      id: calls[0]?.approval ?? '',
      decision: 'change',
      by: 'ann',
      at: 0,
      input: { amount: 5 },
    } as const;
    calls = fold(calls, [{ type: 'approval.resolved', data: changed }]);
    const [begun] = step(calls);
    expect(begun).toMatchObject({ data: { input: { input: { amount: 5 }, approval: changed.id } } });
    expect(calls[0]?.input).toEqual({ amount: 5_000 });
  });
});

const toPlan = (plan: { parallel: boolean; refuse: boolean }, index: number): PlannedCall =>
  planned(`${index}`, {
    parallel: plan.parallel,
    ...(plan.refuse
      ? { plan: 'refuse', result: { status: 'refused', code: 'E_TOOL_INPUT', text: 'refused' } }
      : {}),
  });

const lanesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'effect.intended' ? [event.data.lane] : []));
