import type { JsonValue, Span } from '@cuebook/prompt';
import { z } from 'zod';
import {
  type BlockList,
  besideSchema,
  blocksSchema,
  callsSchema,
  filesSchema,
  type Recorded,
  type RequestData,
  redactionSchema,
  spanTableSchema,
} from '../receipt.js';
import type { BlockEntry } from '../shape.js';
import { spansWords } from '../wire/recorded.js';
import { wholeParts } from './encode.js';
import { decodeFiles, NO_FILES } from './files.js';
import { MAX_DEPTH, type ManifestBlock, type ManifestRequest, type TurnManifest } from './manifest.js';
import { decodeSpans, NO_SPANS } from './sources.js';
import { UnreadableReceipt } from './unreadable.js';

/** Answers the JSON text of a packed value's blob, by short hash. Throws `Unreadable` when it cannot be had. */
export type ReadPacked = (hash: string) => Promise<string>;

/**
 * Applies a receipt to its base: the inverse of `encodeRequest`. Nothing in the receipt is believed: what does
 * not fit throws `Unreadable`.
 */
export async function decodeRecorded(
  data: Recorded,
  base: TurnManifest | undefined,
  read: ReadPacked,
): Promise<TurnManifest> {
  if ((data.base === undefined) !== (base === undefined)) throw new UnreadableReceipt('its base is missing');
  const depth = base === undefined ? 0 : base.depth + 1;
  if (depth >= MAX_DEPTH) throw new UnreadableReceipt('its chain of bases is too long');
  const list = await unpack(data.blocks, blocksSchema, read);
  const deltaList = data.delta && (await unpack(data.delta.blocks, blocksSchema, read));
  const table = data.spans === undefined ? undefined : await unpack(data.spans, SPANS, read);
  const { spans, known } = readSpans(table, base);
  const told = base?.files ?? NO_FILES;
  const files =
    data.files === undefined ? told : decodeFiles(await unpack(data.files, filesSchema, read), told);
  const next = spans[Symbol.iterator]();
  const blocks = await resolveBlocks(list, base?.blocks ?? [], next, read);
  const full = await toRequest(data, blocks, base, read);
  const delta =
    data.delta && deltaList
      ? await toRequest(data.delta, await resolveBlocks(deltaList, blocks, next, read), full, read)
      : undefined;
  if (next.next().done !== true) throw new UnreadableReceipt('it has spans of no block');
  const to = data.to ?? base?.to;
  if (to === undefined) throw new UnreadableReceipt('it does not say whom it was sent to');
  const { turn, lane } = data;
  return { ...full, turn, lane, told: known, files, ...(delta && { delta }), to, depth };
}

function readSpans(table: z.infer<typeof spanTableSchema> | undefined, base: TurnManifest | undefined) {
  const told = base?.told ?? NO_SPANS;
  if (table === undefined) return { spans: [], known: told };
  try {
    return decodeSpans(table, told);
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableReceipt('its spans cannot be read');
    throw error;
  }
}

async function resolveBlocks(
  list: BlockList,
  known: readonly ManifestBlock[],
  spans: Iterator<readonly Span[]>,
  read: ReadPacked,
): Promise<readonly ManifestBlock[]> {
  const blocks: ManifestBlock[] = [];
  for (const item of list) {
    if (!Array.isArray(item)) {
      const own = spans.next();
      if (own.done === true) throw new UnreadableReceipt(`block ${item.name} has no spans`);
      blocks.push(await toBlock(item, own.value, read));
      continue;
    }
    const [first, count] = item;
    if (count < 1 || first + count > known.length)
      throw new UnreadableReceipt('it keeps blocks that its base lacks');
    blocks.push(...known.slice(first, first + count));
  }
  return blocks;
}

async function toBlock(entry: BlockEntry, spans: readonly Span[], read: ReadPacked): Promise<ManifestBlock> {
  const { name, role, hash, parts, callId, media } = entry;
  const calls = entry.calls && (await unpack(entry.calls, callsSchema, read));
  return {
    name,
    role,
    hash,
    parts: parts ?? wholeParts(hash, spans),
    spans,
    ...(calls && { calls }),
    ...(callId === undefined ? {} : { callId }),
    ...(media && { media }),
  };
}

async function toRequest(
  data: RequestData,
  blocks: readonly ManifestBlock[],
  base: Pick<ManifestRequest, 'tools' | 'params' | 'sources'> | undefined,
  read: ReadPacked,
): Promise<ManifestRequest> {
  const { tools, params, sources, redactions } = data;
  return {
    blocks,
    whole: data.whole,
    tools: tools === undefined ? (base?.tools ?? []) : await unpack(tools, TOOLS, read),
    params: params === undefined ? (base?.params ?? {}) : await unpack(params, PARAMS, read),
    sources: sources === undefined ? (base?.sources ?? {}) : await unpack(sources, besideSchema, read),
    removed: data.removed ?? [],
    ...(redactions === undefined
      ? {}
      : { redactions: await unpack(redactions, z.array(redactionSchema), read) }),
  };
}

const ANY = z.custom<JsonValue>((value) => value !== undefined);
/** Letters of the wire, or words. */
const SPANS = z.preprocess(spansWords, spanTableSchema);
const TOOLS = z.array(ANY);
const PARAMS = z.record(z.string(), ANY);

/** A packed value: as it stands, or read from its blob and checked. */
export async function unpack<Value extends object>(
  value: Value | string,
  schema: z.ZodType<Value>,
  read: ReadPacked,
): Promise<Value> {
  if (typeof value !== 'string') return value;
  const parsed = schema.safeParse(parseJson(await read(value)));
  if (!parsed.success) throw new UnreadableReceipt(`blob ${value} does not hold what the receipt says`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
