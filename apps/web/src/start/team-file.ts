import type { RunView } from '@cuebook/api';

/** A run as a team file: the agents and ways that it has now, also those that were added while it ran. */
export function teamFileOf(view: RunView): string {
  const aliases = aliasesOf(view.nodes);
  const nameOf = (id: string): string => aliases.get(id) ?? id;
  const nodes = view.nodes.map((node) => ({
    alias: nameOf(node.id),
    label: node.label,
    role: node.role,
    provider: node.provider,
    ...(node.model !== null && { model: node.model }),
    workspace: typeof node.workspace === 'string' ? node.workspace : { with: nameOf(node.workspace.with) },
    capabilities: node.capabilities,
    permissions: node.permissions,
    ...(node.prompt !== null && { prompt: node.prompt }),
    ...(node.override !== null && { override: node.override }),
  }));
  const edges = view.edges.map(({ from, to, type, bidirectional, label }) => ({
    ...{ from: nameOf(from), to: nameOf(to), type, bidirectional },
    ...(label !== '' && { label }),
  }));
  const { goal, done, mode, globalMode, verify, budget } = view;
  const head = {
    ...(goal !== null && { goal }),
    ...(done.length > 0 && { done }),
    ...{ mode, globalMode },
    ...(verify.length > 0 && { verify }),
    ...(budget !== null && {
      budget: { turns: budget.turns.limit, ...(budget.usd.limit !== null && { usd: budget.usd.limit }) },
    }),
  };
  return [
    ...Object.entries(head).map(([name, value]) => `${name}: ${inYaml(value)}`),
    ...listOf('nodes', nodes),
    ...listOf('edges', edges),
    '',
  ].join('\n');
}

/** An item has a line for each of its values. */
const listOf = (name: string, items: readonly object[]): readonly string[] =>
  items.length === 0
    ? []
    : [
        `${name}:`,
        ...items.flatMap((item) =>
          Object.entries(item).map(
            ([key, value], index) => `  ${index === 0 ? '-' : ' '} ${key}: ${inYaml(value)}`,
          ),
        ),
      ];

/** A value on one line: a word as it is, and every other text as JSON, which YAML reads. */
function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inYaml).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${inYaml(key)}: ${inYaml(each)}`)
      .join(', ')} }`;
  return typeof value === 'string' && WORD.test(value) && !MEANT.test(value) ? value : JSON.stringify(value);
}

const WORD = /^[A-Za-z][\w-]*$/;
/** Words that YAML, in one version or another, takes for something else than text. */
const MEANT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A name for each node by which edges call it: its alias, or its role with a number. */
function aliasesOf(nodes: RunView['nodes']): ReadonlyMap<string, string> {
  const taken = new Set(nodes.flatMap(({ alias }) => (alias === null ? [] : [alias])));
  const free = (role: string): string => {
    for (let number = 1; ; number += 1) {
      const name = `${role}-${number}`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
  return new Map(nodes.map(({ id, alias, role }) => [id, alias ?? free(role)]));
}
