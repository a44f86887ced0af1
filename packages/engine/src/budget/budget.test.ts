import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { budgetView, checkBudget, holdBudget, raiseBudget, spendBudget } from './check.js';
import { type BudgetEvent, type BudgetLedger, EMPTY_LEDGER, projectLedger } from './ledger.js';
import { type BudgetLimit, DEFAULT_BUDGET, resolveLimit } from './limit.js';

const fold = (ledger: BudgetLedger, ...events: readonly BudgetEvent[]): BudgetLedger =>
  events.reduce(projectLedger, ledger);
const open = (scope: string, limit: Partial<BudgetLimit>, parent: string | null = null): BudgetEvent => ({
  type: 'budget.opened',
  data: { scope, parent, limit: { turns: 100, tokens: 1_000_000, usd: null, ...limit } },
});
const definedOf = (amounts: { readonly tokens?: number | undefined; readonly usd?: number | undefined }) => ({
  ...(amounts.tokens !== undefined && { tokens: amounts.tokens }),
  ...(amounts.usd !== undefined && { usd: amounts.usd }),
});
const NOTHING = { tokens: 0, usd: 0 };
const usage = (tokens: number, costUsd?: number) => ({
  inputTokens: tokens,
  outputTokens: 0,
  ...(costUsd === undefined ? {} : { costUsd }),
});

describe('the limits of a run', () => {
  it('are finite when nobody says anything', () => {
    expect(resolveLimit({}, { priced: true })).toEqual({ ok: true, value: DEFAULT_BUDGET });
    for (const value of Object.values(DEFAULT_BUDGET)) expect(Number.isFinite(value)).toBe(true);
  });

  it.each([
    ['infinity', { turns: Number.POSITIVE_INFINITY }],
    ['no number', { tokens: Number.NaN }],
    ['zero', { turns: 0 }],
    ['a negative number', { usd: -1 }],
  ])('a limit of %s is refused', (_title, given) => {
    expect(resolveLimit(given, { priced: true })).toMatchObject({ error: { code: 'E_BUDGET_LIMIT' } });
  });

  it('in money are refused for a model without a price', () => {
    expect(resolveLimit({ usd: 1 }, { priced: false })).toMatchObject({
      error: { code: 'E_BUDGET_UNPRICED' },
    });
  });

  it('leave money out for a model without a price when nobody set any', () => {
    expect(resolveLimit({}, { priced: false })).toMatchObject({ value: { ...DEFAULT_BUDGET, usd: null } });
  });
});

describe('a budget', () => {
  it.each([
    ['turns', { turns: 2 }, NOTHING],
    ['tokens', { tokens: 150 }, { tokens: 60, usd: 0 }],
    ['usd', { usd: 1 }, { tokens: 0, usd: 0.3 }],
  ] as const)('in %s is checked with what the call costs at least', (unit, limit, expected) => {
    let ledger = fold(EMPTY_LEDGER, open('run', limit));
    expect(checkBudget(ledger, 'run', expected).ok).toBe(true);
    ledger = fold(ledger, holdBudget('a', 'run', expected), spendBudget('a', usage(50, 0.4)));
    expect(checkBudget(ledger, 'run', expected).ok).toBe(true);
    ledger = fold(ledger, holdBudget('b', 'run', expected), spendBudget('b', usage(50, 0.4)));
    expect(checkBudget(ledger, 'run', expected)).toMatchObject({ error: { scope: 'run', unit } });
  });

  it('counts what is in flight as spent', () => {
    const ledger = fold(
      EMPTY_LEDGER,
      open('run', { turns: 2 }),
      ...['a', 'b'].map((id) => holdBudget(id, 'run', NOTHING)),
    );
    expect(checkBudget(ledger, 'run', NOTHING)).toMatchObject({
      error: { unit: 'turns', spent: 0, held: 2 },
    });
  });

  it('of a run bounds every node within it', () => {
    const ledger = fold(
      EMPTY_LEDGER,
      open('run', { turns: 3 }),
      open('a', { turns: 2 }, 'run'),
      open('b', { turns: 2 }, 'run'),
      ...['1', '2'].flatMap((id) => [holdBudget(id, 'a', NOTHING), spendBudget(id, usage(1))]),
      ...['3'].flatMap((id) => [holdBudget(id, 'b', NOTHING), spendBudget(id, usage(1))]),
    );
    expect(checkBudget(ledger, 'a', NOTHING)).toMatchObject({ error: { scope: 'a' } });
    expect(checkBudget(ledger, 'b', NOTHING)).toMatchObject({ error: { scope: 'run' } });
    expect(budgetView(ledger, 'b')).toMatchObject({ spent: { turns: 1 }, left: { turns: 0 } });
  });

  it('that nobody opened has no room', () => {
    expect(checkBudget(EMPTY_LEDGER, 'run', NOTHING).ok).toBe(false);
    expect(checkBudget(EMPTY_LEDGER, '__proto__', NOTHING).ok).toBe(false);
  });

  it('in money stops at a turn that nobody can price, until somebody sets it again', () => {
    let ledger = fold(
      EMPTY_LEDGER,
      open('run', { usd: 5 }),
      holdBudget('a', 'run', NOTHING),
      spendBudget('a', usage(9)),
    );
    expect(checkBudget(ledger, 'run', NOTHING)).toMatchObject({ error: { unit: 'usd', unpriced: true } });
    const raised = raiseBudget(ledger, { scope: 'run', to: { usd: 6 }, by: 'ann' });
    if (raised.ok) ledger = fold(ledger, raised.value);
    expect(checkBudget(ledger, 'run', NOTHING).ok).toBe(true);
  });

  it('pays a hold once', () => {
    const ledger = fold(
      EMPTY_LEDGER,
      open('run', {}),
      holdBudget('a', 'run', NOTHING),
      spendBudget('a', usage(5)),
      spendBudget('a', usage(5)),
    );
    expect(budgetView(ledger, 'run')?.spent).toEqual({ turns: 1, tokens: 5, usd: 0 });
  });

  it.each([
    ['less than nothing', { inputTokens: -1_000, outputTokens: -5, costUsd: -3 }],
    ['no number', { inputTokens: Number.NaN, outputTokens: Number.NaN, costUsd: Number.NaN }],
  ])('is not paid back by a report of %s', (_title, hostile) => {
    const ledger = fold(
      EMPTY_LEDGER,
      open('run', {}),
      holdBudget('a', 'run', NOTHING),
      spendBudget('a', hostile),
    );
    expect(budgetView(ledger, 'run')?.spent).toEqual({ turns: 1, tokens: 0, usd: 0 });
  });

  it.each([
    ['nothing named', {}],
    ['lower than it is', { turns: 5 }],
    ['one higher, one not', { turns: 200, tokens: 5 }],
  ])('is not raised by %s', (_title, to) => {
    const ledger = fold(EMPTY_LEDGER, open('run', {}));
    expect(raiseBudget(ledger, { scope: 'run', to, by: 'ann' })).toMatchObject({
      error: { code: 'E_BUDGET_RAISE' },
    });
  });

  it('is never more than limits around the run leave, whatever is given or raised, and money without a price stays left out', () => {
    const amount = fc.option(fc.integer({ min: 1, max: 5_000_000 }), { nil: undefined });
    const pair = fc.record({ tokens: amount, usd: amount });
    fc.assert(
      fc.property(pair, pair, pair, fc.boolean(), (given, most, later, priced) => {
        const asked = { ...(priced ? given : { tokens: given.tokens }), most: definedOf(most) };
        const limit = resolveLimit(asked, { priced });
        if (!limit.ok) throw new Error(limit.error.code);
        expect(limit.value.tokens).toBe(Math.min(given.tokens ?? 2_000_000, most.tokens ?? Infinity));
        expect(limit.value.usd).toBe(priced ? Math.min(given.usd ?? 10, most.usd ?? Infinity) : null);
        const ledger = fold(EMPTY_LEDGER, open('run', limit.value));
        const raised = raiseBudget(ledger, { scope: 'run', to: { most: definedOf(later) }, by: 'cuebook' });
        if (!raised.ok) throw new Error(raised.error.code);
        const after = budgetView(fold(ledger, raised.value), 'run')?.limit;
        expect(after?.tokens).toBe(Math.min(limit.value.tokens, later.tokens ?? Infinity));
        expect(after?.usd).toBe(priced ? Math.min(limit.value.usd ?? 0, later.usd ?? Infinity) : null);
      }),
      runs(300, 3_000),
    );
  });

  it('many small amounts of money do not drift', () => {
    const cents = Array.from({ length: 1_000 }, (_, index) => `${index}`);
    const ledger = fold(
      EMPTY_LEDGER,
      open('run', { turns: 10_000 }),
      ...cents.flatMap((id) => [holdBudget(id, 'run', NOTHING), spendBudget(id, usage(1, 0.001))]),
    );
    expect(budgetView(ledger, 'run')?.spent.usd).toBe(1);
  });
});

it('no call begins that a scope around it has no room for', () => {
  const someScope = fc.constantFrom('run', 'a', 'b', 'a1');
  const someCall = fc.record({
    scope: someScope,
    expected: fc.nat(40),
    real: fc.nat(80),
    isLate: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(someCall, { maxLength: 60 }), (calls) => {
      const limits: Record<string, number> = { run: 600, a: 300, b: 300, a1: 100 };
      const parents: Record<string, string | null> = { run: null, a: 'run', b: 'run', a1: 'a' };
      let ledger = fold(
        EMPTY_LEDGER,
        ...Object.keys(limits).map((name) =>
          open(name, { tokens: limits[name] ?? 0 }, parents[name] ?? null),
        ),
      );
      const spent: Record<string, number> = { run: 0, a: 0, b: 0, a1: 0 };
      const around = (name: string): string[] => [name, ...(parents[name] ? around(parents[name]) : [])];
      const late: { id: string; scope: string; real: number }[] = [];
      const pay = ({ id, scope, real }: { id: string; scope: string; real: number }) => {
        ledger = fold(ledger, spendBudget(id, usage(real)));
        for (const name of around(scope)) spent[name] = (spent[name] ?? 0) + real;
      };
      calls.forEach(({ scope, expected, real, isLate }, index) => {
        if (!checkBudget(ledger, scope, { tokens: expected, usd: 0 }).ok) return;
        for (const name of around(scope))
          expect((spent[name] ?? 0) + expected).toBeLessThanOrEqual(limits[name] ?? 0);
        ledger = fold(ledger, holdBudget(`${index}`, scope, { tokens: expected, usd: 0 }));
        const turn = { id: `${index}`, scope, real };
        isLate ? late.push(turn) : pay(turn);
        if (late.length > 3) for (const one of late.splice(0)) pay(one);
      });
      for (const one of late) pay(one);
      for (const name of Object.keys(limits))
        expect(budgetView(ledger, name)?.spent.tokens).toBe(spent[name]);
    }),
    runs(200, 20_000),
  );
});
