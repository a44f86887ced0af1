import { guard } from '@cuebook/guard';
import {
  type Block,
  fail,
  type GatedRequest,
  type JsonValue,
  type Media,
  ok,
  type Result,
  type ToolCall,
} from '@cuebook/prompt';
import { canonical, toJson } from '../canonical.js';
import { digest, shortHash } from '../digest.js';
import type { BlockList, Destination, Recorded, RequestData, SpanTable } from '../receipt.js';
import type { BlobPart, BlockEntry, MediaRow } from '../shape.js';
import { spansWire } from '../wire/recorded.js';
import { encodeFiles, type FileStamp, filesOf, NO_FILES } from './files.js';
import { MAX_DEPTH, type ManifestBlock, type ManifestRequest, type TurnManifest } from './manifest.js';
import { type BlobSink, type Packed, pack, packSpelled, UNSHARED_LIMIT } from './packed.js';
import { redactionsOf } from './redactions.js';
import { encodeSpans, NO_SPANS, sameSpans, toRow } from './sources.js';
import { spliceOf } from './splice.js';

/** What is asked of a provider, as `composeRequest` gives it. */
export type RecordedRequest = Pick<GatedRequest, 'prompt' | 'tools' | 'params' | 'removed' | 'sources'>;

/** What a receipt builds on: an earlier one of its lane (or of its run). */
export interface Base {
  readonly seq: number;
  readonly manifest: TurnManifest;
  /** Blocks of the lane's newest receipt by name: texts that new ones may have grown from. */
  readonly recent: ReadonlyMap<string, RecentBlock>;
}

export interface RecentBlock {
  readonly hash: string;
  readonly parts: readonly BlobPart[];
  /** Undefined when its content is gone. */
  readonly text: string | undefined;
}

export interface EncodeInput {
  readonly turn: string;
  readonly lane: string;
  readonly request: RecordedRequest;
  readonly delta?: RecordedRequest | undefined;
  readonly to: Destination;
  readonly base?: Base | undefined;
  /** A file that words come from, as it was when it was read; undefined where that is not known. */
  readonly stampOf?: ((file: string) => FileStamp | undefined) | undefined;
  /** The digest of a prompt's blocks as one string; by default that of its text. */
  readonly wholeOf?: ((prompt: RecordedRequest['prompt']) => string) | undefined;
}

/** The part of a receipt that tells the request, and the manifest that it stands for. */
export interface Encoded {
  readonly data: Pick<Recorded, 'turn' | 'lane' | 'base' | 'spans' | 'files' | 'delta' | 'to'> & RequestData;
  readonly manifest: TurnManifest;
}

/**
 * Says a request as what changed since its base; new texts go to the sink. `decodeRecorded` is the inverse.
 * Fails with the names of the blocks whose hash is not the sha256 of their text (`''` for the whole prompt):
 * the caller's digest is another one, or the prompt was changed after it was composed.
 */
export function encodeRequest(
  { turn, lane, request, delta, to, base, stampOf = nothing, wholeOf = wholeOfText }: EncodeInput,
  sink: BlobSink,
): Result<Encoded, readonly string[]> {
  const ground = base === undefined || base.manifest.depth + 1 >= MAX_DEPTH ? undefined : base;
  const fresh: Block[] = [];
  const full = encodeBlocks(request.prompt.blocks, ground, fresh, sink);
  // A delta mostly repeats blocks of the full prompt, so that is what it is compared with.
  const self = { manifest: { blocks: full.blocks }, recent: NOTHING };
  const part = delta && encodeBlocks(delta.prompt.blocks, self, fresh, sink);
  const spans = fresh.length === 0 ? undefined : encodeSpans(fresh, ground?.manifest.told ?? NO_SPANS);
  const fullRequest = toRequest(request, full.blocks);
  const deltaRequest = delta && part && toRequest(delta, part.blocks);
  const told = ground?.manifest.files ?? NO_FILES;
  const read = new Set([...filesOf(fresh, fullRequest.sources), ...Object.keys(told)]);
  const files = encodeFiles(read, stampOf, told);
  const data: Encoded['data'] = {
    turn,
    lane,
    ...(ground && { base: ground.seq }),
    ...toData(fullRequest, full.list, ground?.manifest, sink),
    ...(spans && { spans: packSpans(spans.table, sink) }),
    ...(files && { files: pack(files.list, sink) }),
    ...(deltaRequest && part && { delta: toData(deltaRequest, part.list, fullRequest, sink) }),
    ...(ground && sameJson(ground.manifest.to, to) ? {} : { to }),
  };
  const manifest: TurnManifest = {
    ...fullRequest,
    turn,
    lane,
    told: spans?.known ?? ground?.manifest.told ?? NO_SPANS,
    files: files?.known ?? told,
    ...(deltaRequest && { delta: deltaRequest }),
    to,
    depth: ground === undefined ? 0 : ground.manifest.depth + 1,
  };
  const wrong = [...fresh.filter(hasWrongHash), ...[request, delta].filter(hasWrongWhole(wholeOf))];
  if (guard('receipt.hash', wrong.length > 0)) {
    return fail(wrong.map((each) => ('name' in each ? each.name : '')));
  }
  return ok({ data, manifest });
}

/** As `pack`: short in a blob too. */
function packSpans(table: SpanTable, sink: BlobSink): Packed<SpanTable> {
  const packed = pack(spansWire(table), sink);
  return typeof packed === 'string' ? packed : table;
}

/** Blocks that the base keeps were looked at when they were new. */
const hasWrongHash = ({ text, hash }: Block): boolean => digest(text) !== hash;

const hasWrongWhole =
  (wholeOf: NonNullable<EncodeInput['wholeOf']>) =>
  (request: RecordedRequest | undefined): request is RecordedRequest =>
    request !== undefined && wholeOf(request.prompt) !== request.prompt.hash;

const nothing = (): undefined => undefined;

const wholeOfText = ({ text }: RecordedRequest['prompt']): string => digest(text);

const NOTHING: Base['recent'] = new Map();

interface Ground {
  readonly manifest: Pick<ManifestRequest, 'blocks'>;
  readonly recent: Base['recent'];
}

/** The list that the receipt keeps, and the blocks that it stands for. Blocks that are new go to `fresh`. */
function encodeBlocks(
  blocks: readonly Block[],
  ground: Ground | undefined,
  fresh: Block[],
  sink: BlobSink,
): { readonly list: BlockList; readonly blocks: readonly ManifestBlock[] } {
  const find = finder(ground?.manifest.blocks ?? []);
  const list: BlockList = [];
  const keep = ({ block, index }: KnownBlock): ManifestBlock => {
    const last = list.at(-1);
    if (Array.isArray(last) && last[0] + last[1] === index) last[1] += 1;
    else list.push([index, 1]);
    return block;
  };
  const resolved = blocks.map((block) => {
    const before = find(block.name);
    if (before !== undefined && TOLD.get(block) === before.block) return keep(before);
    const { calls, media } = attachmentsOf(block, sink);
    if (before !== undefined && isSame(before.block, block, { calls, media })) {
      TOLD.set(block, before.block);
      return keep(before);
    }
    fresh.push(block);
    const entry = newEntry(block, ground?.recent.get(block.name), sink);
    const { name, role, spans, callId } = block;
    list.push({
      name,
      role,
      ...entry,
      ...(calls && {
        calls: packSpelled(
          calls.map((call) => ({ ...call })),
          sink,
        ),
      }),
      ...(callId === undefined ? {} : { callId }),
      ...(media && { media: media.map((each) => ({ ...each })) }),
    });
    const parts = entry.parts ?? wholeParts(entry.hash, spans);
    const told: ManifestBlock = {
      name,
      role,
      hash: entry.hash,
      parts,
      spans,
      ...(calls && { calls }),
      ...(callId === undefined ? {} : { callId }),
      ...(media && { media }),
    };
    TOLD.set(block, told);
    return told;
  });
  return { list, blocks: resolved };
}

/** What composed blocks were recorded as. The very block again needs no second look where its base has that. */
const TOLD = new WeakMap<Block, ManifestBlock>();

interface KnownBlock {
  readonly block: ManifestBlock;
  readonly index: number;
}

/** Finds blocks by name. Mostly each stands behind the one found before, and then there is nothing to look up. */
function finder(blocks: readonly ManifestBlock[]): (name: string) => KnownBlock | undefined {
  let next = 0;
  let byName: Map<string, number> | undefined;
  return (name) => {
    if (blocks[next]?.name !== name) {
      byName ??= new Map(blocks.map((block, index) => [block.name, index]));
      const found = byName.get(name);
      if (found === undefined) return undefined;
      next = found;
    }
    const index = next;
    next += 1;
    return { block: blocks[index] as ManifestBlock, index };
  };
}

/** The one part of a text that is a blob of its own; an empty text has none. */
export const wholeParts = (hash: string, spans: Block['spans']): readonly BlobPart[] => {
  const size = spans.at(-1)?.end ?? 0;
  return size === 0 ? [] : [[hash, 0, size]];
};

function newEntry(
  block: Block,
  recent: RecentBlock | undefined,
  sink: BlobSink,
): Pick<BlockEntry, 'hash' | 'parts'> {
  const hash = shortHash(block.hash);
  if (block.text === '') return { hash };
  // Told before, and since the base: the text is where it was.
  if (recent?.hash === hash) return withParts(hash, recent.parts);
  const { text, parts = [] } = recent ?? {};
  const splice = text === undefined ? undefined : spliceOf({ text, parts }, block.text);
  if (splice === undefined) {
    sink.add(Buffer.from(block.text));
    return { hash };
  }
  const middle = Buffer.from(splice.middle);
  const added: BlobPart[] = middle.length === 0 ? [] : [[sink.add(middle), 0, middle.length]];
  return withParts(hash, [...splice.head, ...added, ...splice.tail]);
}

function withParts(hash: string, parts: readonly BlobPart[]): Pick<BlockEntry, 'hash' | 'parts'> {
  if (parts.length === 1 && parts[0]?.[0] === hash) return { hash };
  return { hash, parts: parts.map(([name, start, length]) => [name, start, length]) };
}

function attachmentsOf(block: Block, sink: BlobSink) {
  return {
    calls: block.calls && (toJson(block.calls) as unknown as readonly ToolCall[]),
    media: block.media?.map((media) => keepMedia(media, sink)),
  };
}

/** Kept as bytes where the base64 is the usual spelling of them, which saves a quarter; as text otherwise. */
function keepMedia({ type, data }: Media, sink: BlobSink): MediaRow {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') === data) return { type, hash: sink.add(bytes) };
  return { type, hash: sink.add(Buffer.from(data)), raw: true };
}

function isSame(
  before: ManifestBlock,
  block: Block,
  { calls, media }: { readonly calls: unknown; readonly media: unknown },
): boolean {
  return (
    before.role === block.role &&
    before.hash === shortHash(block.hash) &&
    before.callId === block.callId &&
    sameSpans(before.spans, block.spans) &&
    sameSpelled(before.calls, calls) &&
    sameJson(before.media, media)
  );
}

function toRequest(request: RecordedRequest, blocks: readonly ManifestBlock[]): ManifestRequest {
  const { prompt, removed } = request;
  const whole = shortHash(prompt.hash);
  return {
    blocks,
    whole,
    tools: jsonOf(request.tools) as readonly JsonValue[],
    params: jsonOf(request.params) as Readonly<Record<string, JsonValue>>,
    sources: rowsOf(request.sources),
    removed,
    ...(sameJson(prompt.redactions, redactionsOf(blocks)) ? {} : { redactions: prompt.redactions }),
  };
}

/** `toJson` of what prompt after prompt shares. */
function jsonOf(value: object): JsonValue {
  const known = JSON_OF.get(value);
  if (known !== undefined) return known;
  const json = toJson(value);
  JSON_OF.set(value, json);
  return json;
}

const JSON_OF = new WeakMap<object, JsonValue>();

/** Tools and parameters are left out when the base has the same; redactions when the spans tell them. */
function toData(
  request: ManifestRequest,
  list: BlockList,
  base: Pick<ManifestRequest, 'tools' | 'params' | 'sources'> | undefined,
  sink: BlobSink,
): RequestData {
  const { whole, tools, params, sources, removed, redactions } = request;
  return {
    blocks: pack(list, sink, UNSHARED_LIMIT),
    whole,
    ...(sameSpelled(tools, base?.tools ?? []) ? {} : { tools: packSpelled([...tools], sink) }),
    ...(sameSpelled(params, base?.params ?? {}) ? {} : { params: packSpelled({ ...params }, sink) }),
    ...(sameJson(sources, base?.sources ?? {}) ? {} : { sources: pack({ ...sources }, sink) }),
    ...(removed.length === 0 ? {} : { removed: [...removed] }),
    ...(redactions && {
      redactions: pack(
        redactions.map((each) => ({ ...each })),
        sink,
      ),
    }),
  };
}

/** Sources as rows; the same object for the same sources, which prompts share. */
function rowsOf(sources: RecordedRequest['sources']): ManifestRequest['sources'] {
  if (sources === undefined) return NO_ROWS;
  const known = ROWS_OF.get(sources);
  if (known !== undefined) return known;
  const rows = Object.fromEntries(Object.entries(sources).map(([pointer, each]) => [pointer, toRow(each)]));
  ROWS_OF.set(sources, rows);
  return rows;
}

const NO_ROWS: ManifestRequest['sources'] = {};
const ROWS_OF = new WeakMap<object, ManifestRequest['sources']>();

/** The same with the same order of keys: what was sent was spelled so. */
const sameSpelled = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  // Mostly they come from the same place, with their keys in the same order.
  return JSON.stringify(a) === JSON.stringify(b) || canonical(a as JsonValue) === canonical(b as JsonValue);
}
