import { pairedDifference } from '../comparison/metric.js';
import type { ScoredCase } from '../comparison/score.js';
import { type Judgement, judgeDifference, type VerdictGate } from '../comparison/verdict.js';

/** A candidate of a tuner, with its scores on common cases beside those of the base. */
export interface RacingCandidate {
  readonly id: string;
  readonly cases: readonly ScoredCase[];
}

/** The better half of the field, best first, by the paired difference from the base. Ties keep the earlier one. */
export function betterHalf(field: readonly RacingCandidate[]): readonly string[] {
  return field
    .map(({ id, cases }, at) => ({ id, at, gain: pairedDifference(cases)?.mean ?? Number.NEGATIVE_INFINITY }))
    .sort((one, other) => other.gain - one.gain || one.at - other.at)
    .slice(0, Math.ceil(field.length / 2))
    .map(({ id }) => id);
}

export interface TuneDecision {
  /** Only a candidate that is better on the held part is proposed. */
  readonly propose: boolean;
  readonly judgement: Judgement;
  readonly gain: number | null;
  /** How many decisions the held part has made, this one included. Each spends some of it. */
  readonly decisions: number;
  readonly advice: string | null;
}

/** One candidate, one look at the held part. */
export function decideTune(
  held: readonly ScoredCase[],
  { margin, decisionsBefore }: { readonly margin: number; readonly decisionsBefore: number },
): TuneDecision {
  const gate: VerdictGate = { margin, look: { look: 1, planned: 1 } };
  const estimate = pairedDifference(held);
  const judgement = judgeDifference(estimate, gate);
  const decisions = decisionsBefore + 1;
  return {
    propose: judgement.verdict === 'better',
    judgement,
    gain: estimate?.mean ?? null,
    decisions,
    advice: decisions >= TIRED ? 'The held part has decided often: write new cases.' : null,
  };
}

const TIRED = 10;
