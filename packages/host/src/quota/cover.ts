import { findStanding } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import { minus, NOTHING, type QuotaAmount } from './account.js';
import type { Quotas } from './quotas.js';
import { readSpending, restOf, type Spending } from './spending.js';

export interface CoverPlace {
  readonly store: Pick<Store, 'read' | 'projection'>;
  readonly quotas: Pick<Quotas, 'read'>;
  /** Runs that are not over, beside those that the standings name. */
  readonly active: () => Promise<ReadonlySet<string>>;
  /** Whether the budget of a run is that of a day. */
  readonly isDaily: (run: RunId) => Promise<boolean>;
}

/** Statuses of a run that may spend. */
export const AT_WORK: ReadonlySet<string> = new Set(['running', 'waiting']);

export const isAtWork = async ({ store, active }: CoverPlace, run: RunId): Promise<boolean> =>
  AT_WORK.has((await findStanding(store, run))?.status ?? '') || (await active()).has(run);

/**
 * Whether a run that is at work has reserved all that it may still spend. A run and what is reserved for it lie in two
 * logs, so whoever changes one of them looks afterwards: the last one to change either sees both.
 */
export async function isCovered(place: CoverPlace, run: RunId): Promise<boolean> {
  const entry = (await place.quotas.read()).open.get(run);
  if (!(await isAtWork(place, run))) return true;
  if (entry === undefined) return false;
  const spending = await readSpending(place.store, run);
  const rest = restOfRun(spending, await place.isDaily(run));
  if (rest === undefined) return true;
  const left = minus(entry, minus(spending.spent, entry.base));
  return left.tokens >= rest.tokens && left.usd >= rest.usd;
}

/** What a run may still spend; undefined where nobody knows its budget. */
export function restOfRun({ limit, spent, newest }: Spending, isLife: boolean): QuotaAmount | undefined {
  const left = restOf({ limit, spent: isLife ? newest : spent });
  // What a life has spent up is the budget of a day that is over.
  return isLife && left?.tokens === 0 ? restOf({ limit, spent: NOTHING }) : left;
}
