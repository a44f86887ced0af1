import type { BudgetLimit } from './limit.js';

/** What was spent in this run. Usage is counted as each turn reports it, so a resumed session starts at nothing. */
export type Spent = {
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  /** Turns whose price nobody knew. */
  readonly unpriced: number;
};

/** A part of a run with its own limit, inside another or at the top: a node within its run. */
export type BudgetScope = {
  readonly parent: string | null;
  readonly limit: BudgetLimit;
  readonly spent: Spent;
};

/** What a turn in flight will cost at least; it counts as spent until the truth is known. */
export type BudgetHold = { readonly scope: string; readonly tokens: number; readonly usd: number };

export type BudgetLedger = {
  readonly scopes: { readonly [scope: string]: BudgetScope };
  readonly holds: { readonly [hold: string]: BudgetHold };
};

export const EMPTY_LEDGER: BudgetLedger = { scopes: {}, holds: {} };

export type BudgetEvent =
  | {
      readonly type: 'budget.opened';
      readonly data: { readonly scope: string; readonly parent: string | null; readonly limit: BudgetLimit };
    }
  | { readonly type: 'budget.held'; readonly data: BudgetHold & { readonly hold: string } }
  | {
      readonly type: 'budget.spent';
      /** `usd` is `null` when nobody knows the price. */
      readonly data: { readonly hold: string; readonly tokens: number; readonly usd: number | null };
    }
  | {
      readonly type: 'budget.raised';
      readonly data: {
        readonly scope: string;
        /** What it was until now. */
        readonly before?: BudgetLimit;
        readonly limit: BudgetLimit;
        readonly by: string;
      };
    };

export function projectLedger(ledger: BudgetLedger, event: { readonly type: string }): BudgetLedger {
  if (!isBudgetEvent(event)) return ledger;
  switch (event.type) {
    case 'budget.opened': {
      const { scope, parent, limit } = event.data;
      return withScope(ledger, scope, { parent, limit, spent: NOTHING });
    }
    case 'budget.held': {
      const { hold, ...held } = event.data;
      return { ...ledger, holds: { ...ledger.holds, [hold]: held } };
    }
    case 'budget.spent':
      return spend(ledger, event.data);
    case 'budget.raised': {
      const { scope: name, limit } = event.data;
      const scope = findScope(ledger, name);
      if (!scope) return ledger;
      // Who sets a new limit in money knows of the turns that had no price.
      const unpriced = limit.usd === scope.limit.usd ? scope.spent.unpriced : 0;
      return withScope(ledger, name, { ...scope, limit, spent: { ...scope.spent, unpriced } });
    }
  }
}

export const findScope = (ledger: BudgetLedger, scope: string): BudgetScope | undefined =>
  Object.hasOwn(ledger.scopes, scope) ? ledger.scopes[scope] : undefined;

/** A scope and those it stands in, inner first. A loop of parents ends where it closes. */
export function scopesAround(ledger: BudgetLedger, scope: string): readonly string[] {
  const path: string[] = [];
  let current: string | null = scope;
  while (current !== null && !path.includes(current)) {
    const found: BudgetScope | undefined = findScope(ledger, current);
    if (!found) break;
    path.push(current);
    current = found.parent;
  }
  return path;
}

const NOTHING: Spent = { turns: 0, tokens: 0, usd: 0, unpriced: 0 };

/** A hold is paid once: the second time there is nothing held under its name. */
function spend(
  ledger: BudgetLedger,
  data: Extract<BudgetEvent, { type: 'budget.spent' }>['data'],
): BudgetLedger {
  const hold = Object.hasOwn(ledger.holds, data.hold) ? ledger.holds[data.hold] : undefined;
  if (!hold) return ledger;
  const { [data.hold]: _paid, ...holds } = ledger.holds;
  return scopesAround(ledger, hold.scope).reduce(
    (sum, name) => {
      const scope = findScope(sum, name);
      return scope ? withScope(sum, name, { ...scope, spent: add(scope.spent, data) }) : sum;
    },
    { ...ledger, holds },
  );
}

const add = (
  spent: Spent,
  { tokens, usd }: { readonly tokens: number; readonly usd: number | null },
): Spent => ({
  turns: spent.turns + 1,
  tokens: Math.min(spent.tokens + tokens, Number.MAX_SAFE_INTEGER),
  usd: addMoney(spent.usd, usd ?? 0),
  unpriced: spent.unpriced + (usd === null ? 1 : 0),
});

/** Sums to a billionth of a dollar, so that many small amounts do not drift. */
export const addMoney = (a: number, b: number): number =>
  Math.min(Math.round((a + b) * 1e9) / 1e9, Number.MAX_SAFE_INTEGER);

const withScope = (ledger: BudgetLedger, name: string, scope: BudgetScope): BudgetLedger => ({
  ...ledger,
  scopes: { ...ledger.scopes, [name]: scope },
});

const isBudgetEvent = (event: { readonly type: string }): event is BudgetEvent =>
  ['budget.opened', 'budget.held', 'budget.spent', 'budget.raised'].includes(event.type);
