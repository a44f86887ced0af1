import { fail, ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { EngineEvent } from '../machine.js';
import {
  type ApprovalEvent,
  type Approvals,
  expiryTimer,
  findResolution,
  NO_APPROVALS,
  pendingApprovals,
  projectApprovals,
  requestApproval,
} from './approval.js';
import { findAsked, tellAnswer } from './claim.js';
import { listApprovals } from './listing.js';
import { type ApprovalResolve, expireApproval, resolveApproval, withdrawApprovals } from './resolve.js';

const request = (id: string, lastsMs?: number) =>
  requestApproval(
    { id, about: `call of ${id}`, tool: 'pay', input: { amount: 5_000 }, ...(lastsMs ? { lastsMs } : {}) },
    1_000,
  );
const fold = (state: Approvals, events: readonly (ApprovalEvent | EngineEvent)[]): Approvals =>
  events.reduce(projectApprovals, state);
const asked = fold(NO_APPROVALS, [...request('apr_1', 500), ...request('apr_2')]);

const answer = (
  decision: ApprovalResolve['decision'],
  given: Partial<ApprovalResolve> = {},
): ApprovalResolve => ({
  type: 'approval.resolve',
  approval: 'apr_1',
  decision,
  by: 'ann',
  ...given,
});
const resolve = (state: Approvals, command: ApprovalResolve) =>
  resolveApproval(state, command, {
    now: 2_000,
    check: (_approval, input) => (input === null ? fail('amount: a number is missing') : ok(input)),
  });
const after = (state: Approvals, command: ApprovalResolve): Approvals => {
  const resolved = resolve(state, command);
  if (!resolved.ok) throw new Error(resolved.error.code);
  return fold(state, resolved.value);
};

describe('an approval', () => {
  it('is asked with its timer, and without one where it does not expire', () => {
    expect(request('apr_1', 500)).toEqual([
      expect.objectContaining({ type: 'approval.requested' }),
      { type: 'timer.set', data: { id: expiryTimer('apr_1'), at: 1_500 } },
    ]);
    expect(request('apr_2')).toHaveLength(1);
  });

  it.each([
    ['allow', {}, {}],
    ['deny', { message: 'too much' }, { message: 'too much' }],
    ['change', { input: { amount: 5 } }, { input: { amount: 5 } }],
  ] as const)('%s is recorded with who decided, and the timer goes', (decision, given, recorded) => {
    const resolved = resolve(asked, answer(decision, given));
    expect(resolved).toEqual(
      ok([
        { type: 'approval.resolved', data: { id: 'apr_1', decision, by: 'ann', at: 2_000, ...recorded } },
        { type: 'timer.cleared', data: { id: expiryTimer('apr_1') } },
      ]),
    );
  });

  it('that nobody asked for is unknown', () => {
    for (const approval of ['apr_9', '__proto__', 'constructor', ''])
      expect(resolve(asked, answer('allow', { approval }))).toMatchObject({
        error: { code: 'E_APPROVAL_UNKNOWN' },
      });
  });

  it('that was answered before is another error, which says how', () => {
    const resolved = resolve(after(asked, answer('deny')), answer('allow', { by: 'bob' }));
    expect(resolved).toMatchObject({ error: { code: 'E_APPROVAL_RESOLVED' } });
    expect(resolved).toMatchObject({ error: { message: expect.stringContaining('deny, by ann') } });
  });

  it('answered by the same command again is no error and no event', () => {
    const command = answer('allow', { id: 'cmd_1' });
    expect(resolve(after(asked, command), command)).toEqual(ok([]));
    expect(resolve(after(asked, command), { ...command, id: 'cmd_2' })).toMatchObject({
      error: { code: 'E_APPROVAL_RESOLVED' },
    });
  });

  it('a changed input is checked again', () => {
    expect(resolve(asked, answer('change'))).toMatchObject({ error: { code: 'E_APPROVAL_INPUT' } });
  });

  it('a changed input stands beside the original', () => {
    const state = after(asked, answer('change', { input: { amount: 5 } }));
    expect(findResolution(state, 'apr_1')?.input).toEqual({ amount: 5 });
    expect(state.asked.apr_1?.input).toEqual({ amount: 5_000 });
  });

  it('expires by its timer, once', () => {
    const expired = expireApproval(asked, expiryTimer('apr_1'), 1_500);
    expect(expired).toMatchObject([{ data: { id: 'apr_1', decision: 'expire', by: 'cuebook' } }]);
    expect(expireApproval(fold(asked, expired), expiryTimer('apr_1'), 1_600)).toEqual([]);
    expect(expireApproval(asked, 'another', 1_500)).toEqual([]);
  });

  it('allowed for the rest of the run grants its tool', () => {
    expect(after(asked, answer('allow')).granted).toEqual([]);
    expect(after(asked, answer('allow', { grant: true })).granted).toEqual(['pay']);
  });

  it('is withdrawn when nobody waits for it', () => {
    expect(pendingApprovals(fold(asked, withdrawApprovals(pendingApprovals(asked), 2_000)))).toEqual([]);
  });
});

describe('the list over all runs', () => {
  const place = { run: 'run_1', lane: 'planner' };

  it('gets a row when something is asked, and loses it with the answer', () => {
    const [requested] = request('apr_1');
    const row = { run: 'run_1', lane: 'planner', id: 'apr_1', tool: 'pay', about: 'call of apr_1' };
    expect(listApprovals(place, requested as ApprovalEvent)).toEqual([
      { name: 'approvals', key: 'run_1/apr_1', value: expect.objectContaining(row) },
    ]);
    const [resolved] = withdrawApprovals(pendingApprovals(asked), 0);
    expect(listApprovals(place, resolved as ApprovalEvent)).toEqual([
      { name: 'approvals', key: 'run_1/apr_1', value: null },
    ]);
  });

  it('shows exactly what is pending, after any order of events', () => {
    const someId = fc.constantFrom('apr_1', 'apr_2', 'apr_3', 'apr_4');
    const someAct = fc.constantFrom('ask', 'allow', 'deny', 'change', 'expire', 'withdraw');
    fc.assert(
      fc.property(fc.array(fc.tuple(someId, someAct), { maxLength: 30 }), (acts) => {
        let state = NO_APPROVALS;
        const list = new Map<string, unknown>();
        for (const [id, act] of acts) {
          const events = eventsOf(state, id, act);
          state = fold(state, events);
          for (const event of events)
            for (const { key, value } of listApprovals(place, event as ApprovalEvent))
              value === null ? list.delete(key) : list.set(key, value);
        }
        expect([...list.keys()].sort()).toEqual(
          pendingApprovals(state)
            .map(({ id }) => `run_1/${id}`)
            .sort(),
        );
      }),
      runs(200, 20_000),
    );
  });
});

function eventsOf(state: Approvals, id: string, act: string): readonly (ApprovalEvent | EngineEvent)[] {
  if (act === 'ask') return state.asked[id] ? [] : request(id, 500);
  if (act === 'expire') return expireApproval(state, expiryTimer(id), 3_000);
  if (act === 'withdraw') return withdrawApprovals(pendingApprovals(state), 3_000);
  const resolved = resolve(state, answer(act as 'allow', { approval: id, input: {} }));
  return resolved.ok ? resolved.value : [];
}

describe('what an agent asks in mid-turn', () => {
  const asking = (by: string, anew = false) => ({
    ...{ tool: 'Bash', input: { b: 2, a: [1] }, by, anew, retells: false },
    isOfTurn: () => true,
  });
  const ask = (state: Approvals, id: string, by: string) =>
    fold(state, requestApproval({ id, about: 'x', tool: 'Bash', input: { a: [1], b: 2 }, by }, 0));

  it('asked in the same words twice is two approvals in one try', () => {
    const state = ask(NO_APPROVALS, 'apr_1', 't/1');
    expect(findAsked(state, asking('t/1'))).toBeUndefined();
    expect(findAsked(state, asking('t/2'))).toMatchObject({ kind: 'waits', approval: 'apr_1' });
    const claimed = fold(state, [{ type: 'approval.claimed', data: { id: 'apr_1', by: 't/2' } }]);
    expect(findAsked(claimed, asking('t/2'))).toBeUndefined();
    expect(findAsked(claimed, { ...asking('t/3'), input: { a: [1] } })).toBeUndefined();
  });

  it('that an earlier try was given is not asked for again by one that begins anew', () => {
    const state = fold(ask(NO_APPROVALS, 'apr_1', 't/1'), [
      { type: 'approval.resolved', data: { id: 'apr_1', decision: 'allow', by: 'ann', at: 1 } },
      { type: 'approval.told', data: { id: 'apr_1' } },
    ]);
    expect(findAsked(state, asking('t/2', true))).toMatchObject({ kind: 'answered' });
    // A session that knows what was done means it once more.
    expect(findAsked(state, asking('t/2', false))).toBeUndefined();
  });

  it('is given to the try that waits for it, and to no other', () => {
    const open = ask(NO_APPROVALS, 'apr_1', 't/1');
    expect(tellAnswer(open, { approval: 'apr_1', by: 't/1' }).ok).toBe(false);
    const data = { id: 'apr_1', decision: 'deny', by: 'ann', at: 1 } as const;
    const state = fold(open, [{ type: 'approval.resolved', data }]);
    expect(tellAnswer(state, { approval: 'apr_1', by: 't/2' }).ok).toBe(false);
    expect(tellAnswer(state, { approval: 'apr_1', by: 't/1' }).ok).toBe(true);
  });
});
