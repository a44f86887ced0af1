import { incompleteBeta } from './beta.js';
import { clusteredMean, type Interval, meanOf } from './estimate.js';
import { tQuantile } from './student.js';

/** How often something happened, of how many. */
export interface ClusteredRate {
  readonly rate: number;
  /** Null with fewer than two clusters: nothing tells how they differ. */
  readonly interval: Interval | null;
  readonly yes: number;
  readonly count: number;
  readonly clusters: number;
}

/**
 * A rate of yes and no that rise and fall together within clusters, with an exact interval on as many observations as they are
 * worth (Korn and Graubard): it never collapses to a point, and at 0 it has an upper bound. Where all are alike nothing tells how much
 * they hang together, and each cluster counts as one observation.
 */
export function clusteredRate(values: readonly number[], clusters: readonly string[]): ClusteredRate | null {
  const count = values.length;
  if (count === 0) return null;
  const rate = meanOf(values);
  const size = new Set(clusters).size;
  const facts = { rate, yes: values.reduce((sum, value) => sum + value, 0), count, clusters: size };
  const estimate = clusteredMean(values, clusters);
  if (estimate === undefined) return { ...facts, interval: null };
  return {
    ...facts,
    interval: exactInterval(rate, worthOf(rate, estimate.error, { count, clusters: size })),
  };
}

/** As how many independent observations they count, with what few clusters know of their own spread. */
function worthOf(
  rate: number,
  error: number,
  { count, clusters }: { readonly count: number; readonly clusters: number },
): number {
  if (rate === 0 || rate === 1) return clusters;
  const plain = Math.min(count, (rate * (1 - rate)) / (error * error));
  const known = clusters === count ? 1 : tQuantile(0.975, count - 1) / tQuantile(0.975, clusters - 1);
  return Math.max(1, plain * known * known);
}

/** Clopper's and Pearson's interval of a rate among so many, which need not be a whole number. */
export function exactInterval(rate: number, count: number, alpha = 0.05): Interval {
  const yes = rate * count;
  return {
    low: yes <= 0 ? 0 : betaQuantile(alpha / 2, yes, count - yes + 1),
    high: yes >= count ? 1 : betaQuantile(1 - alpha / 2, yes + 1, count - yes),
  };
}

/** The point below which a beta variable lies with this chance, by bisection. */
function betaQuantile(chance: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (incompleteBeta(a, b, middle) < chance) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
