import type { Interval } from '@cuebook/eval/statistics';
import type { Arm } from './cohort.js';
import { differenceInterval, meanInterval, type OutcomeTally, type Tuning, tuningFor } from './interval.js';

/** One thing that came of one agent's use of a scenario: 0 to 1, 1 is best. The arm is the one that was published. */
export interface OutcomeMetric {
  readonly experiment: string;
  readonly arm: Arm;
  /** `liked`, `answered`, `taken-at-once`. */
  readonly metric: string;
  readonly value: number;
  /** Whose it is. Left out: somebody who is counted nowhere else. */
  readonly agent?: string;
}

/** What was counted, by metric and arm. */
export type Tallies = Readonly<Record<string, Readonly<Record<Arm, OutcomeTally>>>>;

/** The counts of an experiment after more outcomes. What is not between 0 and 1 is not an outcome. */
export function tallyOutcomes(
  experiment: string,
  outcomes: Iterable<OutcomeMetric>,
  before: Tallies = {},
): Tallies {
  const after: Record<string, Record<Arm, GrowingTally>> = {};
  for (const { experiment: id, arm, metric, value, agent } of outcomes) {
    if (id !== experiment || !(value >= 0 && value <= 1)) continue;
    const known = Object.hasOwn(before, metric) ? before[metric] : undefined;
    const arms = Object.hasOwn(after, metric) ? after[metric] : undefined;
    const own = arms ?? { control: grow(known?.control), candidate: grow(known?.candidate) };
    after[metric] = own;
    const tally = own[arm];
    tally.count += 1;
    tally.sum += value;
    if (agent === undefined) continue;
    const [count, sum] = tally.by?.get(agent) ?? [0, 0];
    tally.by ??= new Map();
    tally.by.set(agent, [count + 1, sum + value]);
  }
  const settled = Object.entries(after).map(([metric, { control, candidate }]) => [
    metric,
    { control: settle(control), candidate: settle(candidate) },
  ]);
  return { ...before, ...Object.fromEntries(settled) };
}

/** A tally while a day is counted: copied once, not once for each outcome. */
interface GrowingTally {
  count: number;
  sum: number;
  by: Map<string, readonly [number, number]> | undefined;
}

const grow = (tally: OutcomeTally | undefined): GrowingTally => ({
  count: tally?.count ?? 0,
  sum: tally?.sum ?? 0,
  by: tally?.by === undefined ? undefined : new Map(Object.entries(tally.by)),
});

const settle = ({ count, sum, by }: GrowingTally): OutcomeTally => ({
  count,
  sum,
  ...(by === undefined ? {} : { by: Object.fromEntries(by) }),
});

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
  /** Who the outcomes are of. */
  readonly agents: number;
  /** Null while nothing was counted. */
  readonly mean: number | null;
  readonly interval: Interval;
}

/**
 * Compares the arms. Over all looks at one metric together, a difference is told where there is none with a chance
 * of at most `alpha`.
 */
export function compareArms(
  metric: string,
  { control, candidate }: Readonly<Record<Arm, OutcomeTally>>,
  tuning: Tuning = DEFAULT_TUNING,
): Comparison {
  const difference = differenceInterval(control, candidate, tuning);
  const facts = (tally: OutcomeTally): ArmFacts => ({
    count: tally.count,
    agents: tally.by === undefined ? tally.count : Object.keys(tally.by).length,
    mean: tally.count === 0 ? null : tally.sum / tally.count,
    interval: meanInterval(tally, tuning),
  });
  const verdict = difference.low > 0 ? 'better' : difference.high < 0 ? 'worse' : 'open';
  return { metric, arms: { control: facts(control), candidate: facts(candidate) }, difference, verdict };
}

export const DEFAULT_ALPHA = 0.05;
/** Where nothing was planned. */
export const DEFAULT_TUNING: Tuning = tuningFor(0.05, 0.8, DEFAULT_ALPHA);
export const NOTHING: Readonly<Record<Arm, OutcomeTally>> = {
  control: { count: 0, sum: 0 },
  candidate: { count: 0, sum: 0 },
};
