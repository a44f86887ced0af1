import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import {
  compareOutcomes,
  endedSubject,
  experimentSubject,
  outcomesSubject,
  type RunningExperiment,
} from '../experiments.js';
import { stateOf } from '../ledger.js';
import { DEFAULT_PLAN } from '../rollout.js';
import type { Arm, Experiment, ExperimentError } from './cohort.js';
import { type Comparison, compareArms, NOTHING, type Tallies } from './compare.js';
import { bestRatio, informationOf } from './interval.js';
import type { PlanLength } from './plan-length.js';
import { decideRollout, metricsOf, planTuning, type RolloutDecision, type RolloutPlan } from './rollout.js';

/** Everything that is known of an experiment, on one page. Looking changes nothing, and may be done every day. */
export interface ExperimentResult extends Experiment {
  readonly status: 'running' | 'finished' | 'rolled-back' | 'ended';
  readonly plan: RolloutPlan;
  /** As it was computed with the first step; null before it. */
  readonly length: PlanLength | null;
  /** Of the metric of the plan: how much of the planned information there is, 0 to 1. */
  readonly progress: number;
  /** Agents that have each arm now. */
  readonly cohorts: Readonly<Record<Arm, number>>;
  /** Metrics of the plan first, then whatever else was counted. */
  readonly comparisons: readonly Comparison[];
  /** What the next step would do; null when the experiment has ended. */
  readonly next: RolloutDecision['type'] | null;
}

export async function viewResult(
  parts: Pick<PlatformParts, 'store'>,
  id: string,
): Promise<Result<ExperimentResult, ExperimentError>> {
  const running = await stateOf<RunningExperiment | null>(parts.store, experimentSubject(id));
  const found = running ?? (await stateOf<RunningExperiment>(parts.store, endedSubject(id)));
  if (!found) return fail({ code: 'E_EXPERIMENT', reason: 'unknown', experiment: id });
  const { rollout, ...experiment } = found;
  const plan = rollout?.plan ?? DEFAULT_PLAN;
  const tuning = planTuning(plan);
  const tallies = (await stateOf<Tallies>(parts.store, outcomesSubject(id))) ?? {};
  const tallyOf = (metric: string) =>
    Object.hasOwn(tallies, metric) ? (tallies[metric] ?? NOTHING) : NOTHING;
  const planned = metricsOf(plan);
  const others = (await compareOutcomes(parts, id)).filter(({ metric }) => !planned.includes(metric));
  const { control, candidate } = tallyOf(plan.metric);
  const stages = [experiment.share, ...plan.stages.filter((stage) => stage > experiment.share)];
  const standing = { stage: 0, status: rollout?.status ?? 'running', ...sinceOf(rollout) } as const;
  return ok({
    ...experiment,
    status: running ? (rollout?.status ?? 'running') : 'ended',
    plan,
    length: rollout?.length ?? null,
    progress: Math.min(1, informationOf(control, candidate) / neededInformation(plan)),
    cohorts: await cohortsOf(parts, experiment),
    comparisons: [...planned.map((metric) => compareArms(metric, tallyOf(metric), tuning)), ...others],
    next: running ? decideRollout({ ...plan, stages }, standing, tallies).type : null,
  });
}

const sinceOf = (rollout: RunningExperiment['rollout']) =>
  rollout?.since === undefined ? {} : { since: rollout.since };

/** The information at which the interval is tuned to tell the planned effect. */
function neededInformation(plan: RolloutPlan): number {
  const { alpha, tau2 } = planTuning(plan);
  return bestRatio(alpha) / tau2;
}

async function cohortsOf(
  parts: Pick<PlatformParts, 'store'>,
  experiment: Experiment,
): Promise<Readonly<Record<Arm, number>>> {
  const arms = { control: 0, candidate: 0 };
  for (const { published } of await listAgents(parts)) {
    const [id, arm] = (published?.cohorts[experiment.scenario] ?? '').split('/');
    if (id === experiment.id && (arm === 'control' || arm === 'candidate')) arms[arm] += 1;
  }
  return arms;
}
