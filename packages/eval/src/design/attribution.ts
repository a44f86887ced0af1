import { clusteredMean, type Estimate, type Interval, tInterval } from '../statistics/estimate.js';
import { holm } from '../statistics/several.js';
import { tChance } from '../statistics/student.js';

/** What one changed origin has to do with the difference. */
export interface OriginShare {
  readonly origin: string;
  readonly share: number;
  readonly interval: Interval;
  /** Whether it is there, tested together with the others (Holm). */
  readonly found: boolean;
  /** What it does last minus what it does first: it depends on the other changes by so much. Only for many origins. */
  readonly interaction?: number;
}

/** Up to this many changed origins all combinations are run. */
export const MOST_EXACT = 3;

/** The mean scores of one case under every combination of changes; bit `j` of the index is change `j`. */
export interface CombinedCase {
  readonly cluster: string;
  readonly values: readonly number[];
}

/**
 * The fair share of each change (Shapley): what it adds on average over all orders in which the changes could have been
 * made. The shares add up to the whole difference.
 */
export function shapleyShares(
  origins: readonly string[],
  cases: readonly CombinedCase[],
): readonly OriginShare[] {
  const weights = shapleyWeights(origins.length);
  const clusters = cases.map(({ cluster }) => cluster);
  const estimates = origins.map((_, unit) =>
    clusteredMean(
      cases.map(({ values }) => shareOf(values, unit, weights)),
      clusters,
    ),
  );
  return tell(origins, estimates);
}

function shareOf(values: readonly number[], unit: number, weights: readonly number[]): number {
  let sum = 0;
  for (let mask = 0; mask < values.length; mask += 1) {
    if ((mask >> unit) & 1) continue;
    sum +=
      (weights[bits(mask)] as number) * ((values[mask | (1 << unit)] as number) - (values[mask] as number));
  }
  return sum;
}

/** By the number of changes that are made before. */
function shapleyWeights(units: number): readonly number[] {
  const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
  return Array.from(
    { length: units },
    (_, before) => (factorial(before) * factorial(units - before - 1)) / factorial(units),
  );
}

function bits(mask: number): number {
  let [count, rest] = [0, mask];
  for (; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

/** The mean scores of one case with all changes, with none, with all but one, and with one alone. */
export interface EdgeCase {
  readonly cluster: string;
  readonly base: number;
  readonly candidate: number;
  readonly allBut: readonly number[];
  readonly alone: readonly number[];
}

/** For more origins: what each does last and first; the share is between the two, and their difference the interaction. */
export function edgeShares(origins: readonly string[], cases: readonly EdgeCase[]): readonly OriginShare[] {
  const clusters = cases.map(({ cluster }) => cluster);
  const over = (value: (each: EdgeCase) => number): Estimate | undefined =>
    clusteredMean(cases.map(value), clusters);
  const last = (unit: number) => (each: EdgeCase) => each.candidate - (each.allBut[unit] as number);
  const first = (unit: number) => (each: EdgeCase) => (each.alone[unit] as number) - each.base;
  const shares = tell(
    origins,
    origins.map((_, unit) => over((each) => (last(unit)(each) + first(unit)(each)) / 2)),
  );
  return shares.map((share, unit) => ({
    ...share,
    interaction: over((each) => last(unit)(each) - first(unit)(each))?.mean ?? 0,
  }));
}

function tell(
  origins: readonly string[],
  estimates: readonly (Estimate | undefined)[],
): readonly OriginShare[] {
  const found = holm(estimates.map((estimate) => (estimate === undefined ? 1 : twoSided(estimate))));
  return origins.map((origin, at) => {
    const estimate = estimates[at];
    if (estimate === undefined) return { origin, share: 0, interval: { low: -1, high: 1 }, found: false };
    const interval = tInterval(estimate, 0.05 / origins.length);
    return { origin, share: estimate.mean, interval, found: found[at] === true };
  });
}

/** The chance of an estimate as far from zero where there is nothing. */
export const twoSided = ({ mean, error, degrees }: Estimate): number =>
  2 * tChance(-Math.abs(mean / error), degrees);
