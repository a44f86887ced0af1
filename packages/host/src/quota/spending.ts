import { type Budget, type BudgetLimit, EMPTY_BUDGET, projectBudget } from '@cuebook/engine';
import type { RunId, Store, StoredEvent } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import { NOTHING, plus, type QuotaAmount } from './account.js';

/** What a run may spend, and has spent, by its log. */
export interface Spending {
  /** Undefined: the log opens no budget for the whole run. */
  readonly limit: BudgetLimit | undefined;
  readonly spent: QuotaAmount;
  /** The same of its newest budget alone: of a life, that of its last day. */
  readonly newest: QuotaAmount;
}

export async function readSpending(store: Pick<Store, 'read'>, run: RunId): Promise<Spending> {
  let ledger: Budget = EMPTY_BUDGET;
  for (let after = 0; ; ) {
    const events = await store.read(run, { after });
    for (const event of events) ledger = projectBudget(ledger, opening(event));
    const next = events.at(-1)?.seq;
    if (next === undefined) break;
    after = next;
  }
  const whole = Object.values(ledger.scopes).filter(({ parent }) => parent === null);
  return {
    limit: whole.at(-1)?.limit,
    newest: whole.at(-1)?.spent ?? NOTHING,
    spent: whole.reduce<QuotaAmount>((sum, { spent }) => plus(sum, spent), NOTHING),
  };
}

/** A life opens a budget of its own with each day. */
function opening(event: StoredEvent): StoredEvent {
  if (event.type !== 'budget.day') return event;
  const { day, limit } = event.data as { readonly day: string; readonly limit: JsonValue };
  return { ...event, type: 'budget.opened', data: { scope: day, parent: null, limit } };
}

/** What is left of a budget; undefined where nobody knows the budget. Money without a price is not counted. */
export const restOf = ({ limit, spent }: Pick<Spending, 'limit' | 'spent'>): QuotaAmount | undefined =>
  limit && {
    tokens: Math.max(0, limit.tokens - spent.tokens),
    usd: limit.usd === null ? 0 : Math.max(0, Math.round((limit.usd - spent.usd) * 1e9) / 1e9),
  };
