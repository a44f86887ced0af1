import type { YamlSource } from '@cuebook/yaml';
import { CAPABILITIES, PERMISSIONS, resolveRights } from '../capability/capabilities.js';
import type { NodeSpec, NodeText } from '../graph/node.js';
import { type FactPlaces, factPlaces, textRuns } from '../graph/places.js';
import type { EdgeInput } from '../run/command.js';
import type { TeamSource } from './load.js';
import type { TeamFile, TeamFileNode } from './schema.js';

/** What a node of a team file that names no provider speaks with. */
export const DEFAULT_NODE_PROVIDER = 'rehearsal';

/** The nodes of a team file with everything that is left out filled in. */
export function nodesOf({
  team,
  yaml,
  roles,
}: Pick<TeamSource, 'team' | 'yaml' | 'roles'>): readonly NodeSpec[] {
  return team.nodes.map((node, index) => {
    const text = (key: 'prompt' | 'override') =>
      node[key] === undefined ? {} : { [key]: authored(yaml, ['nodes', index, key], node[key]) };
    return {
      label: node.label ?? node.alias,
      alias: node.alias,
      role: node.role,
      provider: node.provider ?? team.provider ?? DEFAULT_NODE_PROVIDER,
      ...(node.model === undefined ? {} : { model: node.model }),
      ...(node.fallbacks === undefined ? {} : { fallbacks: node.fallbacks }),
      ...resolveRights(node, roles.get(node.role)),
      ...(node.servers === undefined ? {} : { servers: node.servers }),
      resume: node.session?.resume ?? true,
      workspace: node.workspace ?? 'own',
      ...text('prompt'),
      ...text('override'),
      at: placesOf(yaml, index, team),
    };
  });
}

/** The definition of done, point by point. */
export const doneOf = ({ team, yaml }: Pick<TeamSource, 'team' | 'yaml'>): readonly NodeText[] =>
  team.done.map((text, index) => authored(yaml, ['done', index], text));

/** The goal: what a person hands in, else what the file says. */
export function goalOf({ team, yaml }: Pick<TeamSource, 'team' | 'yaml'>, given?: string): NodeText | null {
  if (given !== undefined) return { text: given, by: 'user', ref: 'goal' };
  return team.goal === undefined ? null : authored(yaml, ['goal'], team.goal);
}

/** The edges of a team file, with where they are written. */
export const edgesOf = ({ team, yaml }: Pick<TeamSource, 'team' | 'yaml'>): readonly EdgeInput[] =>
  team.edges.map((edge, index) => {
    const facts = ['from', 'to', 'type', 'bidirectional', 'label'].map((fact) => [
      fact,
      ['edges', index, fact],
    ]);
    return { ...edge, at: factPlaces(yaml, Object.fromEntries(facts)) };
  });

function placesOf(
  yaml: YamlSource,
  index: number,
  team: Pick<TeamFile, 'nodes' | 'provider' | 'budget'>,
): FactPlaces {
  const { label, provider, budget, servers } = team.nodes[index] as TeamFileNode;
  const own = (...path: readonly PropertyKey[]): readonly PropertyKey[] => ['nodes', index, ...path];
  const below = (part: string, facts: readonly string[]) =>
    Object.fromEntries(facts.map((fact) => [fact, own(part, fact)]));
  return factPlaces(yaml, {
    alias: own('alias'),
    label: own(label === undefined ? 'alias' : 'label'),
    role: own('role'),
    provider: provider === undefined && team.provider !== undefined ? ['provider'] : own('provider'),
    workspace: own('workspace', 'with'),
    ...Object.fromEntries((servers ?? []).map((name, at) => [`servers.${name}`, own('servers', at)])),
    ...below('capabilities', CAPABILITIES),
    ...below('permissions', PERMISSIONS),
    // What nobody wrote down is no fact of the file.
    ...budgetPaths(team.budget, ['budget']),
    ...(budget && budgetPaths(budget, own('budget'))),
  });
}

const budgetPaths = (budget: TeamFile['budget'], path: readonly PropertyKey[]) =>
  Object.fromEntries(
    Object.entries(budget).flatMap(([unit, limit]) =>
      limit === undefined ? [] : [[`budget.${unit}`, [...path, unit]]],
    ),
  );

const authored = (yaml: YamlSource, path: readonly PropertyKey[], text: string): NodeText => ({
  text,
  by: 'author',
  ref: yaml.file,
  runs: textRuns(yaml, path),
});
