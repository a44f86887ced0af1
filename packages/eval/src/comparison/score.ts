/** What a check says of a take: 0 to 1, or why it says nothing. Missing is never 0. */
export type Score = number | { readonly missing: string };

/** The scores of one case under both variants, take by take. */
export interface ScoredCase {
  readonly id: string;
  /** Cases of one cluster rise and fall together. */
  readonly cluster: string;
  readonly base: readonly Score[];
  readonly candidate: readonly Score[];
}

export type VariantSide = 'base' | 'candidate';
export const SIDES: readonly VariantSide[] = ['base', 'candidate'];

export const isScored = (score: Score): score is number => typeof score === 'number';

export const scoredOf = (scores: readonly Score[]): readonly number[] => scores.filter(isScored);
