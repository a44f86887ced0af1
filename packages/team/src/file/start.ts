import type { RunStart } from '../run/command.js';
import { type LimitsInput, withLimits } from '../run/limits.js';
import type { TeamSource } from './load.js';
import { doneOf, edgesOf, goalOf, nodesOf } from './nodes.js';

/** What a team file does not say about its run. */
export interface TeamStartOptions {
  readonly run: string;
  readonly by: string;
  /** In the place of the goal that the file has. */
  readonly goal?: string;
  /** What a person lets the run spend: it goes before what the file says. */
  readonly budget?: RunStart['budget'];
  /** The names of all providers that can be spoken with. */
  readonly providers: readonly string[];
  /** Whether every provider of the team has a known price. */
  readonly priced: boolean;
  /** What the project says of the limits of all its runs: the file goes before it. */
  readonly projectLimits?: LimitsInput;
  /** What a person says of those of this run: it goes before all. */
  readonly limits?: LimitsInput;
}

/** The command that starts a run of a team file. */
export function startOf(source: TeamSource, options: TeamStartOptions): RunStart {
  const { run, by, goal, providers, priced, projectLimits = {}, limits: given } = options;
  const { mode, globalMode, verify, nodes } = source.team;
  const budget = { ...source.team.budget, ...options.budget };
  const own = Object.entries(source.team.budget).filter(
    ([unit]) => !Object.hasOwn(options.budget ?? {}, unit),
  );
  const team = { ...source.team, budget: Object.fromEntries(own) };
  const limits = withLimits(withLimits(projectLimits, source.team.limits), given);
  return {
    ...{ type: 'run.start', run, by, mode, globalMode, providers, priced, verify, budget, limits },
    edges: edgesOf(source),
    goal: goalOf(source, goal),
    done: doneOf(source),
    nodes: nodesOf({ ...source, team }).map((node, index) => ({ ...node, budget: nodes[index]?.budget })),
    roles: [...source.roles.values()],
  };
}
