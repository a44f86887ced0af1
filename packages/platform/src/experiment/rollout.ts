import { guard } from '@cuebook/guard';
import type { Arm } from './cohort.js';
import { type Comparison, compareArms, DEFAULT_ALPHA, NOTHING, type Tallies } from './compare.js';
import { type Tuning, tuningFor } from './interval.js';

/** How a candidate becomes the version of everybody. */
export interface RolloutPlan {
  /** The share of agents at each stage, growing; the last is 1. */
  readonly stages: readonly number[];
  /** What has to be counted in each arm during a stage before it is left. */
  readonly outcomes: number;
  /** The metric that the candidate is for. */
  readonly metric: string;
  /** Metrics that must not get worse. */
  readonly guards: readonly string[];
  /** A loss up to this much is one that can be lived with. */
  readonly margin: number;
  /** For all metrics together, over the whole rollout. */
  readonly alpha?: number;
  /** The smallest difference of the metric that is worth finding, and the chance with which it is to be found. */
  readonly effect?: number;
  readonly power?: number;
  /** A loss that must be stopped soon. */
  readonly harm?: number;
  /** What the metric is now, how far agents lie apart by themselves, and how many outcomes one of them has a day. */
  readonly baseline?: number;
  readonly spread?: number;
  readonly perDay?: number;
}

/** What is taken where a plan says nothing. */
export const PLANNED = {
  ...{ alpha: DEFAULT_ALPHA, effect: 0.05, power: 0.8, baseline: 0.3, spread: 0, perDay: 1 },
} as const;

/** The metrics of a plan, each once. */
export const metricsOf = ({ metric, guards }: RolloutPlan): readonly string[] => [
  ...new Set([metric, ...guards]),
];

/** How sure each metric of a plan must be, and for which effect it is looked at. Fixed with the plan. */
export const planTuning = (plan: RolloutPlan): Tuning =>
  tuningFor(
    plan.effect ?? PLANNED.effect,
    plan.power ?? PLANNED.power,
    (plan.alpha ?? PLANNED.alpha) / metricsOf(plan).length,
  );

export interface Rollout {
  /** An index of `stages`. */
  readonly stage: number;
  readonly status: 'running' | 'finished' | 'rolled-back';
  /** By metric, what had been counted when the stage began; nothing when left out. */
  readonly since?: Readonly<Record<string, Readonly<Record<Arm, number>>>>;
}

export interface RolloutDecision {
  readonly rollout: Rollout;
  /** The share to publish from now on. */
  readonly share: number;
  /** `ready`: the next share is everybody, which only a person decides. */
  readonly type: 'hold' | 'advance' | 'ready' | 'finish' | 'roll-back';
  /** The metric that decided, if one did. */
  readonly metric?: string;
  readonly comparisons: readonly Comparison[];
}

/**
 * The next step of a rollout, from what was counted so far. Pure, and safe to ask every day. It goes back at once
 * when any metric is worse beyond doubt; it goes on only when enough was counted and every metric is beyond doubt
 * no worse than the margin. Everybody gets the candidate only when a person says so with `promote`.
 */
export function decideRollout(
  plan: RolloutPlan,
  rollout: Rollout,
  tallies: Tallies,
  { promote = false }: { readonly promote?: boolean } = {},
): RolloutDecision {
  const tuning = planTuning(plan);
  const comparisons = metricsOf(plan).map((metric) =>
    compareArms(metric, Object.hasOwn(tallies, metric) ? (tallies[metric] ?? NOTHING) : NOTHING, tuning),
  );
  const share = shareOf(plan, rollout);
  if (rollout.status !== 'running') return { rollout, share, type: 'hold', comparisons };
  const worse = comparisons.find(({ verdict }) => verdict === 'worse');
  if (guard('rollout.worse', worse !== undefined)) {
    const back: Rollout = { ...rollout, status: 'rolled-back' };
    return { rollout: back, share: 0, type: 'roll-back', metric: worse?.metric ?? '', comparisons };
  }
  const unsure = comparisons.find(
    (comparison) =>
      countedSince(rollout, comparison) < plan.outcomes || comparison.difference.low < -plan.margin,
  );
  if (guard('rollout.unsure', unsure !== undefined))
    return { rollout, share, type: 'hold', metric: unsure?.metric ?? '', comparisons };
  const isLast = rollout.stage >= plan.stages.length - 2;
  if (guard('rollout.promote', isLast && !promote)) return { rollout, share, type: 'ready', comparisons };
  const since = Object.fromEntries(
    comparisons.map(({ metric, arms }) => [
      metric,
      { control: arms.control.count, candidate: arms.candidate.count },
    ]),
  );
  const next: Rollout = { stage: rollout.stage + 1, status: isLast ? 'finished' : 'running', since };
  return {
    rollout: next,
    share: shareOf(plan, next),
    type: isLast ? 'finish' : 'advance',
    comparisons,
  };
}

/** In the arm that has less. What led to a stage does not count for leaving it. */
function countedSince({ since = {} }: Rollout, { metric, arms }: Comparison): number {
  const before = Object.hasOwn(since, metric) ? since[metric] : undefined;
  return Math.min(
    arms.control.count - (before?.control ?? 0),
    arms.candidate.count - (before?.candidate ?? 0),
  );
}

const shareOf = ({ stages }: RolloutPlan, { stage, status }: Rollout): number =>
  status === 'rolled-back'
    ? 0
    : status === 'finished'
      ? 1
      : (stages[Math.min(stage, stages.length - 1)] ?? 0);
