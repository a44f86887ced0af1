import { type Sites, templateAt } from './exec/program.js';
import type { CommandNode, Node, PipeNode } from './parse/node.js';
import { byteOffsets } from './parse/positions.js';
import { printNode } from './parse/print-node.js';

/**
 * A run of bytes of the output, from `start` up to `end`, and the bytes of the template that made it, from `from`
 * up to `to`: literal text, a value (`path` is how the template names it), or what a function returned.
 */
export type TemplateSpan =
  | (Extent & { readonly kind: 'literal' })
  | (Extent & { readonly kind: 'value'; readonly path: string })
  | (Extent & {
      readonly kind: 'call';
      readonly name: string;
      /** What the function said of its text, if it did (`tagged`). */
      readonly origin?: unknown;
    });

interface Extent {
  readonly start: number;
  readonly end: number;
  /** The template that was executing: a definition has its own name. */
  readonly template: string;
  readonly from: number;
  readonly to: number;
}

/** What a render leaves behind. */
export interface Pieces {
  readonly out: string;
  /** Site and end in UTF-16 units, one after the other. */
  readonly pieces: readonly number[];
  readonly origins: ReadonlyMap<number, unknown> | undefined;
  readonly sites: () => Sites;
}

/** The spans of an output in bytes. */
export function spansOf({ out, pieces, origins, sites: sitesOf }: Pieces): readonly TemplateSpan[] {
  const sites = sitesOf();
  const byteAt = byteOffsets(out);
  const spans: TemplateSpan[] = [];
  let start = 0;
  for (let index = 0; index < pieces.length; index += 2) {
    const end = byteAt(pieces[index + 1] as number);
    // What prints nothing has no span.
    if (end > start) {
      const site = pieces[index] as number;
      const node = sites.nodes[site] as PrintingNode;
      spans.push(spanOf(node, templateAt(sites, site), start, end, origins?.get(index)));
    }
    start = end;
  }
  return spans;
}

type PrintingNode = Extract<Node, { kind: 'text' | 'action' }>;

function spanOf(
  node: PrintingNode,
  template: string,
  start: number,
  end: number,
  origin: unknown,
): TemplateSpan {
  const { start: from, end: to } = node;
  if (node.kind === 'text') return { kind: 'literal', start, end, template, from, to };
  const { name, path } = sourceOf(node.pipe);
  if (name === undefined && origin === undefined)
    return { kind: 'value', start, end, template, from, to, path };
  const call = { kind: 'call', start, end, template, from, to, name: name ?? path } as const;
  return origin === undefined ? call : { ...call, origin };
}

/** The function whose result a pipeline prints, or the value. */
function sourceOf(pipe: PipeNode): { readonly name?: string; readonly path: string } {
  for (;;) {
    const command = pipe.commands.at(-1) as CommandNode;
    const [word] = command.args;
    if (word?.kind === 'identifier') return { name: word.name, path: '' };
    if (word?.kind !== 'pipe') return { path: printNode(command) };
    pipe = word;
  }
}
