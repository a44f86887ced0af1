import { meanOf, varianceOf } from './estimate.js';
import { normalQuantile } from './normal.js';

/**
 * How differences of cases spread. The mean over `n` cases of `k` takes each has the variance
 * `(between + within / k) / n`: more takes shrink the second part alone.
 */
export interface Spread {
  /** The variance of the true differences of cases. */
  readonly between: number;
  /** The variances of one take of each variant, added up. */
  readonly within: number;
}

/** Where nothing was measured yet: one case in five answers otherwise at the second asking. */
export const ASSUMED_SPREAD: Spread = { between: 0, within: 0.2 };

/** Standard errors from zero at which a difference is found with a power of 80 %. */
export const VISIBLE = normalQuantile(0.975) + normalQuantile(0.8);

/** The smallest difference that is found among several that are tested together, from the one that is found alone. */
export const visibleAmong = (alone: number, tests: number): number =>
  (alone * (normalQuantile(1 - 0.025 / Math.max(1, tests)) + normalQuantile(0.8))) / VISIBLE;

/** The smallest true difference that this many cases and takes find with a power of 80 %. */
export const smallestVisible = (cases: number, takes: number, { between, within }: Spread): number =>
  cases <= 0 || takes <= 0
    ? Number.POSITIVE_INFINITY
    : VISIBLE * Math.sqrt((between + within / takes) / cases);

/** The cases that it takes to see a difference. */
export const casesToSee = (difference: number, takes: number, { between, within }: Spread): number =>
  Math.ceil((VISIBLE / difference) ** 2 * (between + within / takes));

/** A design that sees a difference: the fewest takes of the cases at hand, else more cases. */
export function designToSee(
  difference: number,
  cases: number,
  spread: Spread,
): { readonly cases: number; readonly takes: number } {
  for (let takes = 1; takes <= MOST_TAKES; takes += 1)
    if (smallestVisible(cases, takes, spread) <= difference) return { cases, takes };
  return { cases: casesToSee(difference, SUGGESTED_TAKES, spread), takes: SUGGESTED_TAKES };
}

/** Beyond this, cases tell more than takes. */
const MOST_TAKES = 5;
const SUGGESTED_TAKES = 3;

/** The spread of what was measured: the mean differences of cases, and the takes behind each. */
export function measuredSpread(
  cases: readonly { readonly base: readonly number[]; readonly candidate: readonly number[] }[],
): Spread | undefined {
  const differences: number[] = [];
  let [within, inTakes, known] = [0, 0, 0];
  for (const { base, candidate } of cases) {
    if (base.length === 0 || candidate.length === 0) continue;
    differences.push(meanOf(candidate) - meanOf(base));
    if (base.length < 2 || candidate.length < 2) continue;
    const [a, b] = [varianceOf(base), varianceOf(candidate)];
    within += a + b;
    inTakes += a / base.length + b / candidate.length;
    known += 1;
  }
  if (differences.length < 2) return undefined;
  const whole = varianceOf(differences);
  // One take tells the sum of both parts: all of it is taken for what more takes would shrink.
  if (known === 0) return { between: 0, within: whole };
  return { between: Math.max(0, whole - inTakes / known), within: within / known };
}
