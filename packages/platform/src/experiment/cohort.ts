import { createHash } from 'node:crypto';
import type { Scenario } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';

/** Two versions of one scenario side by side. */
export interface Experiment {
  readonly id: string;
  readonly scenario: string;
  readonly control: number;
  readonly candidate: number;
  /** Of all agents, how many get the candidate: 0 to 1. It may grow; who has the candidate keeps it. */
  readonly share: number;
}

export type Arm = 'control' | 'candidate';

/** `E_EXPERIMENT`: experiments that cannot be assigned. */
export interface ExperimentError {
  readonly code: 'E_EXPERIMENT';
  readonly reason:
    | 'bad-share'
    | 'same-scenario'
    | 'no-version'
    | 'bad-id'
    | 'counted'
    | 'unknown'
    | 'same-version';
  readonly experiment: string;
}

/** What an agent is given: for its publication, as it is. */
export interface Assigned {
  readonly scenarios: readonly Scenario[];
  /** By scenario: `EXPERIMENT/ARM`. Signed in the bundle, so an agent can read its arm and not choose it. */
  readonly cohorts: Readonly<Record<string, string>>;
}

/**
 * The arm of an agent. It follows from the ids alone: the same in every process, independent between experiments,
 * and a growing share moves agents from control to candidate, never back.
 */
export function armOf({ id, share }: Pick<Experiment, 'id' | 'share'>, agent: string): Arm {
  const digest = createHash('sha256')
    .update(JSON.stringify(['cohort', id, agent]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48 < share ? 'candidate' : 'control';
}

/** The scenarios of one agent's bundle: the active versions, except where an experiment says otherwise. */
export function assignCohorts(
  agent: string,
  experiments: readonly Experiment[],
  { active, library }: { readonly active: readonly Scenario[]; readonly library: readonly Scenario[] },
): Result<Assigned, ExperimentError> {
  const chosen = new Map(active.map((scenario) => [scenario.id, scenario]));
  const cohorts: Record<string, string> = {};
  for (const experiment of experiments) {
    const problem = problemOf(experiment, cohorts);
    if (problem !== undefined) return refuse(problem, experiment);
    const arm = armOf(experiment, agent);
    const scenario = library.find(
      ({ id, version }) => id === experiment.scenario && version === experiment[arm],
    );
    if (scenario === undefined) return refuse('no-version', experiment);
    chosen.set(scenario.id, scenario);
    cohorts[experiment.scenario] = `${experiment.id}/${arm}`;
  }
  return ok({ scenarios: shared(active, [...chosen.values()]), cohorts });
}

/** The same list for all who are given the same versions: what is made of it is made once. */
function shared(active: readonly Scenario[], scenarios: readonly Scenario[]): readonly Scenario[] {
  const lists = LISTS.get(active) ?? new Map<string, readonly Scenario[]>();
  LISTS.set(active, lists);
  const name = scenarios.map(({ id, version }) => `${id}@${version}`).join(' ');
  const known = lists.get(name);
  if (known?.every((scenario, at) => scenario === scenarios[at]) === true) return known;
  lists.set(name, scenarios);
  return scenarios;
}

const LISTS = new WeakMap<readonly Scenario[], Map<string, readonly Scenario[]>>();

/** Two experiments on one scenario would each measure the other. */
function problemOf(
  { share, scenario }: Experiment,
  cohorts: Readonly<Record<string, string>>,
): ExperimentError['reason'] | undefined {
  if (!(share >= 0 && share <= 1)) return 'bad-share';
  return guard('experiment.one-each', Object.hasOwn(cohorts, scenario)) ? 'same-scenario' : undefined;
}

const refuse = (reason: ExperimentError['reason'], { id }: Experiment) =>
  fail<ExperimentError>({ code: 'E_EXPERIMENT', reason, experiment: id });
