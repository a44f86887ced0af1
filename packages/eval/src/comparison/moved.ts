import { fisherExact } from '../statistics/counts.js';
import { meanOf } from '../statistics/estimate.js';
import { falseDiscovery } from '../statistics/several.js';
import { type ScoredCase, scoredOf } from './score.js';

/** A case whose scores differ between the variants. */
export interface MovedCase {
  readonly id: string;
  readonly by: number;
  /** Whether it was tested. With few takes a flip is seen and not tested. */
  readonly tested: boolean;
}

/** So many takes carry a test of single cases. */
export const TAKES_TO_TEST = 8;

/**
 * The cases that moved, largest first: with eight takes of each variant, those that a test finds among all of them; with
 * fewer, those where every take of one variant passes and every take of the other fails.
 */
export function movedCases(cases: readonly ScoredCase[]): readonly MovedCase[] {
  const rows = cases.flatMap(({ id, base, candidate }) => {
    const [a, b] = [scoredOf(base), scoredOf(candidate)];
    return a.length === 0 || b.length === 0 ? [] : [{ id, a, b, by: meanOf(b) - meanOf(a) }];
  });
  const tested = rows.filter(({ a, b }) => Math.min(a.length, b.length) >= TAKES_TO_TEST);
  const found = falseDiscovery(tested.map(({ a, b }) => chanceOf(a, b)));
  const isFound = new Set(tested.filter((_, at) => found[at]).map(({ id }) => id));
  return rows
    .filter(({ id, a, b, by }) =>
      Math.min(a.length, b.length) >= TAKES_TO_TEST ? isFound.has(id) : Math.abs(by) === 1,
    )
    .map(({ id, by, a, b }) => ({ id, by, tested: Math.min(a.length, b.length) >= TAKES_TO_TEST }))
    .sort((one, other) => Math.abs(other.by) - Math.abs(one.by) || (one.id < other.id ? -1 : 1));
}

function chanceOf(a: readonly number[], b: readonly number[]): number {
  const yes = (scores: readonly number[]): number => scores.filter((score) => score >= 0.5).length;
  return fisherExact({ yes: [yes(a), yes(b)], no: [a.length - yes(a), b.length - yes(b)] });
}
