import type { Score } from '../comparison/score.js';
import type { MarkableTake } from './blind.js';

/** Two answers to one case, in the order in which a judge is shown them. */
export interface JudgedPair {
  /** Both takes, with a space between them: the first one that is shown stands first. */
  readonly take: string;
  readonly input: string;
  readonly answer: string;
  readonly other: string;
}

/**
 * The answers of the base and of the candidate to each case, take by take, and each pair in both orders: a judge that prefers a
 * place and not an answer contradicts itself.
 */
export function pairsInBothOrders(
  takes: readonly MarkableTake[],
  { base, candidate }: { readonly base: string; readonly candidate: string },
): readonly JudgedPair[] {
  const cases = new Map<string, { readonly base: MarkableTake[]; readonly candidate: MarkableTake[] }>();
  for (const take of takes) {
    const own = cases.get(take.case) ?? { base: [], candidate: [] };
    cases.set(take.case, own);
    if (take.variant === base) own.base.push(take);
    if (take.variant === candidate) own.candidate.push(take);
  }
  return [...cases.values()].flatMap((own) =>
    own.base.flatMap((one, at): readonly JudgedPair[] => {
      const other = own.candidate[at];
      return other === undefined ? [] : [pairOf(one, other), pairOf(other, one)];
    }),
  );
}

export const pairOf = (
  one: Pick<MarkableTake, 'take' | 'input' | 'answer'>,
  other: Pick<MarkableTake, 'take' | 'answer'>,
): JudgedPair => ({
  ...{ take: `${one.take} ${other.take}`, input: one.input, answer: one.answer, other: other.answer },
});

/**
 * What the verdicts on pairs make of each take: 1 for the one that is better in both orders, 0 for the other, and a half for both
 * where the order decided. `verdicts`: whether the first one shown is the better one, by pair.
 */
export function pairScores(verdicts: ReadonlyMap<string, Score>): {
  readonly scores: ReadonlyMap<string, Score>;
  /** How many pairs were judged in both orders, and how many of them flipped with the order. */
  readonly pairs: number;
  readonly flips: number;
} {
  const scores = new Map<string, Score>();
  let [pairs, flips] = [0, 0];
  for (const [name, verdict] of verdicts) {
    const [one = '', other = ''] = name.split(' ');
    if (scores.has(one) || scores.has(other)) continue;
    const back = verdicts.get(`${other} ${one}`) ?? { missing: 'not judged' };
    if (typeof verdict !== 'number' || typeof back !== 'number') {
      const missing = typeof verdict === 'number' ? back : verdict;
      scores.set(one, missing);
      scores.set(other, missing);
      continue;
    }
    pairs += 1;
    const isFlip = verdict === back;
    flips += Number(isFlip);
    scores.set(one, isFlip ? 0.5 : verdict);
    scores.set(other, isFlip ? 0.5 : back);
  }
  return { scores, pairs, flips };
}
