import { type Interval, normalQuantile, tFromZ, zFromT } from '@cuebook/eval/statistics';

/** How often something happened, or how much of it: outcomes between 0 and 1. */
export interface OutcomeTally {
  readonly count: number;
  /** The sum of the outcomes; for yes and no the number of yes. */
  readonly sum: number;
  /** By agent, its own count and sum. Left out, each outcome is taken for one of an agent of its own. */
  readonly by?: Readonly<Record<string, readonly [number, number]>>;
}

/** How sure to be, and for which size of effect the intervals are tuned. Both are fixed before the first look. */
export interface Tuning {
  readonly alpha: number;
  /** The variance of the effects that are looked for. */
  readonly tau2: number;
}

/**
 * The mean of outcomes between 0 and 1, in an interval that may be looked at every day: over all looks together the
 * truth is ever left out with a chance of at most `alpha`.
 *
 * Why: an estimate that grows more exact with every day, divided by its variance, walks like Brownian motion in the time
 * that its information (one divided by the variance) measures. Its likelihood ratio against a wrong value, averaged over
 * effects of variance `tau2`, is a martingale that starts at 1, and ever reaches 1/alpha with a chance of at most alpha
 * (Ville). Outcomes of one agent hang together, so the variance is that between agents: an agent counts once, however
 * often it spoke. With few agents the variance is a guess; Student's t takes the place of the normal then, and one
 * failure and one success are added, so that nothing is certain because nothing was seen.
 */
export function meanInterval(tally: OutcomeTally, tuning: Tuning): Interval {
  const facts = factsOf(tally);
  if (facts === undefined) return { low: 0, high: 1 };
  const half = halfWidth(facts.variance, facts.agents - 1, tuning);
  return { low: Math.max(0, facts.mean - half), high: Math.min(1, facts.mean + half) };
}

/** The difference of two means (`candidate` minus `control`), as honest under looking as `meanInterval`. */
export function differenceInterval(control: OutcomeTally, candidate: OutcomeTally, tuning: Tuning): Interval {
  const [a, b] = [factsOf(control), factsOf(candidate)];
  if (a === undefined || b === undefined) return { low: -1, high: 1 };
  const half = halfWidth(a.variance + b.variance, degreesOf(a, b), tuning);
  const difference = b.mean - a.mean;
  return { low: Math.max(-1, difference - half), high: Math.min(1, difference + half) };
}

/** One divided by the variance of the difference: how far an experiment has come. */
export function informationOf(control: OutcomeTally, candidate: OutcomeTally): number {
  const [a, b] = [factsOf(control), factsOf(candidate)];
  return a === undefined || b === undefined ? 0 : 1 / (a.variance + b.variance);
}

/** The tuning that finds an effect of this size the soonest, when it is to be found with this power. */
export function tuningFor(effect: number, power: number, alpha: number): Tuning {
  const ratio = bestRatio(alpha);
  const needed = ((Math.sqrt(1 + ratio) + normalQuantile(power)) / effect) ** 2;
  return { alpha, tau2: ratio / needed };
}

/** How far from the estimate the truth may be, at this variance. */
export function halfWidth(variance: number, degrees: number, { alpha, tau2 }: Tuning): number {
  const ratio = tau2 / variance;
  const z = Math.sqrt((1 + 1 / ratio) * (Math.log1p(ratio) + 2 * Math.log(1 / alpha)));
  return Math.sqrt(variance) * tFromZ(z, degrees);
}

/** The logarithm of the evidence against a difference. A look alarms where it reaches `log(1/alpha)`. */
export function differenceEvidence(
  control: OutcomeTally,
  candidate: OutcomeTally,
  difference: number,
  { tau2 }: Pick<Tuning, 'tau2'>,
): number {
  const [a, b] = [factsOf(control), factsOf(candidate)];
  if (a === undefined || b === undefined) return 0;
  const variance = a.variance + b.variance;
  const z = zFromT((b.mean - a.mean - difference) / Math.sqrt(variance), degreesOf(a, b));
  const ratio = tau2 / variance;
  return (z * z * ratio) / (1 + ratio) / 2 - Math.log1p(ratio) / 2;
}

interface ArmSpread {
  readonly mean: number;
  /** Of the mean. */
  readonly variance: number;
  readonly agents: number;
}

/** Undefined: fewer than two agents tell nothing about how agents differ. */
function factsOf({ count, sum, by }: OutcomeTally): ArmSpread | undefined {
  // Yes and no spread as widely as outcomes between 0 and 1 can.
  const totals = by === undefined ? undefined : Object.values(by);
  const agents = totals?.length ?? count;
  if (agents < 2 || count <= 0) return undefined;
  const sums = totals === undefined ? { ss: sum, sn: sum, nn: count } : sumsOf(totals);
  const variance = ratioVariance({ ...sums, count, sum, agents });
  return { mean: sum / count, variance, agents };
}

interface ClusterSums {
  /** Over all agents: squares of sums, sums times counts, squares of counts. */
  readonly ss: number;
  readonly sn: number;
  readonly nn: number;
}

function sumsOf(totals: readonly (readonly [number, number])[]): ClusterSums {
  let [ss, sn, nn] = [0, 0, 0];
  for (const [n, s] of totals) {
    ss += s * s;
    sn += s * n;
    nn += n * n;
  }
  return { ss, sn, nn };
}

/**
 * The variance of a mean over agents that have outcomes in different numbers, with one failure and one success added,
 * each of an agent of its own.
 */
export function ratioVariance({
  ss,
  sn,
  nn,
  count,
  sum,
  agents,
}: ClusterSums & { readonly count: number; readonly sum: number; readonly agents: number }): number {
  const all = count + 2;
  const mean = (sum + 1) / all;
  const squares = Math.max(0, ss + 1 - 2 * mean * (sn + 1) + mean * mean * (nn + 2));
  return ((squares / all / all) * (agents + 2)) / (agents + 1);
}

/** Welch's, by the agents of each arm. */
function degreesOf(a: ArmSpread, b: ArmSpread): number {
  const part = ({ variance, agents }: ArmSpread): number => variance ** 2 / (agents - 1);
  return (a.variance + b.variance) ** 2 / (part(a) + part(b));
}

/** The ratio of information to prior at which the interval is as small as it can be: r - log(1 + r) = 2 log(1/alpha). */
export function bestRatio(alpha: number): number {
  const wanted = 2 * Math.log(1 / alpha);
  let ratio = wanted + 2;
  for (let step = 0; step < 30; step += 1) ratio = wanted + Math.log1p(ratio);
  return ratio;
}
