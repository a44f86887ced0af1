import { clusteredMean, type Interval, meanOf, tInterval } from '../statistics/estimate.js';
import { type ScoredCase, scoredOf } from './score.js';

/** How many times as much the candidate costs or takes. */
export interface RatioFacts {
  readonly ratio: number;
  readonly interval: Interval;
}

/** Costs and times lie far to the right: their logarithms are compared, case by case, and the ratio is told. */
export function pairedRatio(cases: readonly ScoredCase[]): RatioFacts | undefined {
  const rows = cases.flatMap(({ cluster, base, candidate }) => {
    const [a, b] = [meanLog(scoredOf(base)), meanLog(scoredOf(candidate))];
    return a === undefined || b === undefined ? [] : [{ cluster, by: b - a }];
  });
  const estimate = clusteredMean(
    rows.map(({ by }) => by),
    rows.map(({ cluster }) => cluster),
  );
  if (estimate === undefined) return undefined;
  const { low, high } = tInterval(estimate);
  return { ratio: Math.exp(estimate.mean), interval: { low: Math.exp(low), high: Math.exp(high) } };
}

function meanLog(values: readonly number[]): number | undefined {
  return values.length === 0 || values.some((value) => !(value > 0))
    ? undefined
    : meanOf(values.map((value) => Math.log(value)));
}
