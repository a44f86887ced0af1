import { tQuantile } from './student.js';

/** From `low` to `high`, both included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A mean with the error that it is known to. */
export interface Estimate {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly error: number;
  /** Of Student's t. */
  readonly degrees: number;
  readonly count: number;
  readonly clusters: number;
}

/**
 * The mean of values that rise and fall together within clusters. Values of one cluster count as one observation of how
 * clusters differ, so the interval of Student's t with clusters minus one degrees of freedom covers the truth however
 * strongly they hang together.
 *
 * Values that are all equal have no spread to learn from, which is no proof that there is none: one gain and one loss of
 * a whole point are counted in then, each in a cluster of its own.
 *
 * Undefined where there are fewer than two clusters: nothing tells how they differ.
 */
export function clusteredMean(
  values: readonly number[],
  clusters: readonly string[] = [],
): Estimate | undefined {
  const count = values.length;
  const mean = meanOf(values);
  const sums = new Map<string | number, number>();
  for (let at = 0; at < count; at += 1) {
    const cluster = clusters[at] ?? at;
    sums.set(cluster, (sums.get(cluster) ?? 0) + ((values[at] as number) - mean));
  }
  const size = sums.size;
  if (size < 2) return undefined;
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  const error = Math.sqrt((squares * size) / (size - 1)) / count;
  const least = error > ROUNDING ? error : Math.SQRT2 / (size + 2);
  return { mean, error: least, degrees: size - 1, count, clusters: size };
}

/** Sums of differences of equal values are zero up to this. */
const ROUNDING = 1e-12;

/** The interval of Student's t that leaves the truth out with a chance of `alpha`. */
export function tInterval({ mean, error, degrees }: Estimate, alpha = 0.05): Interval {
  const half = tQuantile(1 - alpha / 2, degrees) * error;
  return { low: mean - half, high: mean + half };
}

export const meanOf = (values: readonly number[]): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
};

/** The variance of a sample. */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return sum / (values.length - 1);
}
