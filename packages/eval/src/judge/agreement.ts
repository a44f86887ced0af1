import { type Agreement, type AgreementCounts, agreementOf } from '../statistics/judged.js';
import type { Mark } from './mark.js';

/** How a judge agrees with the marks of persons, on the takes that both have scored. */
export interface JudgeAgreement {
  readonly counts: AgreementCounts;
  /** Null without a mark of each kind. */
  readonly agreement: Agreement | null;
  /** Marked takes that the judge has no verdict of. */
  readonly unjudged: number;
}

/** Marks of several persons of one take count each. */
export function judgeAgreement(
  marks: readonly Mark[],
  verdicts: ReadonlyMap<string, boolean>,
): JudgeAgreement {
  const counts = { bothYes: 0, missed: 0, invented: 0, bothNo: 0 };
  let unjudged = 0;
  for (const { take, pass } of marks) {
    const said = verdicts.get(take);
    if (said === undefined) unjudged += 1;
    else if (pass) counts[said ? 'bothYes' : 'missed'] += 1;
    else counts[said ? 'invented' : 'bothNo'] += 1;
  }
  return { counts, agreement: agreementOf(counts) ?? null, unjudged };
}

/** By case, the difference that marks make: candidate minus base, where both are marked. */
export function markedDifferences(
  marks: readonly Mark[],
  { base, candidate }: { readonly base: string; readonly candidate: string },
): Readonly<Record<string, number>> {
  const sides = new Map<string, { readonly base: number[]; readonly candidate: number[] }>();
  for (const { case: of, variant, pass } of marks) {
    const side = variant === base ? 'base' : variant === candidate ? 'candidate' : undefined;
    if (side === undefined) continue;
    const own = sides.get(of) ?? { base: [], candidate: [] };
    sides.set(of, own);
    own[side].push(Number(pass));
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return Object.fromEntries(
    [...sides].flatMap(([id, own]) =>
      own.base.length === 0 || own.candidate.length === 0 ? [] : [[id, mean(own.candidate) - mean(own.base)]],
    ),
  );
}
