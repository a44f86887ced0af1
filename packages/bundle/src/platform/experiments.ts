import { fail, ok, type Result } from '@cuebook/prompt';
import { type Arm, assignCohorts, type Experiment, type ExperimentError } from '../experiment/cohort.js';
import { type Comparison, compareArms, type Tallies, tallyOutcomes } from '../experiment/compare.js';
import { findAgent } from './cards.js';
import type { PlatformParts } from './desk.js';
import { change, type RecordError, type Subject } from './ledger.js';

const subjectOf = (id: string): Subject => ({ name: 'platform.experiment', key: id });

/** Begins an experiment or changes its share. It reaches agents with the next publication. */
export async function setExperiment(
  parts: PlatformParts,
  experiment: Experiment,
  by: string,
): Promise<Result<void, RecordError | ExperimentError>> {
  const others = (await listExperiments(parts)).filter(({ id }) => id !== experiment.id);
  // Each arm is tried on an agent that does not exist: what cannot be assigned is refused before it is on record.
  for (const share of [experiment.share, 0, 1]) {
    const tried = assignCohorts('trial', [...others, { ...experiment, share }], parts);
    if (!tried.ok) return tried;
  }
  return change<Experiment, void, never>(parts.store, subjectOf(experiment.id), () =>
    ok({
      events: [{ type: 'experiment.set', data: { by, ...experiment } }],
      state: experiment,
      answer: undefined,
    }),
  );
}

/** Ends an experiment. Agents get the active version with the next publication. */
export async function endExperiment(
  { store }: PlatformParts,
  id: string,
  by: string,
): Promise<Result<void, RecordError | ExperimentError>> {
  return change<Experiment | null, void, ExperimentError>(store, subjectOf(id), (known) =>
    known === undefined || known === null
      ? fail({ code: 'E_EXPERIMENT', reason: 'no-version', experiment: id })
      : ok({ events: [{ type: 'experiment.ended', data: { by, id } }], state: null, answer: undefined }),
  );
}

export async function listExperiments({
  store,
}: Pick<PlatformParts, 'store'>): Promise<readonly Experiment[]> {
  return [...(await store.projections('platform.experiment')).values()] as unknown as Experiment[];
}

/** What came of one agent's use of a scenario: 0 to 1, 1 is best. */
export interface Outcome {
  readonly agent: string;
  readonly scenario: string;
  readonly metric: string;
  readonly value: number;
}

/** Counts an outcome for the arm that the platform published, whatever the agent says. False: there is no trial. */
export async function countOutcome(
  parts: PlatformParts,
  { agent, scenario, metric, value }: Outcome,
): Promise<Result<boolean, RecordError>> {
  const cohorts = (await findAgent(parts, agent))?.published?.cohorts ?? {};
  const [experiment = '', arm = ''] = (
    Object.hasOwn(cohorts, scenario) ? (cohorts[scenario] ?? '') : ''
  ).split('/');
  if (experiment === '' || !(value >= 0 && value <= 1)) return ok(false);
  const counted = { experiment, arm: arm as Arm, metric, value };
  const subject: Subject = { name: 'platform.outcome', key: experiment };
  return change<Tallies, boolean, never>(parts.store, subject, (before) =>
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
  const tallies = (await store.projection('platform.outcome', experiment)) as Tallies | undefined;
  return Object.entries(tallies ?? {}).map(([metric, arms]) => compareArms(metric, arms));
}
