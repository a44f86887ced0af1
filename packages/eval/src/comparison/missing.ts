import { guard } from '@cuebook/guard';
import { fisherExact } from '../statistics/counts.js';
import { isScored, type ScoredCase, SIDES, type VariantSide } from './score.js';

/** How many scores are missing, and why. */
export interface MissingScores extends Readonly<Record<VariantSide, number>> {
  readonly takes: Readonly<Record<VariantSide, number>>;
  readonly reasons: Readonly<Record<string, number>>;
}

export function countMissing(cases: readonly ScoredCase[]): MissingScores {
  const count = { base: 0, candidate: 0 };
  const takes = { base: 0, candidate: 0 };
  const reasons = new Map<string, number>();
  for (const each of cases)
    for (const side of SIDES)
      for (const score of each[side]) {
        takes[side] += 1;
        if (isScored(score)) continue;
        count[side] += 1;
        reasons.set(score.missing, (reasons.get(score.missing) ?? 0) + 1);
      }
  return { ...count, takes, reasons: Object.fromEntries([...reasons].sort()) };
}

/**
 * Why what is missing keeps a comparison open: more than one take in twenty is missing, or one variant lost more than the
 * other. A variant that times out on hard cases would look better otherwise.
 */
export function missingReason({ base, candidate, takes, reasons }: MissingScores): string | undefined {
  const all = takes.base + takes.candidate;
  const missing = base + candidate;
  if (missing === 0) return undefined;
  const told = Object.entries(reasons)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
  const uneven = fisherExact({
    yes: [base, candidate],
    no: [takes.base - base, takes.candidate - candidate],
  });
  if (guard('eval.missing', missing / all > MOST_MISSING || uneven < UNEVEN))
    return `${missing} of ${all} takes have no score (base ${base}, candidate ${candidate}: ${told})`;
  return undefined;
}

const MOST_MISSING = 0.05;
const UNEVEN = 0.05;
