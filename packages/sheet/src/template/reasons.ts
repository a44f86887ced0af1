import type { ByteMap, Place } from '@cuebook/prompt';
import type { Node, Template } from '@cuebook/template';

/** What decides that a node of a template is executed, by its first byte: the branches and loops around it, outermost first. */
export function findReasons(
  { templates }: Pick<Template, 'templates'>,
  map: ByteMap,
): (from: number) => readonly Place[] {
  const reasons = new Map<number, readonly Place[]>();
  const open: { readonly nodes: readonly Node[]; readonly via: readonly Place[] }[] = [];
  for (const nodes of templates.values()) open.push({ nodes, via: [] });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const node of next.nodes) {
      if (node.kind === 'text' || node.kind === 'action') reasons.set(node.start, next.via);
      if (node.kind !== 'if' && node.kind !== 'with' && node.kind !== 'range') continue;
      const via = [...next.via, map.place(node.start)];
      open.push({ nodes: node.list, via });
      if (node.otherwise !== undefined) open.push({ nodes: node.otherwise, via });
    }
  }
  return (from) => reasons.get(from) ?? [];
}
