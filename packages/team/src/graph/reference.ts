import type { TeamNode } from './node.js';

/** The node that a reference names: by id, else by alias in any case. Labels are no references. */
export function findNode<Node extends Pick<TeamNode, 'id' | 'alias'>>(
  nodes: readonly Node[],
  reference: string,
): Node | undefined {
  const wanted = reference.trim();
  const folded = foldAlias(wanted);
  return (
    nodes.find(({ id }) => id === wanted) ??
    nodes.find(({ alias }) => alias !== undefined && foldAlias(alias) === folded)
  );
}

/** The same for many references to the same nodes: they are looked through once. */
export function nodeFinder<Node extends Pick<TeamNode, 'id' | 'alias'>>(
  nodes: readonly Node[],
): (reference: string) => Node | undefined {
  const [ids, aliases] = [new Map<string, Node>(), new Map<string, Node>()];
  for (const node of nodes) {
    if (!ids.has(node.id)) ids.set(node.id, node);
    const folded = node.alias === undefined ? undefined : foldAlias(node.alias);
    if (folded !== undefined && !aliases.has(folded)) aliases.set(folded, node);
  }
  return (reference) => ids.get(reference.trim()) ?? aliases.get(foldAlias(reference));
}

/** Why a node cannot have an alias, if so. */
export function aliasProblem(
  nodes: readonly Pick<TeamNode, 'id' | 'alias' | 'label'>[],
  alias: string,
): string | undefined {
  const folded = foldAlias(alias);
  const taken = nodes.find((node) => node.alias !== undefined && foldAlias(node.alias) === folded);
  if (taken) return `The alias "${alias}" is already in use by ${taken.label} (${taken.id}).`;
  const same = nodes.find(({ id }) => foldAlias(id) === folded);
  return same && `The alias "${alias}" is the id of a node.`;
}

/** Aliases are compared in this form. */
export const foldAlias = (alias: string): string => alias.trim().toLowerCase();
