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
      spans.push(spanOf(source, start, end, origins?.get(index)));
    }
    start = end;
  }
  return spans;
}

/** Written out: a spread takes twice as long as all the rest. */
function spanOf(site: SiteSource, start: number, end: number, origin: unknown): TemplateSpan {
  const { kind, template, source, from, to, label } = site;
  if (source !== undefined) return spanOfOther(site, source, start, end, origin);
  if (kind === 'literal') return { kind, start, end, template, from, to };
  if (origin !== undefined) return { kind: 'call', start, end, template, from, to, name: label, origin };
  if (kind === 'value') return { kind, start, end, template, from, to, path: label };
  return { kind, start, end, template, from, to, name: label };
}

/** A span of another text than that of the template that was rendered. */
const spanOfOther = (
  site: SiteSource,
  source: string,
  start: number,
  end: number,
  origin: unknown,
): TemplateSpan => ({ ...spanOf({ ...site, source: undefined }, start, end, origin), source });

/** What all spans of one site share. */
interface SiteSource {
  readonly kind: 'literal' | 'value' | 'call';
  readonly template: string;
  readonly source: string | undefined;
  readonly from: number;
  readonly to: number;
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
  const { name: template, source: parsed } = templateAt(sites, site);
  const source = parsed === sites.templates[0]?.source ? undefined : parsed.name;
  if (node.kind === 'text') return { kind: 'literal', template, source, from, to, label: '' };
  const { name, path } = printedBy(node.pipe);
  return { kind: name === undefined ? 'value' : 'call', template, source, from, to, label: name ?? path };
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
