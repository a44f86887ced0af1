import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';

/** What may be spent. Always finite: `usd` is `null` only where no price is known and nobody set a limit. */
export type BudgetLimit = {
  readonly turns: number;
  /** Input and output of the model together, cached input included. */
  readonly tokens: number;
  readonly usd: number | null;
};

export const UNITS = ['turns', 'tokens', 'usd'] as const;
export type Unit = (typeof UNITS)[number];

/** What a run may spend when nobody says otherwise: enough for an hour of work, and no night of it. */
export const DEFAULT_BUDGET = { turns: 50, tokens: 2_000_000, usd: 10 } as const satisfies BudgetLimit;

/** Amounts as somebody gives them. */
export type GivenBudget = { readonly [unit in Unit]?: number | undefined } & {
  /** What limits around the run leave: whatever is given else, the budget is no more than this. */
  readonly most?: { readonly tokens?: number; readonly usd?: number } | undefined;
};

export interface BudgetError {
  readonly code: 'E_BUDGET_LIMIT' | 'E_BUDGET_UNPRICED' | 'E_BUDGET_RAISE';
  readonly message: string;
}

/**
 * The limits of a run from what its owner gave. A limit in money needs a price: without one it is refused here,
 * before the first call; the default in money is left out then, and turns and tokens still bound the run.
 */
export function resolveLimit(
  given: GivenBudget,
  { priced }: { readonly priced: boolean },
): Result<BudgetLimit, BudgetError> {
  const bad = UNITS.find((unit) => given[unit] !== undefined && !isLimit(given[unit]));
  if (guard('budget.finite', bad !== undefined) && bad) return fail(badLimit(bad));
  if (guard('budget.unpriced', given.usd !== undefined && !priced))
    return fail({
      code: 'E_BUDGET_UNPRICED',
      message:
        'A budget in money needs a model with a known price. Add its price, or set the budget in turns and tokens.',
    });
  const limit = {
    turns: given.turns ?? DEFAULT_BUDGET.turns,
    tokens: given.tokens ?? DEFAULT_BUDGET.tokens,
    usd: given.usd ?? (priced ? DEFAULT_BUDGET.usd : null),
  };
  return ok(atMost(limit, given.most));
}

/** A limit that is no more than what there is. One in money stays left out where no price is known. */
export const atMost = (limit: BudgetLimit, most: GivenBudget['most']): BudgetLimit =>
  guard('budget.most', most !== undefined) && most
    ? {
        ...limit,
        tokens: Math.min(limit.tokens, most.tokens ?? limit.tokens),
        usd: limit.usd === null ? null : Math.min(limit.usd, most.usd ?? limit.usd),
      }
    : limit;

export const badLimit = (unit: Unit): BudgetError => ({
  code: 'E_BUDGET_LIMIT',
  message: `The budget in ${unit} is a finite number above 0.`,
});

/** A number that can bound something. */
export const isLimit = (value: number | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;
