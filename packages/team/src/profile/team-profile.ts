import { type Composed, nearest, type Profile } from '@cuebook/profile';
import { z } from 'zod';
import { providerSchema } from '../call/tools.js';
import { checkTeam } from '../file/check.js';
import { findTeams, loadTeam, type TeamSource } from '../file/load.js';
import { doneOf, goalOf, nodesOf } from '../file/nodes.js';
import { makeEdge } from '../graph/edge.js';
import type { TeamNode } from '../graph/node.js';
import { findNode } from '../graph/reference.js';
import { settleWorkspaces } from '../graph/workspace.js';
import type { RoleTemplate } from '../role/template.js';
import { firstPrompt } from './first-prompt.js';
import { globalModeInput, goalInput, providerInput } from './inputs.js';
import { ownFile, rolesOf, textsOfTeam } from './texts.js';

const input = z.object({
  node: z.string().min(1).optional().describe('The node of the team whose prompt is shown, by alias'),
  nodeProvider: providerInput(providerSchema),
  globalMode: globalModeInput,
  goal: goalInput,
});
type Input = z.infer<typeof input>;

/** Team files: a graph of nodes with roles, providers and rights. */
export const teamProfile: Profile<TeamSource, typeof input> = {
  prefix: 'team',
  summary: 'a team of agents (team.yaml, NAME.team.yaml, or a file in teams/)',
  examples: [],
  input,
  find: findTeams,
  load: loadTeam,
  check: checkTeam,
  files: ({ file, roles, team }) => [file, ...rolesOf(team, roles).flatMap(ownFile)],
  texts: textsOfTeam,
  sample: () => ({}),
  compose: composeTeam,
};

/** The first prompt of one node: the one that is asked for, else the one that begins the run. */
function composeTeam(source: TeamSource, { node: wanted, nodeProvider, globalMode, goal }: Input): Composed {
  const { team } = source;
  if (source.isPartial === true) return { ok: false, diagnostics: [] };
  const named = nodesOf(source).map((node): TeamNode => ({ id: idOf(node.alias ?? ''), depth: 0, ...node }));
  // What cannot be settled `check` has told.
  const settled = settleWorkspaces(named);
  const nodes = settled.ok ? settled.value : named;
  const entry = nodes.find(({ orchestrator }) => orchestrator) ?? nodes[0];
  const found = wanted === undefined ? entry : findNode(nodes, wanted);
  if (found === undefined) return unknownNode(wanted ?? '', nodes);
  const node = nodeProvider === undefined ? found : { ...found, provider: nodeProvider };
  return {
    ok: true,
    value: firstPrompt({
      node,
      role: source.roles.get(node.role) as RoleTemplate,
      nodes: nodes.map((each) => (each === found ? node : each)),
      edges: team.edges.map((edge, index) =>
        makeEdge({ ...edge, id: `edge_${index + 1}`, from: idOf(edge.from), to: idOf(edge.to) }),
      ),
      goal: goalOf(source, goal),
      done: doneOf(source),
      mode: team.mode,
      globalMode: globalMode ?? team.globalMode,
      budget: team.budget,
      isEntry: found === entry,
    }),
  };
}

/** A run gives out ids of its own; before there is one the alias stands for them. */
const idOf = (alias: string): string => `node_${alias.toLowerCase()}`;

function unknownNode(wanted: string, nodes: readonly TeamNode[]): Composed {
  const aliases = nodes.flatMap(({ alias }) => alias ?? []);
  const meant = nearest(wanted, aliases);
  const hint = meant === undefined ? `There are: ${aliases.join(', ')}` : `Did you mean "${meant}"?`;
  const message = `The team has no node "${wanted}". ${hint}`;
  return { ok: false, diagnostics: [{ code: 'E_TEAM_NODE', severity: 'error', message }] };
}
