import {
  type Origin,
  ROLES,
  type Role,
  SECRECIES,
  type Secrecy,
  type ToolCall,
  TRUSTS,
  type Trust,
  VOLATILITIES,
  type Volatility,
} from '@cuebook/prompt';

// Rows that a receipt has by the hundred, looked at by hand: a schema library takes ten times as long, and reading
// a turn back looks at all of them.

/** Where text comes from and what it carries, in the order that a table of sources keeps it. */
export type SourceRow = readonly [origin: Origin, trust: Trust, secrecy: Secrecy, volatility: Volatility];

/** A run of bytes of a blob: short hash, start, length. A block's text is its parts, one after the other. */
export type BlobPart = readonly [hash: string, start: number, length: number];

/** A picture or file, kept as the bytes that its base64 stands for; `raw` when that spelling is not the usual. */
export interface MediaRow {
  readonly type: string;
  readonly hash: string;
  readonly raw?: true;
}

/** A block that the base does not have. Its text is the blob `hash`, or `parts` of others. */
export interface BlockEntry {
  readonly name: string;
  readonly role: Role;
  readonly hash: string;
  readonly parts?: readonly BlobPart[];
  readonly calls?: readonly ToolCall[] | string;
  readonly callId?: string;
  readonly media?: readonly MediaRow[];
}

export const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);
const HASH = /^[\w-]{43}$/;

export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** `[origin, trust, secrecy, volatility]`. */
export function isSourceRow(row: unknown): row is SourceRow {
  if (!Array.isArray(row) || row.length !== 4) return false;
  const [origin, trust, secrecy, volatility] = row;
  return (
    isPlace(origin) &&
    typeof origin.kind === 'string' &&
    (origin.via === undefined || (Array.isArray(origin.via) && origin.via.every(isPlace))) &&
    includes(TRUSTS, trust) &&
    includes(SECRECIES, secrecy) &&
    includes(VOLATILITIES, volatility)
  );
}

/** `[blob, start, length]`. */
export const isPart = (part: unknown): part is BlobPart =>
  Array.isArray(part) && part.length === 3 && isHash(part[0]) && isCount(part[1]) && isCount(part[2]);

/** `[first, count]`. */
export const isKept = (item: unknown): item is [number, number] =>
  Array.isArray(item) && item.length === 2 && isCount(item[0]) && isCount(item[1]);

export function isBlockEntry(entry: unknown): entry is BlockEntry {
  if (!isRecord(entry)) return false;
  const { name, role, hash, parts, calls, callId, media } = entry;
  return (
    typeof name === 'string' &&
    includes(ROLES, role) &&
    isHash(hash) &&
    (parts === undefined || (Array.isArray(parts) && parts.every(isPart))) &&
    (calls === undefined || isHash(calls) || (Array.isArray(calls) && calls.every(isCall))) &&
    (callId === undefined || typeof callId === 'string') &&
    (media === undefined || (Array.isArray(media) && media.every(isMedia)))
  );
}

/** A call of an assistant-role block, with whatever arguments. */
export const isCall = (call: unknown): boolean =>
  isRecord(call) && typeof call.id === 'string' && typeof call.name === 'string' && call.args !== undefined;

const isMedia = (media: unknown): boolean =>
  isRecord(media) &&
  typeof media.type === 'string' &&
  isHash(media.hash) &&
  (media.raw === undefined || media.raw === true);

const isPlace = (place: unknown): place is Readonly<Record<string, unknown>> =>
  isRecord(place) &&
  typeof place.ref === 'string' &&
  (place.line === undefined || isCount(place.line)) &&
  (place.column === undefined || isCount(place.column));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const includes = (words: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && words.includes(value);
