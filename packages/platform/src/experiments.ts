import { isId } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import { type Arm, assignCohorts, type Experiment, type ExperimentError } from './experiment/cohort.js';
import { type Comparison, compareArms, type Tallies, tallyOutcomes } from './experiment/compare.js';
import type { PlanLength } from './experiment/plan-length.js';
import { planTuning, type Rollout, type RolloutPlan } from './experiment/rollout.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';
import { findLibrary } from './library/library.js';

export const experimentSubject = (id: string): LedgerSubject => ({ name: 'platform.experiment', key: id });
export const outcomesSubject = (id: string): LedgerSubject => ({ name: 'platform.outcome', key: id });

/** An experiment that was ended, as it was then. No name of an experiment has a space. */
export const endedSubject = (id: string): LedgerSubject => ({ name: 'platform.outcome', key: `${id} ended` });

/** An experiment as it is kept: with the plan of its rollout, once there was a step of it. */
export interface RunningExperiment extends Experiment {
  readonly rollout?: Omit<Rollout, 'stage'> & {
    readonly plan: RolloutPlan;
    readonly length?: PlanLength | null;
  };
}

/**
 * Begins an experiment or changes its share. It reaches agents with the next publication. Under one name one pair of
 * versions is compared: once something was counted, another pair needs another name. A share that a person sets
 * makes the rollout go on, with its plan and all that was counted.
 */
export async function setExperiment(
  parts: PlatformParts,
  experiment: Experiment,
  by: string,
): Promise<Result<void, RecordError | ExperimentError>> {
  if (guard('experiment.id', !isId(experiment.id)))
    return fail({ code: 'E_EXPERIMENT', reason: 'bad-id', experiment: experiment.id });
  const others = (await listExperiments(parts)).filter(({ id }) => id !== experiment.id);
  const { active, library, record } = await findLibrary(parts);
  // A version that goes with the next signature would leave the experiment without an arm.
  const leaving = record.templates.flatMap(({ scenario, retiring }) => (retiring === true ? [scenario] : []));
  const stays = { active, library: library.filter((scenario) => !leaving.includes(scenario)) };
  // Each arm is tried on an agent that does not exist: what cannot be assigned is refused before it is on record.
  for (const share of [experiment.share, 0, 1]) {
    const tried = assignCohorts('trial', [...others, { ...experiment, share }], stays);
    if (!tried.ok) return tried;
  }
  const { id, scenario, control, candidate, share } = experiment;
  const set: Experiment = { id, scenario, control, candidate, share };
  return change<RunningExperiment, void, ExperimentError>(
    parts.store,
    experimentSubject(id),
    async (known) => {
      const isSame =
        known?.scenario === scenario && known.control === control && known.candidate === candidate;
      const isCounted = (await stateOf<Tallies>(parts.store, outcomesSubject(id))) !== undefined;
      if (guard('experiment.counted', isCounted && !isSame))
        return fail({ code: 'E_EXPERIMENT', reason: 'counted', experiment: id });
      const { rollout } = known ?? {};
      return ok({
        events: [{ type: 'experiment.set', data: { by, ...set } }],
        state: { ...set, ...(rollout === undefined ? {} : { rollout: { ...rollout, status: 'running' } }) },
        answer: undefined,
      });
    },
  );
}

/** Ends an experiment. Agents get the active version with the next publication; what was found stays readable. */
export async function endExperiment(
  { store }: PlatformParts,
  id: string,
  by: string,
): Promise<Result<void, RecordError | ExperimentError>> {
  const running = await stateOf<RunningExperiment | null>(store, experimentSubject(id));
  if (running) {
    const kept = await change<RunningExperiment, void, never>(store, endedSubject(id), () =>
      ok({ events: [{ type: 'experiment.kept', data: { by, id } }], state: running, answer: undefined }),
    );
    if (!kept.ok) return kept;
  }
  return change<RunningExperiment | null, void, ExperimentError>(store, experimentSubject(id), (known) =>
    known === undefined || known === null
      ? fail({ code: 'E_EXPERIMENT', reason: 'no-version', experiment: id })
      : ok({ events: [{ type: 'experiment.ended', data: { by, id } }], state: null, answer: undefined }),
  );
}

export async function listExperiments({
  store,
}: Pick<PlatformParts, 'store'>): Promise<readonly RunningExperiment[]> {
  return [...(await store.projections('platform.experiment')).values()] as unknown as RunningExperiment[];
}

/** What came of one agent's use of a scenario on a day: 0 to 1, 1 is best. */
export interface UseOutcome {
  readonly agent: string;
  readonly metric: string;
  readonly arm: Arm;
  readonly value: number;
}

/** Counts the outcomes of a day for one experiment, once: the same day again changes nothing. */
export function countOutcomes(
  { store }: Pick<PlatformParts, 'store'>,
  {
    experiment,
    day,
    outcomes,
  }: { readonly experiment: string; readonly day: string; readonly outcomes: readonly UseOutcome[] },
): Promise<Result<number, RecordError>> {
  return change<Tallies, number, never>(
    store,
    outcomesSubject(experiment),
    (before) =>
      ok({
        events: outcomes.map((outcome) => ({
          type: 'outcome.counted',
          data: { experiment, day, ...outcome },
        })),
        state: tallyOutcomes(
          experiment,
          outcomes.map((outcome) => ({ experiment, ...outcome })),
          before,
        ),
        answer: outcomes.length,
      }),
    `count/${day}`,
  );
}

/** How the arms of an experiment compare now, by metric, as its plan looks at them. It may be looked at every day. */
export async function compareOutcomes(
  { store }: Pick<PlatformParts, 'store'>,
  experiment: string,
): Promise<readonly Comparison[]> {
  const tallies = await stateOf<Tallies>(store, outcomesSubject(experiment));
  const known = await stateOf<RunningExperiment | null>(store, experimentSubject(experiment));
  const plan = known?.rollout?.plan;
  return Object.entries(tallies ?? {}).map(([metric, arms]) =>
    compareArms(metric, arms, plan === undefined ? undefined : planTuning(plan)),
  );
}
