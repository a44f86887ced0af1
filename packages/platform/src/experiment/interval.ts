/** How often something happened, or how much of it: outcomes between 0 and 1. */
export interface OutcomeTally {
  readonly count: number;
  /** The sum of the outcomes; for yes and no the number of yes. */
  readonly sum: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The mean of outcomes between 0 and 1, in an interval that may be looked at after every outcome: over all looks
 * together the truth is ever left out with a chance of at most `alpha`.
 *
 * Why: for a true mean p and any q, the factor (q/p)^x ((1-q)/(1-p))^(1-x) is convex in the outcome x, so its
 * mean is at most that of a coin with the same mean, which is 1. The product of such factors, averaged over q with
 * Beta(1/2, 1/2) weights, is therefore a nonnegative supermartingale that starts at 1, and the chance that it ever
 * reaches 1/alpha is at most alpha (Ville). What is left is every p for which it has not.
 */
export function meanInterval(tally: OutcomeTally, alpha: number): Interval {
  const limit = Math.log(1 / alpha);
  const evidence = evidenceAgainst(tally);
  const centre = centreOf(tally);
  const isIn = (p: number) => evidence(p) < limit;
  return { low: edge(isIn, centre, 0), high: edge(isIn, centre, 1) };
}

/**
 * The difference of two means (`candidate` minus `control`), as honest under looking as `meanInterval`. The two
 * supermartingales multiply; a difference stays in while some pair of means with that difference does.
 */
export function differenceInterval(control: OutcomeTally, candidate: OutcomeTally, alpha: number): Interval {
  const limit = Math.log(1 / alpha);
  const isIn = (difference: number) => differenceEvidence(control, candidate, difference) < limit;
  const centre = centreOf(candidate) - centreOf(control);
  return { low: edge(isIn, centre, -1), high: edge(isIn, centre, 1) };
}

/** The logarithm of the evidence against a difference: the least over all pairs of means that have it. */
export function differenceEvidence(
  control: OutcomeTally,
  candidate: OutcomeTally,
  difference: number,
): number {
  const first = evidenceAgainst(control);
  const second = evidenceAgainst(candidate);
  // A sum of convex functions: thirds close in on the least value.
  let low = Math.max(0, -difference);
  let high = Math.min(1, 1 - difference);
  const at = (p: number) => first(p) + second(p + difference);
  for (let step = 0; step < 60 && high - low > 1e-9; step += 1) {
    const third = (high - low) / 3;
    if (at(low + third) <= at(high - third)) high -= third;
    else low += third;
  }
  return at((low + high) / 2);
}

/** The logarithm of the average over q, divided by the likelihood of p. Convex in p. */
function evidenceAgainst({ count, sum }: OutcomeTally): (p: number) => number {
  const mixture = logBeta(sum + 0.5, count - sum + 0.5) - LOG_BETA_HALVES;
  return (p) => mixture - times(sum, p) - times(count - sum, 1 - p);
}

const centreOf = ({ count, sum }: OutcomeTally): number => (count === 0 ? 0.5 : sum / count);

/** The last point from `from` towards `to` that is in. */
function edge(isIn: (point: number) => boolean, from: number, to: number): number {
  if (isIn(to)) return to;
  let inside = from;
  let outside = to;
  for (let step = 0; step < 50; step += 1) {
    const middle = (inside + outside) / 2;
    if (isIn(middle)) inside = middle;
    else outside = middle;
  }
  // Outwards, so that rounding never makes the interval too small.
  return outside;
}

/** Nothing seen says nothing, whatever the mean. */
const times = (amount: number, p: number): number => (amount === 0 ? 0 : amount * Math.log(Math.max(p, 0)));

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/** Stirling's series; small arguments are raised first, where it is exact to 1e-13. */
function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < 12) {
    product *= shifted;
    shifted += 1;
  }
  const square = shifted * shifted;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TAU + series - Math.log(product);
}

const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);
const LOG_BETA_HALVES = Math.log(Math.PI);
