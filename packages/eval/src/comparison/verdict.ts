import { guard } from '@cuebook/guard';
import type { Estimate, Interval } from '../statistics/estimate.js';
import { anytimeInterval, lookInterval, type PlannedLook } from '../statistics/looks.js';

/**
 * What a comparison answers. `better` and `worse`: the 95 % interval lies above or below zero. `no-worse`: a loss larger
 * than the margin is ruled out, with an error of 5 %. `open`: none of it is known, which is no pass.
 */
export type GateVerdict = 'better' | 'worse' | 'no-worse' | 'open';

export interface Judgement {
  readonly verdict: GateVerdict;
  /** One sentence. */
  readonly why: string;
  /** The 95 % interval that the verdict follows from. Null: nothing can be said. */
  readonly interval: Interval | null;
}

/** Fewer clusters than this tell too little about how clusters differ. */
export const FEWEST_CLUSTERS = 5;

export interface VerdictGate {
  readonly margin: number;
  /** The looks so far and those that were planned. Beyond the plan, only the any-time interval counts. */
  readonly look: PlannedLook;
}

/** The verdict on an estimated difference, candidate minus base. */
export function judgeDifference(estimate: Estimate | undefined, { margin, look }: VerdictGate): Judgement {
  if (estimate === undefined) return open('fewer than two clusters have a score under both variants');
  if (guard('eval.clusters', estimate.clusters < FEWEST_CLUSTERS))
    return {
      ...open(`${estimate.clusters} clusters are too few: at least ${FEWEST_CLUSTERS} are needed`),
      interval: lookInterval(estimate, { look: 1, planned: 1 }, 0.05) ?? null,
    };
  const isBeyond = guard('eval.looks', look.look > look.planned);
  const within: PlannedLook = { look: Math.min(look.look, look.planned), planned: look.planned };
  const interval = isBeyond ? anytimeInterval(estimate) : lookInterval(estimate, within, 0.05);
  const oneSided = isBeyond ? anytimeInterval(estimate, { alpha: 0.1 }) : lookInterval(estimate, within, 0.1);
  if (interval === undefined || oneSided === undefined)
    return open(`look ${look.look} was not planned, and an interval for any look needs 50 clusters`);
  const beyond = isBeyond ? ` over any number of looks (${look.look} taken, ${look.planned} planned)` : '';
  if (interval.high < 0) return { verdict: 'worse', why: `the interval lies below zero${beyond}`, interval };
  if (interval.low > 0) return { verdict: 'better', why: `the interval lies above zero${beyond}`, interval };
  if (oneSided.low > -margin)
    return { verdict: 'no-worse', why: `a loss of more than ${margin} is ruled out${beyond}`, interval };
  return { ...open(`a loss of more than ${margin} is not ruled out${beyond}`), interval };
}

const open = (why: string): Judgement => ({ verdict: 'open', why, interval: null });

/** What a judge alone says may stop a change and never pass it: a judge that likes one style invents differences. */
export function asJudged(judgement: Judgement): Judgement {
  const passes = judgement.verdict === 'better' || judgement.verdict === 'no-worse';
  if (!guard('eval.judged', passes)) return judgement;
  return {
    ...judgement,
    verdict: 'open',
    why: `as the judge sees it: ${judgement.why}; marks of both variants are needed to pass`,
  };
}
