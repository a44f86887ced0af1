import { guarded } from '@cuebook/guard';
import { mcNemar } from '../statistics/counts.js';
import { clusteredMean, type Estimate, type Interval, meanOf, tInterval } from '../statistics/estimate.js';
import { markedMean } from '../statistics/judged.js';
import { anytimeInterval } from '../statistics/looks.js';
import { VISIBLE } from '../statistics/power.js';
import { countMissing, type MissingScores, missingReason } from './missing.js';
import { type ScoredCase, scoredOf, type VariantSide } from './score.js';
import { asJudged, type Judgement, judgeDifference, type VerdictGate } from './verdict.js';

/** What a metric is for: the primary one decides, a guard stops, a note is shown. */
export type MetricRole = 'primary' | 'guard' | 'note';

/** The scores that a judge gave, and how far persons have marked the same takes. */
export interface JudgedBy {
  readonly judge: string;
  /** By case: the difference that a person's marks make, candidate minus base. */
  readonly marks: Readonly<Record<string, number>>;
  /** Of a judge of pairs: how many it judged in both orders, and how many of its verdicts the order decided. */
  readonly orders?: JudgedOrders;
}

export interface JudgedOrders {
  readonly pairs: number;
  readonly flips: number;
}

export interface MetricScores {
  readonly name: string;
  readonly role: MetricRole;
  readonly cases: readonly ScoredCase[];
  readonly judged?: JudgedBy;
}

/** One metric of a comparison. */
export interface MetricComparison extends Readonly<Record<VariantSide, MeanWithInterval | null>> {
  readonly name: string;
  readonly role: MetricRole;
  readonly difference: DifferenceFacts | null;
  readonly judged: {
    readonly judge: string;
    readonly marks: number;
    readonly corrected: boolean;
    readonly orders?: JudgedOrders;
  } | null;
  readonly missing: MissingScores;
  readonly verdict: Judgement['verdict'];
  readonly why: string;
}

export interface MeanWithInterval {
  readonly mean: number;
  readonly interval: Interval | null;
}

export interface DifferenceFacts extends MeanWithInterval {
  readonly method: 'paired-clustered-t' | 'paired-ppi-t';
  readonly degrees: number;
  readonly cases: number;
  readonly clusters: number;
  /** The smallest difference that data of this spread finds four times in five. */
  readonly canSee: number;
  /** May be looked at as often as one likes; null with fewer than fifty clusters. */
  readonly anytime: Interval | null;
  /** For yes and no with one take: the chance of a split as uneven. */
  readonly midP?: number;
}

/** Marks of fewer cases correct nothing. */
export const FEWEST_MARKS = 50;

/** Compares the variants by one metric: always case by case, and always by cluster. */
export function compareMetric(
  { name, role, cases, judged }: MetricScores,
  gate: VerdictGate,
): MetricComparison {
  const missing = countMissing(cases);
  const pairs = pairsOf(cases);
  const marks = judged === undefined ? 0 : pairs.filter(({ id }) => Object.hasOwn(judged.marks, id)).length;
  const isCorrected = judged !== undefined && marks >= FEWEST_MARKS;
  const estimate = isCorrected ? corrected(pairs, judged) : differenceOf(pairs);
  const told = judgeDifference(estimate, gate);
  const decided = judged !== undefined && !isCorrected ? asJudged(told) : told;
  const lost = missingReason(missing);
  const { verdict, why } = lost === undefined ? decided : { verdict: 'open' as const, why: lost };
  return {
    name,
    role,
    base: meanWith(cases, 'base'),
    candidate: meanWith(cases, 'candidate'),
    difference:
      estimate === undefined
        ? null
        : {
            mean: estimate.mean,
            interval: told.interval,
            method: isCorrected ? 'paired-ppi-t' : 'paired-clustered-t',
            degrees: estimate.degrees,
            cases: pairs.length,
            clusters: estimate.clusters,
            canSee: VISIBLE * estimate.error,
            anytime: anytimeInterval(estimate) ?? null,
            ...midP(cases),
          },
    judged:
      judged === undefined
        ? null
        : {
            ...{ judge: judged.judge, marks, corrected: isCorrected },
            ...(judged.orders === undefined ? {} : { orders: judged.orders }),
          },
    missing,
    verdict,
    why,
  };
}

interface Pair {
  readonly id: string;
  readonly cluster: string;
  readonly difference: number;
}

/** A case counts when both variants have a score of it. */
function pairsOf(cases: readonly ScoredCase[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const { id, cluster, base, candidate } of cases) {
    const [a, b] = [scoredOf(base), scoredOf(candidate)];
    if (a.length > 0 && b.length > 0) pairs.push({ id, cluster, difference: meanOf(b) - meanOf(a) });
  }
  return pairs;
}

/** The difference of the variants over all cases that both have scores of. */
export const pairedDifference = (cases: readonly ScoredCase[]): Estimate | undefined =>
  differenceOf(pairsOf(cases));

const differenceOf = (pairs: readonly Pair[]): Estimate | undefined =>
  clusteredMean(
    pairs.map(({ difference }) => difference),
    guarded('eval.cluster', (): readonly string[] => pairs.map(({ cluster }) => cluster), []),
  );

const corrected = (pairs: readonly Pair[], { marks }: JudgedBy): Estimate | undefined =>
  markedMean(
    pairs.map(({ id, cluster, difference }) => ({
      judged: difference,
      cluster,
      ...(Object.hasOwn(marks, id) ? { mark: marks[id] as number } : {}),
    })),
  );

/** The mean of one variant with its interval; null where nothing has a score. */
export function meanWith(cases: readonly ScoredCase[], side: VariantSide): MeanWithInterval | null {
  const scored = cases
    .map((each) => ({ cluster: each.cluster, scores: scoredOf(each[side]) }))
    .filter(({ scores }) => scores.length > 0);
  if (scored.length === 0) return null;
  const estimate = clusteredMean(
    scored.map(({ scores }) => meanOf(scores)),
    scored.map(({ cluster }) => cluster),
  );
  if (estimate === undefined) return { mean: meanOf(scored.flatMap(({ scores }) => scores)), interval: null };
  const { low, high } = tInterval(estimate);
  return { mean: estimate.mean, interval: { low: Math.max(0, low), high: Math.min(1, high) } };
}

function midP(cases: readonly ScoredCase[]): { readonly midP?: number } {
  let [gains, losses] = [0, 0];
  for (const { base, candidate } of cases) {
    if (base.length !== 1 || candidate.length !== 1) return {};
    const [a, b] = [base[0], candidate[0]];
    if (typeof a !== 'number' || typeof b !== 'number') continue;
    if ((a !== 0 && a !== 1) || (b !== 0 && b !== 1)) return {};
    if (b > a) gains += 1;
    if (a > b) losses += 1;
  }
  return { midP: mcNemar(gains, losses).midP };
}
