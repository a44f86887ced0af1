import type { BudgetView } from '@cuebook/api';
import type { TeamState } from '@cuebook/team';

/** What was spent in a scope; null where nobody opened it. */
export function budgetOf({ budget }: TeamState, scope: string): BudgetView | null {
  const found = Object.hasOwn(budget.scopes, scope) ? budget.scopes[scope] : undefined;
  if (found === undefined) return null;
  const { spent, limit } = found;
  return {
    turns: { spent: spent.turns, limit: limit.turns },
    tokens: { spent: spent.tokens, limit: limit.tokens },
    usd: { spent: spent.usd, limit: limit.usd },
  };
}
