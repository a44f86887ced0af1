import type { Place } from '@cuebook/prompt';
import { type Node, type Template, walkNodes } from '@cuebook/template';
import { FIELDS, type TemplateContext } from './context.js';

export interface ReasonOptions {
  readonly template: Pick<Template, 'templates'>;
  /** Where a byte of the template stands. */
  readonly place: (byte: number) => Place;
  /** Where the manifest tells what a variable holds. */
  readonly fieldPlace: (field: keyof TemplateContext) => Place;
}

/**
 * What decides that a node of a template is executed, by the first byte of the node, outermost first: the branches and
 * loops around it, each with the variables that it looks at.
 */
export function findReasons(options: ReasonOptions): (from: number) => readonly Place[] {
  const reasons = new Map<number, readonly Place[]>();
  const open: { readonly nodes: readonly Node[]; readonly via: readonly Place[] }[] = [];
  for (const nodes of options.template.templates.values()) open.push({ nodes, via: [] });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const node of next.nodes) {
      if (node.kind === 'text' || node.kind === 'action') reasons.set(node.start, next.via);
      if (node.kind !== 'if' && node.kind !== 'with' && node.kind !== 'range') continue;
      const via = [...next.via, ...decidedBy(node, options)];
      open.push({ nodes: node.list, via });
      if (node.otherwise !== undefined) open.push({ nodes: node.otherwise, via });
    }
  }
  return (from) => reasons.get(from) ?? [];
}

function decidedBy(
  { pipe, start }: Extract<Node, { kind: 'if' | 'with' | 'range' }>,
  { place, fieldPlace }: ReasonOptions,
): readonly Place[] {
  const fields = new Set<keyof TemplateContext>();
  walkNodes([pipe], (node) => {
    const [name] = node.kind === 'field' ? node.idents : node.kind === 'variable' ? node.idents.slice(1) : [];
    const field = FIELDS.find((each) => each === name);
    if (field !== undefined) fields.add(field);
  });
  return [...[...fields].map(fieldPlace), place(start)];
}
