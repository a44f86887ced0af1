import type { Block, Span } from '../block.js';
import { joinLabels, type Labels } from '../label.js';
import { decodedOrigin, type Origin, type Place } from '../origin.js';
import type { GatedRequest } from '../request.js';
import type { SpanSource } from '../span-map.js';
import { byteOffsets, utf8Length } from '../utf8.js';
import { decodedOffset, type Escapes, escapedOffsets } from './escapes.js';
import { markRequest } from './marked.js';
import { projectWire, type WireRun } from './project-wire.js';

/** What bytes of a body are, in the words of the request. */
export type WirePart =
  /** The byte range within the block's text. */
  | { readonly kind: 'block'; readonly block: string; readonly start: number; readonly end: number }
  /** The hash is that of the attachment's bytes, as the record keeps them. */
  | { readonly kind: 'attachment'; readonly block: string; readonly index: number; readonly hash: string }
  | {
      readonly kind: 'call';
      readonly block: string;
      readonly id: string;
      readonly field: 'id' | 'name' | 'args';
    }
  | { readonly kind: 'tool'; readonly tool: string; readonly pointer: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'structure' };

/** A run of a body, in bytes, with what it was made of and where that comes from. */
export interface WireSpan extends Span {
  readonly part: WirePart;
  /** How often the text is escaped in the body. */
  readonly escapes: Escapes;
}

/** One body as it is sent. Spans are sorted, gapless and never empty. */
export interface WireDocument {
  /** The format that the body is written in, such as `anthropic`. */
  readonly format: string;
  readonly text: string;
  /** `sha256:` and the hex digest of the body's bytes. */
  readonly hash: string;
  readonly spans: readonly WireSpan[];
}

export interface WireInput {
  readonly request: GatedRequest;
  readonly format: string;
  /** Writes a request as the format wants it. Called twice; the second request is marked and must not be sent. */
  readonly write: (request: GatedRequest) => Promise<string>;
  readonly hash: (content: string | Uint8Array) => string;
  /** Where a rule of the format or of the blocks is written down. */
  readonly ruleAt?: ((rule: string) => Place | undefined) | undefined;
}

/** The body of a request, and where each of its bytes comes from. */
export async function wireDocument({
  request,
  format,
  write,
  hash,
  ruleAt,
}: WireInput): Promise<WireDocument> {
  const text = await write(request);
  const marked = markRequest(request);
  const markedBody = await write(marked.request);
  const runs = projectWire({ request, body: text, marked, markedBody }) ?? [unknownRun(text)];
  return { format, text, hash: hash(text), spans: toSpans(runs, { request, format, text, hash, ruleAt }) };
}

const unknownRun = (text: string): WireRun => ({
  start: 0,
  end: text.length,
  source: undefined,
  escapes: 0,
  rule: 'a body whose shape depends on what texts say',
});

interface SpanContext extends Pick<WireInput, 'request' | 'format' | 'hash' | 'ruleAt'> {
  readonly text: string;
}

function toSpans(runs: readonly WireRun[], context: SpanContext): readonly WireSpan[] {
  const byteAt = byteOffsets(context.text);
  const blocks = new Map<number, BlockPlaces>();
  const spans: WireSpan[] = [];
  const push = (start: number, end: number, made: Omit<WireSpan, 'start' | 'end'>): void => {
    if (start === end) return;
    const last = spans.at(-1);
    if (last !== undefined && isOne(last, made)) spans[spans.length - 1] = { ...last, end };
    else spans.push({ start, end, ...made });
  };
  for (const run of runs) {
    if (run.start === run.end) continue;
    const { source } = run;
    const block = source?.kind === 'text' ? context.request.prompt.blocks[source.block] : undefined;
    if (source?.kind !== 'text' || block === undefined || run.at === undefined || block.spans.length === 0) {
      push(byteAt(run.start), byteAt(run.end), besideSpan(run, context));
      continue;
    }
    const places = blocks.get(source.block) ?? blockPlaces(block);
    blocks.set(source.block, places);
    const spelling = context.text.slice(run.start, run.end);
    const offsetOf = escapedOffsets(spelling, run.escapes);
    const last = run.at + decodedOffset(spelling, run.escapes);
    for (const { span, start, end } of places) {
      if (end <= run.at || start >= last) continue;
      const [first, past] = [Math.max(start, run.at), Math.min(end, last)];
      const from = byteAt(run.start + offsetOf(first - run.at));
      const to = byteAt(run.start + offsetOf(past - run.at));
      const within = span.start + utf8Length(block.text.slice(start, first));
      const part = {
        kind: 'block',
        block: block.name,
        start: within,
        end: within + utf8Length(block.text.slice(first, past)),
      } as const;
      const { trust, secrecy, volatility } = span;
      const origin = ruledOrigin(span.origin, block.text.slice(start, end), context);
      push(from, to, { origin, trust, secrecy, volatility, part, escapes: run.escapes });
    }
  }
  return spans;
}

/** Neighbours that are one thing: what the format wrote by one rule, or one part of the request. */
function isOne(a: Omit<WireSpan, 'start' | 'end'>, b: Omit<WireSpan, 'start' | 'end'>): boolean {
  if (a.part.kind === 'block' || a.part.kind !== b.part.kind) return false;
  return (
    a.origin.ref === b.origin.ref && JSON.stringify([a.part, a.origin]) === JSON.stringify([b.part, b.origin])
  );
}

/** The spans of a block in UTF-16 offsets of its text. */
type BlockPlaces = readonly { readonly span: Span; readonly start: number; readonly end: number }[];

function blockPlaces({ text, spans }: Block): BlockPlaces {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let start = 0;
  return spans.map((span) => {
    const end = start + decoder.decode(bytes.subarray(span.start, span.end)).length;
    const place = { span, start, end };
    start = end;
    return place;
  });
}

const STRUCTURE: Labels = { trust: 'platform', secrecy: 'public', volatility: 'build' };

/** Structure names its rule, and the place where the rule is written down. */
function ruledOrigin(origin: Origin, text: string, { ruleAt }: SpanContext): Origin {
  if (origin.kind !== 'structure' || origin.via !== undefined) return origin;
  const ref = origin.ref === 'shell' ? shellRule(text) : origin.ref;
  const place = ruleAt?.(ref);
  return { ...origin, ref, ...(place && { via: [place] }) };
}

/** Which line of a shell a token of it stands in. */
function shellRule(token: string): string {
  if (/^\n?[A-Z][A-Z_]*_END\n?$/.test(token)) return 'shell end';
  if (/^\n?[A-Z][A-Z_]*\n?$/.test(token)) return 'shell header';
  return /^\n?- /.test(token) ? 'shell field' : 'shell';
}

/** What is not the text of a block. */
function besideSpan(
  { source, at, escapes, rule }: WireRun,
  context: SpanContext,
): Omit<WireSpan, 'start' | 'end'> {
  const { request, format, hash } = context;
  const { blocks } = request.prompt;
  if (source === undefined) {
    const written: Origin = { kind: 'structure', ref: rule === '' ? format : `${format} ${rule}` };
    const origin = ruledOrigin(written, '', context);
    return { part: { kind: 'structure' }, origin, ...STRUCTURE, escapes };
  }
  switch (source.kind) {
    case 'text': {
      const block = blocks[source.block] as Block;
      const part = { kind: 'block', block: block.name, start: 0, end: utf8Length(block.text) } as const;
      return { part, ...saidBy(block), escapes };
    }
    case 'media': {
      const block = blocks[source.block] as Block;
      const media = block.media?.[source.index];
      const part = {
        kind: 'attachment',
        block: block.name,
        index: source.index,
        hash: hash(bytesOf(media?.data ?? '')),
      } as const;
      return { part, ...saidBy(block), escapes };
    }
    case 'call': {
      const block = blocks[source.block] as Block;
      const id = block.calls?.[source.index]?.id ?? '';
      return {
        part: { kind: 'call', block: block.name, id, field: source.field },
        ...saidBy(block),
        escapes,
      };
    }
    case 'tool': {
      const { name = '' } = request.tools[source.index] ?? {};
      const part = { kind: 'tool', tool: name, pointer: source.pointer } as const;
      const found = sourceAt(request.sources, `/tools/${source.index}${source.pointer}`);
      // Formats say `object` there, whatever the schema says.
      const isFixed = source.pointer === '/parameters/type';
      const isSlice = !source.isKey && !isFixed && at !== undefined;
      return { part, ...sliceOf(found, isSlice, `tool ${name}`), escapes };
    }
    case 'param': {
      const part = { kind: 'param', name: source.name } as const;
      const found = sourceAt(request.sources, `/params/${source.name}${source.pointer ?? ''}`);
      return { part, ...sliceOf(found, at !== undefined, `parameter ${source.name}`), escapes };
    }
  }
}

/** What base64 stands for; what is none stays as it is. */
function bytesOf(data: string): Uint8Array | string {
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return data;
  }
}

/**
 * The source of a value beside the blocks. Places inside of it are counted on where the value itself was found, as a
 * slice of its file, and the run is all of that value; else the place is that of its start.
 */
function sliceOf(found: FoundSource | undefined, isSlice: boolean, name: string): SpanSource {
  if (found === undefined) return unknownSource(name);
  const { source, isOwn } = found;
  return isSlice && isOwn ? source : { ...source, origin: decodedOrigin(source.origin) };
}

const unknownSource = (ref: string): SpanSource => ({
  origin: { kind: 'input', ref } satisfies Origin,
  trust: 'operator',
  secrecy: 'public',
  volatility: 'session',
});

/** Who said what stands beside a block's text: whoever said the text. */
function saidBy({ name, role, spans }: Block): SpanSource {
  const [first, ...rest] = spans;
  if (first !== undefined) return { origin: decodedOrigin(first.origin), ...joinLabels(first, ...rest) };
  const trust = role === 'assistant' ? 'agent' : role === 'tool' ? 'tool' : 'user';
  return { origin: { kind: 'result', ref: name }, trust, secrecy: 'public', volatility: 'turn' };
}

/** The source of what a pointer leads to: its own, or that of the nearest thing around it. */
function sourceAt(
  sources: Readonly<Record<string, SpanSource>> | undefined,
  pointer: string,
): FoundSource | undefined {
  if (sources === undefined) return undefined;
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const source = Object.hasOwn(sources, at) ? sources[at] : undefined;
    if (source !== undefined) return { source, isOwn: at === pointer };
  }
  return undefined;
}

interface FoundSource {
  readonly source: SpanSource;
  /** It is that of the very value, and not of what lies around it. */
  readonly isOwn: boolean;
}
