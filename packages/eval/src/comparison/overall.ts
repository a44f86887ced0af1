import { guard } from '@cuebook/guard';
import type { Estimate } from '../statistics/estimate.js';
import { holm } from '../statistics/several.js';
import { tChance } from '../statistics/student.js';
import { type MetricComparison, type MetricScores, pairedDifference } from './metric.js';
import type { Judgement } from './verdict.js';
import { FEWEST_CLUSTERS } from './verdict.js';

/**
 * The answer of a whole comparison: that of the primary metric, unless a guard is worse. Several guards are tested
 * together (one-sided, Holm), so that more guards do not mean more false stops.
 */
export function overallVerdict(
  metrics: readonly MetricComparison[],
  scores: readonly MetricScores[],
): Pick<Judgement, 'verdict' | 'why'> {
  const primary = metrics.find(({ role }) => role === 'primary');
  if (primary === undefined) return { verdict: 'open', why: 'no metric is the primary one' };
  const guards = scores.filter(({ role }) => role === 'guard');
  const lost = guards.map(({ cases }) => chanceOfNoLoss(pairedDifference(cases)));
  const found = holm(lost);
  const worse = guards.filter((_, at) => found[at]).map(({ name }) => name);
  if (guard('eval.guards', worse.length > 0))
    return { verdict: 'worse', why: `guard ${worse.join(', ')} is worse` };
  return { verdict: primary.verdict, why: `${primary.name}: ${primary.why}` };
}

/** The chance of a loss as large as this one where there is none. */
const chanceOfNoLoss = (estimate: Estimate | undefined): number =>
  estimate === undefined || estimate.clusters < FEWEST_CLUSTERS
    ? 1
    : tChance(estimate.mean / estimate.error, estimate.degrees);
