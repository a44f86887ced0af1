import { type Sites, templateAt } from './exec/program.js';
import type { CommandNode, Node, PipeNode } from './parse/node.js';
import { byteTable } from './parse/positions.js';
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
  /** The text in which `from` and `to` count, when that is not the one of the template that was rendered. */
  readonly source?: string;
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
  const sources = sourcesOf(sites);
  const bytes = byteTable(out);
  const spans: TemplateSpan[] = [];
  let start = 0;
  for (let index = 0; index < pieces.length; index += 2) {
    const at = pieces[index + 1] as number;
    const end = bytes === undefined ? at : (bytes[at] as number);
    // What prints nothing has no span.
    if (end > start) {
      const site = pieces[index] as number;
      const source = sources[site] ?? sourceAt(sites, site);
      sources[site] = source;
      const { kind, place, label } = source;
      const origin = origins?.get(index);
      if (kind === 'literal') spans.push({ kind, start, end, ...place });
      else if (origin !== undefined) spans.push({ kind: 'call', start, end, ...place, name: label, origin });
      else if (kind === 'value') spans.push({ kind, start, end, ...place, path: label });
      else spans.push({ kind, start, end, ...place, name: label });
    }
    start = end;
  }
  return spans;
}

/** What all spans of one site share. */
interface SiteSource {
  readonly kind: 'literal' | 'value' | 'call';
  readonly place: Pick<Extent, 'template' | 'source' | 'from' | 'to'>;
  /** The path of a value, the name of a function. */
  readonly label: string;
}

/** A site is looked at once, however many spans it makes. */
const known = new WeakMap<Sites, (SiteSource | undefined)[]>();

function sourcesOf(sites: Sites): (SiteSource | undefined)[] {
  const sources = known.get(sites) ?? new Array<SiteSource | undefined>(sites.nodes.length).fill(undefined);
  known.set(sites, sources);
  return sources;
}

function sourceAt(sites: Sites, site: number): SiteSource {
  const node = sites.nodes[site] as Extract<Node, { kind: 'text' | 'action' }>;
  const { start: from, end: to } = node;
  const { name: template, source } = templateAt(sites, site);
  const isOther = source !== sites.templates[0]?.source;
  const place = { template, ...(isOther ? { source: source.name } : {}), from, to };
  if (node.kind === 'text') return { kind: 'literal', place, label: '' };
  const { name, path } = printedBy(node.pipe);
  return { kind: name === undefined ? 'value' : 'call', place, label: name ?? path };
}

/** The function whose result a pipeline prints, or the value. */
function printedBy(pipe: PipeNode): { readonly name?: string; readonly path: string } {
  for (;;) {
    const command = pipe.commands.at(-1) as CommandNode;
    const [word] = command.args;
    if (word?.kind === 'identifier') return { name: word.name, path: '' };
    if (word?.kind !== 'pipe') return { path: printNode(command) };
    pipe = word;
  }
}
