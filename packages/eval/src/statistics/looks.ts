import { logBeta } from './beta.js';
import type { Estimate, Interval } from './estimate.js';
import { tFromZ } from './normal.js';
import { tQuantile } from './student.js';

/** Up to this many looks can be planned. */
export const MOST_LOOKS = 5;

/**
 * O'Brien and Fleming's constants for 1 to 5 looks at equal distances: a look at share `k / looks` of the cases tells a
 * difference when its z is beyond `constant * sqrt(looks / k)`. Over all looks the chance of a false alarm is alpha.
 */
const CONSTANTS: Readonly<Record<'0.05' | '0.1', readonly number[]>> = {
  '0.05': [1.959964, 1.9776, 2.004, 2.0243, 2.0396],
  '0.1': [1.644854, 1.6781, 1.7099, 1.7332, 1.7515],
};

/** Two-sided 0.05 is for differences; 0.1, which is one-sided 0.05, for being no worse than a margin. */
export type LookAlpha = 0.05 | 0.1;

export interface PlannedLook {
  /** From 1. */
  readonly look: number;
  readonly planned: number;
}

/** How far out a z must be at a planned look. Undefined: there is no such look. */
export function lookBound({ look, planned }: PlannedLook, alpha: LookAlpha): number | undefined {
  const constant = CONSTANTS[String(alpha) as '0.05' | '0.1'][planned - 1];
  if (constant === undefined || !(look >= 1 && look <= planned)) return undefined;
  return constant * Math.sqrt(planned / look);
}

/** The interval of an estimate at a planned look. With one look it is that of Student's t. */
export function lookInterval(estimate: Estimate, look: PlannedLook, alpha: LookAlpha): Interval | undefined {
  const bound = lookBound(look, alpha);
  if (bound === undefined) return undefined;
  const { mean, error, degrees } = estimate;
  const half = error * (look.planned === 1 ? tQuantile(1 - alpha / 2, degrees) : tFromZ(bound, degrees));
  return { low: mean - half, high: mean + half };
}

/** The number of cases at each planned look; the last is all of them. */
export const lookSizes = (cases: number, planned: number): readonly number[] => [
  ...new Set(Array.from({ length: planned }, (_, at) => Math.ceil((cases * (at + 1)) / planned))),
];

/** An any-time interval is an approximation for many observations: it begins here. */
export const ANYTIME_FROM = 50;

/**
 * The asymptotic confidence sequence: an interval that may be looked at after every case, without a plan. Over all looks
 * together it leaves the truth out with a chance of about `alpha`. `tunedFor`: the number of clusters at which it is the
 * smallest. Undefined with fewer than fifty clusters.
 */
export function anytimeInterval(
  { mean, error, clusters }: Estimate,
  { alpha = 0.05, tunedFor = 100 }: { readonly alpha?: number; readonly tunedFor?: number } = {},
): Interval | undefined {
  if (clusters < ANYTIME_FROM) return undefined;
  const rho2 = (-2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha))) / tunedFor;
  const t = clusters;
  const spread = error * Math.sqrt(t);
  const grown = t * rho2 + 1;
  const half = spread * Math.sqrt(((2 * grown) / (t * t * rho2)) * Math.log(Math.sqrt(grown) / alpha));
  return { low: mean - half, high: mean + half };
}

/**
 * The logarithm of the evidence of yes and no in pairs against no difference, which may be looked at after every pair: it
 * ever reaches `log(1 / alpha)` without a difference with a chance of at most alpha.
 */
export const pairEvidence = (gains: number, losses: number): number =>
  logBeta(gains + PRIOR, losses + PRIOR) - logBeta(PRIOR, PRIOR) + (gains + losses) * Math.LN2;

const PRIOR = 2;
