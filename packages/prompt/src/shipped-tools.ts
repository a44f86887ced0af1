import { jsonPath } from './json-places.js';
import type { Labels } from './label.js';
import { advancePlace } from './origin.js';
import type { OfferedTool } from './request.js';
import { openShipped } from './shipped-texts.js';
import type { SpanSource } from './span-map.js';
import { jsonTokens } from './wire/json-tokens.js';

/** What the file of a package's tools says, by the name of each tool. */
export interface ShippedTools {
  /** A tool as a model is told of it. Throws for a name that the file does not have. */
  readonly tool: (name: string) => Required<OfferedTool>;
  /** Where the file says it, by JSON pointers into the tool: all of it, each of its fields and arguments. */
  readonly sources: (name: string) => Readonly<Record<string, SpanSource>>;
}

/**
 * The tools that a package ships in one JSON file, `{ NAME: { description, parameters } }`, which origins call
 * `cuebook:PACKAGE/FILE`. The file is read when it is first asked for.
 */
export function shippedTools(owner: string, file: string, read: (file: string) => string): ShippedTools {
  let known: ReadonlyMap<string, Told> | undefined;
  const find = (name: string): Told => {
    known ??= toolsOf(...openShipped(owner, file, read));
    const told = known.get(name);
    if (told === undefined) throw new TypeError(`No shipped tool of ${owner} is called ${name}`);
    return told;
  };
  return { tool: (name) => find(name).tool, sources: (name) => find(name).sources };
}

interface Told {
  readonly tool: Required<OfferedTool>;
  readonly sources: Record<string, SpanSource>;
}

const SHIPPED: Labels = { trust: 'platform', secrecy: 'public', volatility: 'build' };

function toolsOf(ref: string, text: string): ReadonlyMap<string, Told> {
  const top = { ref, line: 1, column: 1 };
  const parsed = JSON.parse(text) as Readonly<Record<string, Omit<Required<OfferedTool>, 'name'>>>;
  const tools = new Map<string, Told>(
    Object.entries(parsed).map(([name, told]) => [name, { tool: { name, ...told }, sources: {} }]),
  );
  for (const { kind, node, start } of jsonTokens(text) ?? []) {
    const [name = '', ...path] = kind === 'key' ? jsonPath(node) : [];
    if (!isPlaced(path)) continue;
    const told = tools.get(name);
    const place = advancePlace(top, text.slice(0, start));
    if (told !== undefined) told.sources[path.map((key) => `/${key}`).join('')] = at(place);
  }
  return tools;
}

const at = (place: ReturnType<typeof advancePlace>): SpanSource => ({
  origin: { kind: 'value', ...place },
  ...SHIPPED,
});

/** The tool, its fields, its arguments: what lies deeper comes from where the argument does. */
const isPlaced = (path: readonly string[]): boolean =>
  path.length < 2 || (path.length === 3 && path[0] === 'parameters' && path[1] === 'properties');
