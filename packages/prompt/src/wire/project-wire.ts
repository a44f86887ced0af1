import type { GatedRequest } from '../request.js';
import { type Escapes, escapedOffsets } from './escapes.js';
import { type JsonNode, type JsonToken, jsonTokens } from './json-tokens.js';
import { type LeafRun, leafRuns } from './leaf.js';
import type { MarkedRequest, WireSource } from './marked.js';
import { OWN_PARAMS, paramOf, SETTINGS } from './params.js';

/** A run of a body in UTF-16 offsets of its text, and what it was made of. */
export interface WireRun {
  readonly start: number;
  readonly end: number;
  readonly source: WireSource | undefined;
  /** Where in the source's text it begins, and how often that text is escaped. */
  readonly at?: number;
  readonly escapes: Escapes;
  /** Of what the format wrote: the place in the body, `messages[].role`. */
  readonly rule: string;
}

export interface WireProjectOptions {
  readonly request: GatedRequest;
  /** The body as it is sent. */
  readonly body: string;
  readonly marked: MarkedRequest;
  /** What the same serialiser writes of the marked request. */
  readonly markedBody: string;
}

/**
 * What every character of a body was made of; gapless. Undefined when the two bodies have not one shape: then the
 * serialiser looks at what texts say, and nothing is known.
 */
export function projectWire(options: WireProjectOptions): readonly WireRun[] | undefined {
  const { body, markedBody } = options;
  const lines = body.split(/(?<=\n)/);
  const markedLines = markedBody.split(/(?<=\n)/);
  // Agents take a line of JSON for each message.
  const isLines =
    lines.length === markedLines.length && lines.every((line) => jsonTokens(line) !== undefined);
  if (!isLines && jsonTokens(body) === undefined) return projectText(options);
  const parts = isLines ? lines : [body];
  const runs: WireRun[] = [];
  let offset = 0;
  for (const [index, part] of parts.entries()) {
    const found = projectJson({
      ...options,
      body: part,
      markedBody: isLines ? (markedLines[index] as string) : markedBody,
    });
    if (found === undefined) return undefined;
    for (const run of found) runs.push({ ...run, start: run.start + offset, end: run.end + offset });
    offset += part.length;
  }
  return runs;
}

/** A body that is text and nothing else. */
function projectText({
  body,
  markedBody,
  marked,
  request,
}: WireProjectOptions): readonly WireRun[] | undefined {
  const argsOf = (source: WireSource) => argsText(source, request);
  const { marks, pattern } = marked;
  const runs = leafRuns({ real: body, marked: markedBody, marks, pattern, argsOf });
  return runs?.map((run) => ({ ...run, rule: 'text' }));
}

function projectJson({
  body,
  markedBody,
  marked,
  request,
}: WireProjectOptions): readonly WireRun[] | undefined {
  const tokens = jsonTokens(body);
  const twins = jsonTokens(markedBody);
  if (tokens === undefined || twins === undefined || tokens.length !== twins.length) return undefined;
  if (tokens.some(({ kind }, at) => kind !== twins[at]?.kind)) return undefined;
  const { marks, pattern } = marked;
  const argsOf = (source: WireSource) => argsText(source, request);
  const leaves = tokens.map(({ kind, start, end }, at): readonly LeafRun[] | undefined => {
    if (kind !== 'string') return undefined;
    const twin = twins[at] as JsonToken;
    const spelling = markedBody.slice(twin.start, twin.end);
    if (spelling.search(pattern) < 0) return undefined;
    const real = JSON.parse(body.slice(start, end)) as string;
    return leafRuns({ real, marked: JSON.parse(spelling) as string, marks, pattern, argsOf });
  });
  const owners = ownersOf(tokens, leaves, request);
  return tokens.flatMap((token, at) => tokenRuns(token, { body, runs: leaves[at], source: owners(token) }));
}

interface TokenOptions {
  readonly body: string;
  readonly runs: readonly LeafRun[] | undefined;
  readonly source: WireSource | undefined;
}

function tokenRuns(token: JsonToken, { body, runs, source }: TokenOptions): readonly WireRun[] {
  const { start, end, node } = token;
  const rule = ruleOf(node);
  const spelling = body.slice(start, end);
  const open = spelling.indexOf('"') + 1;
  const close = spelling.lastIndexOf('"');
  if (runs === undefined || source !== undefined) {
    const whole: WireRun = { start, end, source, escapes: 0, rule };
    if (token.kind === 'literal') return [{ ...whole, at: 0 }];
    if (token.kind !== 'string' || source === undefined) return [whole];
    return [
      { ...whole, end: start + open },
      { ...whole, start: start + open, end: start + close, at: 0, escapes: 1 },
      { ...whole, start: start + close },
    ];
  }
  const offsetOf = escapedOffsets(spelling.slice(open, close), 1);
  const made: WireRun[] = [{ start, end: start + open, source: undefined, escapes: 0, rule }];
  for (const { escapes, ...run } of runs) {
    const first = start + open + offsetOf(run.start);
    made.push({
      ...run,
      start: first,
      end: start + open + offsetOf(run.end),
      escapes: escapes === 0 ? 1 : 2,
      rule,
    });
  }
  made.push({ start: start + close, end, source: undefined, escapes: 0, rule });
  return made;
}

/** What a token belongs to by the place where it stands: a tool's schema, a call's arguments, a parameter. */
function ownersOf(
  tokens: readonly JsonToken[],
  leaves: readonly (readonly LeafRun[] | undefined)[],
  { params }: GatedRequest,
): (token: JsonToken) => WireSource | undefined {
  /** The objects that hold a name: of a tool, of a call. */
  const named = new Map<JsonNode, WireSource>();
  for (const [at, runs] of leaves.entries()) {
    const source = runs?.length === 1 ? runs[0]?.source : undefined;
    const isName =
      (source?.kind === 'tool' && source.pointer === '/name') ||
      (source?.kind === 'call' && source.field === 'name');
    const { parent } = (tokens[at] as JsonToken).node;
    if (isName && parent !== undefined) named.set(parent, source);
  }
  const known = new Map<JsonNode, WireSource | undefined>();
  const ownerOf = (node: JsonNode, isContainer: boolean): WireSource | undefined => {
    const holder = node.parent === undefined ? undefined : named.get(node.parent);
    if (holder?.kind === 'call' && ARGS.has(node.key)) return { ...holder, field: 'args' };
    if (holder?.kind === 'tool' && isContainer && SCHEMA.has(node.key))
      return { ...holder, pointer: '/parameters' };
    return paramSource(node, params);
  };
  const containers = new Set(tokens.filter(({ kind }) => kind === 'mark').map(({ node }) => node));
  /** Nodes are met from the root on, so what is above a node is known when it is asked for. */
  const find = (node: JsonNode): WireSource | undefined => {
    if (known.has(node)) return known.get(node);
    const above = node.parent === undefined ? undefined : known.get(node.parent);
    const source = above === undefined ? ownerOf(node, containers.has(node)) : below(above, node.key);
    known.set(node, source);
    return source;
  };
  return ({ node, kind }) => {
    if (kind === 'mark') return find(node);
    // A key stands before its value; the key of a schema is the format's own.
    const above = node.parent === undefined ? undefined : find(node.parent);
    if (above !== undefined) {
      const source = below(above, node.key);
      return kind === 'key' && source.kind === 'tool' ? { ...source, isKey: true } : source;
    }
    return kind === 'key' ? undefined : ownerOf(node, false);
  };
}

/** What formats call the arguments of a call, and the schema of a tool, beside its name. */
const ARGS: ReadonlySet<string> = new Set(['input', 'args', 'arguments']);
const SCHEMA: ReadonlySet<string> = new Set([
  'input_schema',
  'inputSchema',
  'parameters',
  'parametersJsonSchema',
]);

/** Pointers end somewhere: what lies deeper has the place of what holds it. */
const MAX_POINTER = 400;

function below(source: WireSource, key: string): WireSource {
  const isDeep = source.kind === 'tool' || source.kind === 'param';
  if (!isDeep || source.pointer === undefined || source.pointer.length > MAX_POINTER) return source;
  return { ...source, pointer: `${source.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function paramSource(node: JsonNode, params: GatedRequest['params']): WireSource | undefined {
  const { parent } = node;
  if (parent === undefined || node.isItem) return undefined;
  const isTop = parent.parent === undefined;
  const isBelow = !isTop && parent.parent.parent === undefined && !parent.isItem;
  const name =
    isBelow && parent.key === OWN_PARAMS && Object.hasOwn(params, node.key)
      ? node.key
      : isTop || (isBelow && parent.key === SETTINGS)
        ? paramOf(node.key, params)
        : undefined;
  if (name === undefined) return undefined;
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  return { kind: 'param', name, ...(typeof value === 'object' && { pointer: '' }) };
}

function argsText(source: WireSource, { prompt }: GatedRequest): string | undefined {
  if (source.kind !== 'call') return undefined;
  const args = prompt.blocks[source.block]?.calls?.[source.index]?.args;
  return args === undefined ? undefined : JSON.stringify(args);
}

const RULES = new WeakMap<JsonNode, string>();
/** A rule is for people: below this depth it says no more. */
const MAX_RULE = 200;

function ruleOf(node: JsonNode): string {
  const known = RULES.get(node);
  if (known !== undefined) return known;
  const chain: JsonNode[] = [];
  let rule = '';
  for (let each: JsonNode | undefined = node; each !== undefined; each = each.parent) {
    const made = RULES.get(each);
    if (made !== undefined) {
      rule = made;
      break;
    }
    chain.push(each);
  }
  for (const each of chain.reverse()) {
    if (each.parent !== undefined && rule.length < MAX_RULE) {
      rule = each.isItem ? `${rule}[]` : rule === '' ? each.key : `${rule}.${each.key}`;
    }
    RULES.set(each, rule);
  }
  return rule;
}
