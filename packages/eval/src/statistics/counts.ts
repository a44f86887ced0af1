import { logGamma } from './beta.js';
import type { Interval } from './estimate.js';
import { normalQuantile } from './normal.js';

/** Wilson's interval of a rate. It never collapses to a point: 0 of 30 is not 0 %. */
export function wilsonInterval(yes: number, count: number, alpha = 0.05): Interval {
  if (count <= 0) return { low: 0, high: 1 };
  const z = normalQuantile(1 - alpha / 2);
  const rate = yes / count;
  const whole = 1 + (z * z) / count;
  const centre = (rate + (z * z) / (2 * count)) / whole;
  const half = (z / whole) * Math.sqrt((rate * (1 - rate)) / count + (z * z) / (4 * count * count));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

export const logChoose = (n: number, k: number): number =>
  logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);

/**
 * McNemar's test of yes and no in pairs: the chance of a split of gains and losses as uneven as this one when both are
 * as likely. The mid-p form counts the split itself half, and errs as often as it says.
 */
export function mcNemar(gains: number, losses: number): { readonly exact: number; readonly midP: number } {
  const count = gains + losses;
  if (count === 0) return { exact: 1, midP: 1 };
  const least = Math.min(gains, losses);
  const mass = (k: number): number => Math.exp(logChoose(count, k) - count * Math.LN2);
  let below = 0;
  for (let k = 0; k <= least; k += 1) below += mass(k);
  return { exact: Math.min(1, 2 * below), midP: Math.min(1, 2 * below - mass(least)) };
}

/** A table of yes and no under two conditions. */
export interface TwoByTwo {
  readonly yes: readonly [number, number];
  readonly no: readonly [number, number];
}

/** Fisher's exact test, two-sided: the chance of a table at most as likely as this one with the same margins. */
export function fisherExact({ yes: [a, b], no: [c, d] }: TwoByTwo): number {
  const [first, second, yes] = [a + c, b + d, a + b];
  const all = logChoose(first + second, yes);
  const chance = (k: number): number => Math.exp(logChoose(first, k) + logChoose(second, yes - k) - all);
  const seen = chance(a);
  let sum = 0;
  for (let k = Math.max(0, yes - second); k <= Math.min(first, yes); k += 1) {
    const each = chance(k);
    if (each <= seen * (1 + 1e-9)) sum += each;
  }
  return Math.min(1, sum);
}

/** The chance that at least one of `k` takes passes, of `count` of which `passed` did; undefined with fewer takes. */
export function passAt(k: number, passed: number, count: number): number | undefined {
  if (count < k || k < 1) return undefined;
  let none = 1;
  for (let at = count - passed + 1; at <= count; at += 1) none *= 1 - k / at;
  return 1 - Math.max(0, none);
}

/** The chance that all of `k` takes pass, drawn without replacement. The power of the rate would be biased. */
export function passAll(k: number, passed: number, count: number): number | undefined {
  if (count < k || k < 1) return undefined;
  return passed < k ? 0 : Math.exp(logChoose(passed, k) - logChoose(count, k));
}
