import { isDeepStrictEqual } from 'node:util';
import { isId } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';
import type { Comparison, Tallies } from './experiment/compare.js';
import { type Expectation, isExpectation, type PlanLength, planLength } from './experiment/plan-length.js';
import {
  decideRollout,
  PLANNED,
  planTuning,
  type Rollout,
  type RolloutDecision,
  type RolloutPlan,
} from './experiment/rollout.js';
import { experimentSubject, outcomesSubject, type RunningExperiment } from './experiments.js';
import { change, type RecordError, stateOf } from './ledger.js';

/** What one step of a rollout decided, with everything that it was decided on. Plain JSON, and on record as it is. */
export interface RolloutStep {
  readonly experiment: string;
  readonly type: RolloutDecision['type'];
  readonly status: Rollout['status'];
  /** The share before and after. */
  readonly from: number;
  readonly share: number;
  /** The metric that decided, if one did. */
  readonly metric?: string;
  readonly plan: RolloutPlan;
  /** How long it takes, as it was computed with the first step. */
  readonly length: PlanLength | null;
  /** Counts, means and intervals by arm, and the difference, of each metric of the plan. */
  readonly comparisons: readonly Comparison[];
}

/** What is asked for. The plan is fixed with the first step; later ones leave it out or name the same one. */
export interface RolloutRequest {
  readonly experiment: string;
  readonly by: string;
  readonly plan?: RolloutPlan;
  /** The same id again answers the same and changes nothing. */
  readonly command?: string;
  /** Decides and writes nothing. */
  readonly dryRun?: boolean;
  /** A person's word that everybody may get the candidate. */
  readonly promote?: boolean;
  /** Goes back where it must, and does nothing else. */
  readonly haltOnly?: boolean;
}

/** `E_EXPERIMENT`: there is no such experiment, or the plan is not one, or not the one that it began with. */
export type RolloutError =
  | RecordError
  | {
      readonly code: 'E_EXPERIMENT';
      readonly reason: 'unknown' | 'bad-plan' | 'other-plan';
      readonly experiment: string;
    };

/** Where no plan is named: from a twentieth to everybody, for what people like and without fewer answers. */
export const DEFAULT_PLAN: RolloutPlan = {
  stages: [0.05, 0.25, 0.5, 1],
  outcomes: 200,
  metric: 'liked',
  guards: ['answered'],
  margin: 0.05,
};

/**
 * One step of the rollout of an experiment: decides on what was counted, and puts the decision, its evidence and the
 * new share on record in one write. It may be taken every day. A finished rollout has share 1 and a rolled-back one
 * share 0; both stay until the experiment is ended. It reaches agents with the next publication.
 */
export async function stepRollout(
  { store }: Pick<PlatformParts, 'store'>,
  {
    experiment: id,
    by,
    plan: named,
    command,
    dryRun = false,
    promote = false,
    haltOnly = false,
  }: RolloutRequest,
): Promise<Result<RolloutStep, RolloutError>> {
  if (guard('rollout.plan', named !== undefined && !isPlan(named))) return refuse('bad-plan', id);
  const agents = (await listAgents({ store })).filter(({ published }) => published !== undefined).length;
  return change<RunningExperiment, RolloutStep, RolloutError>(
    store,
    experimentSubject(id),
    async (known) => {
      if (known === undefined || known === null) return refuse('unknown', id);
      const { rollout = beginRollout(named ?? DEFAULT_PLAN, agents, known.share), share: from } = known;
      const { plan, length = null } = rollout;
      const isOther = named !== undefined && !isDeepStrictEqual(plainPlan(named), plainPlan(plan));
      if (guard('rollout.same-plan', isOther)) return refuse('other-plan', id);
      const tallies = (await stateOf<Tallies>(store, outcomesSubject(id))) ?? {};
      // The stage is the share as it is now, whoever set it: a step never makes it smaller but to go back.
      const stages = [from, ...plan.stages.filter((stage) => stage > from)];
      const decided = decideRollout({ ...plan, stages }, { ...rollout, stage: 0 }, tallies, { promote });
      const { type, share, metric, comparisons } = decided;
      const { status, since } = decided.rollout;
      const step: RolloutStep = {
        experiment: id,
        type,
        status,
        from,
        share,
        ...(metric === undefined ? {} : { metric }),
        plan,
        length,
        comparisons,
      };
      if (dryRun || (haltOnly && type !== 'roll-back')) return ok({ events: [], answer: step });
      const { rollout: _, ...experiment } = { ...known, share };
      const next = { plan, length, status, ...(since === undefined ? {} : { since }) };
      return ok({
        events: [
          { type: 'rollout.decided', data: { by, ...step } as never },
          ...(share === from ? [] : [{ type: 'experiment.set', data: { by, ...experiment } }]),
        ],
        state: { ...experiment, rollout: next },
        answer: step,
      });
    },
    command === undefined || dryRun ? undefined : `rollout/${command}`,
  );
}

/** The plan with its length, for as many agents as are published now. */
export function beginRollout(
  plan: RolloutPlan,
  agents: number,
  share: number,
): NonNullable<RunningExperiment['rollout']> {
  const expected = expectationOf(plan, agents, share);
  return { plan, length: isExpectation(expected) ? planLength(expected) : null, status: 'running' };
}

/** What a plan expects, with the usual where it says nothing. */
export function expectationOf(plan: RolloutPlan, agents: number, share: number): Expectation {
  const { baseline, effect, power, spread, perDay } = { ...PLANNED, ...defined(plan) };
  return {
    ...{ baseline, effect, power, spread, perDay, agents, share },
    harm: plan.harm ?? Math.min(2 * effect, baseline / 2),
    alpha: planTuning(plan).alpha,
  };
}

const defined = (plan: RolloutPlan): Partial<typeof plan> =>
  Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));

/** Bounded, with stages that grow to everybody. */
function isPlan(plan: RolloutPlan): boolean {
  const { stages, outcomes, metric, guards, margin, alpha = 0.05 } = plan;
  const grow = stages.every((stage, n) => stage > (stages[n - 1] ?? 0) && stage <= 1);
  return (
    grow &&
    stages.at(-1) === 1 &&
    stages.length <= 20 &&
    Number.isSafeInteger(outcomes) &&
    outcomes >= 1 &&
    [metric, ...guards].every(isId) &&
    guards.length <= 20 &&
    margin >= 0 &&
    margin <= 1 &&
    alpha > 0 &&
    alpha < 1 &&
    isExpectation(expectationOf(plan, 100, 0.5))
  );
}

/** Without members that are undefined, as the record gives it back. */
const plainPlan = (plan: RolloutPlan): unknown => JSON.parse(JSON.stringify(plan));

const refuse = (reason: Extract<RolloutError, { code: 'E_EXPERIMENT' }>['reason'], experiment: string) =>
  fail<RolloutError>({ code: 'E_EXPERIMENT', reason, experiment });
