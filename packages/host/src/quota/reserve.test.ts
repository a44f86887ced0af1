import type { StoredEvent } from '@cuebook/journal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { NO_QUOTAS, projectQuotas, QUOTA_FOLD, type QuotaState, usedOf } from './account.js';
import { describeReached, limitText } from './describe.js';
import { dayOf, endOf, limitsProblem, QUOTA_LIMITS, readSubject } from './limits.js';
import { decideReserve, limitsFor, type ReservationAsk, settledEvent } from './reserve.js';

const HOUR = 60 * 60_000;
const START = Date.UTC(2026, 10, 29, 20);
const PEOPLE = ['ada', 'bo', 'cy'] as const;
const RUNS = Array.from({ length: 8 }, (_, at) => `run_${at}`);

const amounts = fc.record({
  tokens: fc.nat({ max: 60 }),
  usd: fc.nat({ max: 600 }).map((cents) => cents / 100),
});
const limits = fc.record(
  {
    usdPerDay: fc.nat({ max: 10 }),
    usdPerMonth: fc.nat({ max: 20 }),
    tokensPerDay: fc.nat({ max: 100 }),
    tokensPerMonth: fc.nat({ max: 200 }),
    runsPerDay: fc.nat({ max: 5 }),
    runsAtOnce: fc.nat({ max: 4 }),
  },
  { requiredKeys: [] },
);
const step = fc.record({
  act: fc.constantFrom('begin', 'begin', 'more', 'settle', 'release'),
  run: fc.constantFrom(...RUNS),
  person: fc.constantFrom(...PEOPLE),
  asked: fc.option(amounts, { nil: undefined }),
  rest: amounts,
  /** What part of a reservation was spent. */
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  hours: fc.nat({ max: 9 }),
});

const apply = (state: QuotaState, events: readonly object[]): QuotaState =>
  events.reduce<QuotaState>((next, event) => projectQuotas(next, event as StoredEvent), state);

describe('reservations', () => {
  it('whoever reserves after a look at a run that is old by then has nothing counted twice', () => {
    const look = fc.record({
      act: fc.constantFrom('look', 'reserve', 'spend', 'settle'),
      who: fc.nat({ max: 2 }),
      tokens: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 40 }), (steps) => {
        const [run, day] = ['run_1', dayOf(START)];
        let state = NO_QUOTAS;
        let total = 0;
        const seen = [0, 0, 0];
        for (const [at, { act, who, tokens }] of [
          ...steps.entries(),
          [steps.length, { act: 'settle', who: 0, tokens: 1 }] as const,
        ]) {
          const entry = state.open.get(run);
          if (act === 'look') seen[who] = total;
          if (act === 'spend' && entry !== undefined) total += tokens;
          if (act === 'settle' && entry !== undefined)
            state = apply(state, [settledEvent(run, { tokens: total - entry.base.tokens, usd: 0 })]);
          if (act !== 'reserve') continue;
          const spent = { tokens: seen[who] ?? 0, usd: 0 };
          const done = decideReserve(state, {
            ...{ id: `${at}`, run, person: 'ada', role: 'owner', day, at: START + at, seq: at },
            ...{ base: spent, spent, begins: false, asked: {}, rest: { tokens: 90, usd: 0 } },
          });
          if (done.ok) state = apply(state, done.value.events);
        }
        expect(usedOf(state, '', day).spent.tokens).toBe(total);
        expect(QUOTA_FOLD.read(JSON.parse(JSON.stringify(QUOTA_FOLD.write(state))))).toEqual(state);
      }),
      runs(300, 20_000),
    );
  });

  it('whatever is reserved, spent, raised and given back: no limit is ever passed, and nothing is left over', () => {
    fc.assert(
      fc.property(
        fc.record({ project: limits, role: limits, ada: limits }),
        fc.array(step, { maxLength: 40 }),
        (set, steps) => {
          let state = apply(
            NO_QUOTAS,
            Object.entries({ project: set.project, 'role:operator': set.role, 'person:ada': set.ada }).map(
              ([subject, given]) => ({ type: 'quota.set', data: { subject, limits: given, by: 'owner' } }),
            ),
          );
          let at = START;
          for (const { act, run, person: who, asked = {}, rest, part, hours } of steps) {
            at += hours * HOUR;
            const entry = state.open.get(run);
            const person = entry?.person ?? who;
            const used = { tokens: Math.floor((entry?.tokens ?? 0) * part), usd: (entry?.usd ?? 0) * part };
            if (act === 'settle') state = apply(state, [settledEvent(run, used)]);
            else if (act === 'release') {
              if (entry !== undefined) state = apply(state, [{ type: 'quota.released', data: { run } }]);
            } else {
              const decided = decideReserve(state, {
                ...{ run, person, role: 'operator', day: dayOf(at), at, seq: 0 },
                ...{ base: { tokens: 0, usd: 0 }, begins: act === 'begin', asked, rest, spent: used },
              });
              if (decided.ok) state = apply(state, decided.value.events);
              else {
                const { limit, max, spent, reserved } = decided.error;
                expect(spent + reserved, limit).toBeLessThanOrEqual(max + 1e-6);
                expect(describeReached(decided.error)).toContain(`--`);
              }
            }
            for (const each of PEOPLE)
              for (const use of limitsFor(state, { person: each, role: 'operator' }, dayOf(at)))
                expect(use.spent + use.reserved, JSON.stringify(use)).toBeLessThanOrEqual(use.max + 1e-6);
          }
          expect(QUOTA_FOLD.read(JSON.parse(JSON.stringify(QUOTA_FOLD.write(state))))).toEqual(state);
          for (const run of RUNS) state = apply(state, [settledEvent(run, { tokens: 0, usd: 0 })]);
          expect(usedOf(state, '', dayOf(at).slice(0, 7)).reserved).toEqual({ tokens: 0, usd: 0 });
        },
      ),
      runs(2_000, 20_000),
    );
  });

  it('what is asked for in so many words fits, or nothing is reserved', () => {
    const state = apply(NO_QUOTAS, [
      { type: 'quota.set', data: { subject: 'project', limits: { usdPerDay: 4 }, by: 'owner' } },
    ]);
    const ask = (usd: number | undefined, rest: number) =>
      decideReserve(state, {
        ...{
          run: 'run_a',
          person: 'ada',
          role: 'operator' as const,
          day: '2026-11-18',
          at: 1,
          seq: 0,
          begins: true,
        },
        ...{
          base: { tokens: 0, usd: 0 },
          asked: usd === undefined ? {} : { usd },
          rest: { tokens: 9, usd: rest },
        },
      });
    expect(ask(4.01, 0)).toMatchObject({ ok: false, error: { limit: 'usdPerDay', max: 4, asked: 4.01 } });
    expect(ask(4, 0)).toMatchObject({ ok: true, value: { answer: { usd: 4 } } });
    expect(ask(undefined, 10)).toMatchObject({ ok: true, value: { answer: { usd: 4 } } });
  });

  it('the same run reserves once, however often it is begun', () => {
    const asking: ReservationAsk = {
      ...{
        run: 'run_a',
        person: 'ada',
        role: 'operator' as const,
        day: '2026-11-18',
        at: 1,
        seq: 0,
        begins: true,
      },
      ...{ base: { tokens: 0, usd: 0 }, asked: {}, rest: { tokens: 5, usd: 1 } },
    };
    const state = apply(NO_QUOTAS, [
      { type: 'quota.set', data: { subject: 'project', limits: { runsAtOnce: 1, usdPerDay: 4 }, by: 'o' } },
    ]);
    const first = decideReserve(state, asking);
    if (!first.ok) throw new Error(first.error.limit);
    const again = decideReserve(apply(state, first.value.events), asking);
    expect(again).toEqual({ ok: true, value: { events: [], answer: first.value.answer } });
  });

  it.each([
    ['2026-12-31', 'day', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31', 'month', '2027-01-01T00:00:00.000Z'],
    ['2028-02-28', 'day', '2028-02-29T00:00:00.000Z'],
    ['2026-11-18', 'month', '2026-12-01T00:00:00.000Z'],
  ] as const)('%s: the %s is over at %s', (day, per, end) => {
    expect(new Date(endOf(day, per)).toISOString()).toBe(end);
  });

  it.each([
    ['runsPerDay', 1, '1 run a day'],
    ['runsPerDay', 0, '0 runs a day'],
    ['runsAtOnce', 1, '1 run at once'],
    ['tokensPerMonth', 1, '1 token a month'],
    ['tokensPerDay', 2, '2 tokens a day'],
    ['usdPerDay', 1, '1 USD a day'],
  ] as const)('%s of %i reads: %s', (limit, max, text) => {
    expect(limitText(limit, max)).toBe(text);
  });

  it('a subject is the project, a role or a person, and nothing else; limits are numbers that can bound', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const subject = readSubject(text);
        if (subject !== undefined) expect(subject).toBe(text);
      }),
      runs(300, 3_000),
    );
    for (const text of ['role:boss', 'person:', 'person:a b', 'Project', 'person:-x', 'role:owner\n'])
      expect(readSubject(text), text).toBeUndefined();
    for (const text of ['project', 'role:owner', 'person:ada', 'person:a@b.example'])
      expect(readSubject(text)).toBe(text);
    for (const name of QUOTA_LIMITS)
      for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY, 1e16])
        expect(limitsProblem({ [name]: value })).toContain(name);
    expect(limitsProblem({ runsPerDay: 1.5 })).toContain('fraction');
    expect(limitsProblem({})).toContain('at least one');
    expect(limitsProblem({ usdPerDay: 0.5, runsAtOnce: 0 })).toBeUndefined();
  });
});
