import { isId } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { findAgent } from './cards.js';
import type { PlatformParts } from './desk.js';
import { type Arm, assignCohorts, type Experiment, type ExperimentError } from './experiment/cohort.js';
import { type Comparison, compareArms, type Tallies, tallyOutcomes } from './experiment/compare.js';
import type { Rollout, RolloutPlan } from './experiment/rollout.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';
import { findLibrary } from './library/library.js';

export const experimentSubject = (id: string): LedgerSubject => ({ name: 'platform.experiment', key: id });
export const outcomesSubject = (id: string): LedgerSubject => ({ name: 'platform.outcome', key: id });

/** An experiment as it is kept: with the plan of its rollout, once there was a step of it. */
export interface RunningExperiment extends Experiment {
  readonly rollout?: Omit<Rollout, 'stage'> & { readonly plan: RolloutPlan };
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

/** Ends an experiment. Agents get the active version with the next publication. */
export async function endExperiment(
  { store }: PlatformParts,
  id: string,
  by: string,
): Promise<Result<void, RecordError | ExperimentError>> {
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

/** What came of one agent's use of a scenario: 0 to 1, 1 is best. */
export interface UseOutcome {
  readonly agent: string;
  readonly scenario: string;
  readonly metric: string;
  readonly value: number;
}

/** Counts an outcome for the arm that the platform published, whatever the agent says. False: there is no trial. */
export async function countOutcome(
  parts: PlatformParts,
  { agent, scenario, metric, value }: UseOutcome,
): Promise<Result<boolean, RecordError>> {
  const cohorts = (await findAgent(parts, agent))?.published?.cohorts ?? {};
  const [experiment = '', arm = ''] = (
    Object.hasOwn(cohorts, scenario) ? (cohorts[scenario] ?? '') : ''
  ).split('/');
  if (experiment === '' || !(value >= 0 && value <= 1)) return ok(false);
  const counted = { experiment, arm: arm as Arm, metric, value };
  return change<Tallies, boolean, never>(parts.store, outcomesSubject(experiment), (before) =>
    ok({
      events: [{ type: 'outcome.counted', data: { agent, ...counted } }],
      state: tallyOutcomes(experiment, [counted], before),
      answer: true,
    }),
  );
}

/** How the arms of an experiment compare now, by metric. It may be looked at every day. */
export async function compareOutcomes(
  { store }: Pick<PlatformParts, 'store'>,
  experiment: string,
): Promise<readonly Comparison[]> {
  const tallies = await stateOf<Tallies>(store, outcomesSubject(experiment));
  return Object.entries(tallies ?? {}).map(([metric, arms]) => compareArms(metric, arms));
}
