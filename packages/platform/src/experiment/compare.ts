import type { Arm } from './cohort.js';
import { differenceInterval, type Interval, meanInterval, type OutcomeTally } from './interval.js';

/** One thing that came of one agent's use of a scenario: 0 to 1, 1 is best. The arm is the one that was published. */
export interface OutcomeMetric {
  readonly experiment: string;
  readonly arm: Arm;
  /** `liked`, `answered`, `taken-at-once`. */
  readonly metric: string;
  readonly value: number;
}

/** What was counted, by metric and arm. */
export type Tallies = Readonly<Record<string, Readonly<Record<Arm, OutcomeTally>>>>;

/** The counts of an experiment after more outcomes. What is not between 0 and 1 is not an outcome. */
export function tallyOutcomes(
  experiment: string,
  outcomes: Iterable<OutcomeMetric>,
  before: Tallies = {},
): Tallies {
  const after: Record<string, Readonly<Record<Arm, OutcomeTally>>> = { ...before };
  for (const { experiment: id, arm, metric, value } of outcomes) {
    if (id !== experiment || !(value >= 0 && value <= 1)) continue;
    const own = Object.hasOwn(after, metric) ? (after[metric] as Record<Arm, OutcomeTally>) : NOTHING;
    const { count, sum } = own[arm];
    after[metric] = { ...own, [arm]: { count: count + 1, sum: sum + value } };
  }
  return after;
}

/** How the arms of one metric compare. It may be looked at every day. */
export interface Comparison {
  readonly metric: string;
  readonly arms: Readonly<Record<Arm, ArmFacts>>;
  /** Candidate minus control. */
  readonly difference: Interval;
  /** `open`: both are possible still. */
  readonly verdict: 'better' | 'worse' | 'open';
}

export interface ArmFacts {
  readonly count: number;
  /** Null while nothing was counted. */
  readonly mean: number | null;
  readonly interval: Interval;
}

/**
 * Compares the arms. Over all looks at one metric together, a difference is told where there is none with a chance
 * of at most `alpha`. Outcomes are taken one after the other; each has the same mean whatever came before it.
 */
export function compareArms(
  metric: string,
  { control, candidate }: Readonly<Record<Arm, OutcomeTally>>,
  alpha = DEFAULT_ALPHA,
): Comparison {
  const difference = differenceInterval(control, candidate, alpha);
  const facts = (tally: OutcomeTally): ArmFacts => ({
    count: tally.count,
    mean: tally.count === 0 ? null : tally.sum / tally.count,
    interval: meanInterval(tally, alpha),
  });
  const verdict = difference.low > 0 ? 'better' : difference.high < 0 ? 'worse' : 'open';
  return { metric, arms: { control: facts(control), candidate: facts(candidate) }, difference, verdict };
}

export const DEFAULT_ALPHA = 0.05;
export const NOTHING: Readonly<Record<Arm, OutcomeTally>> = {
  control: { count: 0, sum: 0 },
  candidate: { count: 0, sum: 0 },
};
