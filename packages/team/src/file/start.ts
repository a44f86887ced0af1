import type { RunStart } from '../run/command.js';
import type { TeamSource } from './load.js';
import { doneOf, goalOf, nodesOf } from './nodes.js';

/** What a team file does not say about its run. */
export interface StartOptions {
  readonly run: string;
  readonly by: string;
  /** In the place of the goal that the file has. */
  readonly goal?: string;
  /** The names of all providers that can be spoken with. */
  readonly providers: readonly string[];
  /** Whether every provider of the team has a known price. */
  readonly priced: boolean;
}

/** The command that starts a run of a team file. */
export function startOf(source: TeamSource, { run, by, goal, providers, priced }: StartOptions): RunStart {
  const { mode, globalMode, verify, budget, limits, nodes, edges } = source.team;
  return {
    ...{ type: 'run.start', run, by, mode, globalMode, providers, priced, verify, budget, limits, edges },
    goal: goalOf(source, goal),
    done: doneOf(source),
    nodes: nodesOf(source).map((node, index) => ({ ...node, budget: nodes[index]?.budget })),
    roles: [...source.roles.values()],
  };
}
