import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Usage } from '@cuebook/provider';
import { addMoney, type BudgetEvent, type BudgetLedger, findScope, scopesAround } from './ledger.js';
import {
  atMost,
  type BudgetError,
  type BudgetLimit,
  badLimit,
  type GivenBudget,
  isLimit,
  UNITS,
  type Unit,
} from './limit.js';

/** What a call will cost at least, as far as it can be known before it. */
export interface Expected {
  readonly tokens: number;
  readonly usd: number;
}

/** Why there is no next call. `unpriced`: money is limited and a turn was not priced, so nobody can count. */
export type Exhausted = {
  readonly scope: string;
  readonly unit: Unit;
  readonly limit: number;
  readonly spent: number;
  /** What is held for calls in flight. */
  readonly held: number;
  readonly expected: number;
  readonly unpriced?: true;
};

/** Whether one more call fits into a scope and all scopes around it. A scope that nobody opened has no room. */
export function checkBudget(
  ledger: BudgetLedger,
  scope: string,
  expected: Expected,
): Result<null, Exhausted> {
  const around = scopesAround(ledger, scope);
  for (const name of guard('budget.unknown', around.length === 0) ? [scope] : around) {
    const found = findExhausted(ledger, name, expected);
    if (guard('budget.exhausted', found !== undefined) && found) return fail(found);
  }
  return ok(null);
}

/** Sets aside what a call will cost at least, one turn included, until `spendBudget` tells the truth. */
export const holdBudget = (hold: string, scope: string, expected: Expected): BudgetEvent => ({
  type: 'budget.held',
  data: { hold, scope, tokens: count(expected.tokens), usd: count(expected.usd) },
});

/** What the turn of a hold really used. A turn that reports nothing counts as a turn. */
export function spendBudget(hold: string, usage: Partial<Usage> | undefined): BudgetEvent {
  const tokens = count(usage?.inputTokens) + count(usage?.outputTokens);
  const usd = usage?.costUsd === undefined ? (tokens === 0 ? 0 : null) : count(usage.costUsd);
  return { type: 'budget.spent', data: { hold, tokens, usd } };
}

/** The same scope with higher limits, or with what limits around the run leave of it. */
export function raiseBudget(
  ledger: BudgetLedger,
  command: {
    readonly scope: string;
    readonly to: GivenBudget;
    readonly by: string;
  },
): Result<BudgetEvent, BudgetError> {
  const limit = findScope(ledger, command.scope)?.limit;
  if (!limit)
    return fail({ code: 'E_BUDGET_RAISE', message: 'There is no budget of that name in this run.' });
  const { most } = command.to;
  const given = UNITS.filter((unit) => command.to[unit] !== undefined);
  const bad = given.find((unit) => !isLimit(command.to[unit]));
  if (bad) return fail(badLimit(bad));
  const isHigher = (unit: Unit) => (command.to[unit] ?? 0) > (limit[unit] ?? 0);
  if (guard('budget.raise', (given.length === 0 && most === undefined) || !given.every(isHigher)))
    return fail({
      code: 'E_BUDGET_RAISE',
      message: 'Name at least one of turns, tokens and usd, each higher than it is now.',
    });
  const raised: BudgetLimit = {
    turns: command.to.turns ?? limit.turns,
    tokens: command.to.tokens ?? limit.tokens,
    usd: command.to.usd ?? limit.usd,
  };
  const data = { scope: command.scope, before: limit, limit: atMost(raised, most), by: command.by };
  return ok({ type: 'budget.raised', data });
}

/** Spent, held and left of a scope, for people. `left` is that of the tightest scope around it; `null`: no limit. */
export function budgetView(ledger: BudgetLedger, scope: string): BudgetCheck | undefined {
  const found = findScope(ledger, scope);
  if (!found) return undefined;
  const around = scopesAround(ledger, scope).map((name) => totals(ledger, name));
  const left = (unit: Unit): number | null => {
    const rest = around.flatMap(({ limit, used }) =>
      limit[unit] === null ? [] : [limit[unit] - used[unit]],
    );
    return rest.length === 0 ? null : Math.max(0, Math.min(...rest));
  };
  return {
    limit: found.limit,
    spent: { turns: found.spent.turns, tokens: found.spent.tokens, usd: found.spent.usd },
    left: { turns: left('turns') ?? 0, tokens: left('tokens') ?? 0, usd: left('usd') },
  };
}

export interface BudgetCheck {
  readonly limit: BudgetLimit;
  readonly spent: { readonly [unit in Unit]: number };
  readonly left: BudgetLimit;
}

function findExhausted(ledger: BudgetLedger, name: string, expected: Expected): Exhausted | undefined {
  const { limit, spent, held, used, unpriced } = totals(ledger, name);
  const next = { turns: 1, tokens: count(expected.tokens), usd: count(expected.usd) };
  const unit = UNITS.find((candidate) => {
    const max = limit[candidate];
    if (max === null) return false;
    return used[candidate] + next[candidate] > max || used[candidate] >= max;
  });
  const place = (which: Unit) => ({
    scope: name,
    unit: which,
    limit: limit[which] ?? 0,
    spent: spent[which],
    held: held[which],
    expected: next[which],
  });
  if (unit) return place(unit);
  return limit.usd !== null && unpriced > 0 ? { ...place('usd'), unpriced: true } : undefined;
}

interface Totals {
  readonly limit: BudgetLimit;
  readonly spent: { readonly [unit in Unit]: number };
  readonly held: { readonly [unit in Unit]: number };
  readonly used: { readonly [unit in Unit]: number };
  readonly unpriced: number;
}

function totals(ledger: BudgetLedger, name: string): Totals {
  const scope = findScope(ledger, name);
  const spent = scope?.spent ?? { turns: 0, tokens: 0, usd: 0, unpriced: 0 };
  const holds = Object.values(ledger.holds).filter((hold) => scopesAround(ledger, hold.scope).includes(name));
  const held = {
    turns: holds.length,
    tokens: holds.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: holds.reduce((sum, { usd }) => addMoney(sum, usd), 0),
  };
  const used = {
    turns: spent.turns + held.turns,
    tokens: spent.tokens + held.tokens,
    usd: addMoney(spent.usd, held.usd),
  };
  return { limit: scope?.limit ?? NO_ROOM, spent, held, used, unpriced: spent.unpriced };
}

const NO_ROOM: BudgetLimit = { turns: 0, tokens: 0, usd: 0 };

/** A count that somebody else reported: what is no number, or below nothing, is nothing. */
const count = (value: number | undefined): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
    ? Math.min(value, Number.MAX_SAFE_INTEGER)
    : 0;
