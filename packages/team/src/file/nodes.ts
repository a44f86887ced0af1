import type { YamlSource } from '@cuebook/yaml';
import { resolveRights } from '../capability/capabilities.js';
import type { NodeSpec, NodeText } from '../graph/node.js';
import type { TeamSource } from './load.js';

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
      resume: node.session?.resume ?? true,
      workspace: node.workspace ?? 'own',
      ...text('prompt'),
      ...text('override'),
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

function authored(yaml: YamlSource, path: readonly PropertyKey[], text: string): NodeText {
  const { ref, line } = yaml.place(path);
  return { text, by: 'author', ref, ...(line === undefined ? {} : { line }) };
}
