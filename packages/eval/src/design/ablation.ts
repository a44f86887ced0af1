import { guard } from '@cuebook/guard';
import { pairedDifference } from '../comparison/metric.js';
import { type MovedCase, movedCases } from '../comparison/moved.js';
import type { ScoredCase } from '../comparison/score.js';
import { seededDraws } from '../statistics/draws.js';
import { type Estimate, type Interval, tInterval } from '../statistics/estimate.js';
import { holm } from '../statistics/several.js';
import { twoSided } from './attribution.js';

/** What a unit of a prompt is found to do. `within`: no more than the margin on these cases, which is not "nothing". */
export type UnitVerdict = 'helps' | 'harms' | 'within' | 'open' | 'not exercised';

/** The scores of cases without a unit (`base`) and with everything (`candidate`). */
export interface UnitScores {
  readonly unit: string;
  /** Whether the input or a check of some case concerns it. */
  readonly exercised: boolean;
  readonly cases: readonly ScoredCase[];
}

export interface UnitFinding {
  readonly unit: string;
  readonly verdict: UnitVerdict;
  /** What it adds to the score. Null: nothing can be said. */
  readonly adds: number | null;
  readonly interval: Interval | null;
  /** Cases whose score falls when it is removed. */
  readonly sensors: readonly MovedCase[];
}

/** What each unit does, given all others: each is left out once. */
export function leaveOneOut(units: readonly UnitScores[], margin: number): readonly UnitFinding[] {
  const estimates = units.map(({ cases }) => pairedDifference(cases));
  const found = holm(estimates.map((estimate) => (estimate === undefined ? 1 : twoSided(estimate))));
  return units.map((unit, at) => findingOf(unit, estimates[at], { isFound: found[at] === true, margin }));
}

function findingOf(
  { unit, exercised, cases }: UnitScores,
  estimate: Estimate | undefined,
  { isFound, margin }: { readonly isFound: boolean; readonly margin: number },
): UnitFinding {
  const sensors = movedCases(cases).filter(({ by }) => by > 0);
  const told = { unit, adds: estimate?.mean ?? null, sensors };
  if (estimate === undefined) return { ...told, verdict: 'open', interval: null };
  const interval = tInterval(estimate);
  if (isFound) return { ...told, verdict: estimate.mean > 0 ? 'helps' : 'harms', interval };
  if (guard('eval.exercised', !exercised && sensors.length === 0))
    return { ...told, verdict: 'not exercised', interval };
  const { low, high } = tInterval(estimate, 0.1);
  return { ...told, verdict: low > -margin && high < margin ? 'within' : 'open', interval };
}

/**
 * The units that could go together: those within the margin, without any that lean to harm. Removing a harmful one would
 * pay for the loss of a pair that each stand in for the other.
 */
export function removableTogether(
  findings: readonly UnitFinding[],
  units: readonly UnitScores[],
): readonly string[] {
  const within = new Set(findings.filter(({ verdict }) => verdict === 'within').map(({ unit }) => unit));
  return units
    .filter(({ unit, cases }) => {
      const estimate = pairedDifference(cases);
      return within.has(unit) && estimate !== undefined && estimate.mean > -ONE_SIDED * estimate.error;
    })
    .map(({ unit }) => unit);
}

const ONE_SIDED = 1.645;

/** Whether the units can go together, on takes of their own: the loss is ruled out to be as large as the margin. */
export function jointRemoval(
  cases: readonly ScoredCase[],
  margin: number,
): { readonly isSafe: boolean; readonly adds: number | null; readonly interval: Interval | null } {
  const estimate = pairedDifference(cases);
  if (estimate === undefined) return { isSafe: false, adds: null, interval: null };
  const isSafe = !guard('eval.joint', !(tInterval(estimate, 0.1).high < margin));
  return { isSafe, adds: estimate.mean, interval: tInterval(estimate) };
}

/** Two units that stand in for each other: either can go, not both. */
export interface RedundantPair {
  readonly units: readonly [string, string];
  readonly adds: number;
  readonly interval: Interval;
}

/** Of pairs that were removed together, those whose loss is there. Tested together. */
export function redundantPairs(
  pairs: readonly { readonly units: readonly [string, string]; readonly cases: readonly ScoredCase[] }[],
): readonly RedundantPair[] {
  const estimates = pairs.map(({ cases }) => pairedDifference(cases));
  const found = holm(estimates.map((estimate) => (estimate === undefined ? 1 : twoSided(estimate))));
  return pairs.flatMap(({ units }, at) => {
    const estimate = estimates[at];
    if (found[at] !== true || estimate === undefined || estimate.mean <= 0) return [];
    return [{ units, adds: estimate.mean, interval: tInterval(estimate, 0.05 / pairs.length) }];
  });
}

/** Up to this many units, each is left out once; above, random subsets are fitted. */
export const MOST_LEFT_OUT = 20;

/** Which units are kept in each take of a design with random subsets. */
export function subsetDesign(
  units: number,
  { takes, keep, seed }: { readonly takes: number; readonly keep: number; readonly seed: number },
): readonly (readonly boolean[])[] {
  const draw = seededDraws(seed);
  return Array.from({ length: takes }, () => Array.from({ length: units }, () => draw() < keep));
}
