import { isUtf8 } from 'node:buffer';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import canonicalize from 'canonicalize';
import { type JsonProblem, scanJson } from './scan.js';
import { type JsonMember, scanCanonical } from './scan-canonical.js';

/** Bounds of a text that is read. */
export interface ReadLimits {
  /** In bytes. 1 MiB unless said otherwise. */
  readonly bytes?: number;
  /** Arrays and objects inside one another, 32 unless said otherwise. */
  readonly depth?: number;
}

export const DEFAULT_JSON_BYTES = 1024 * 1024;
export const DEFAULT_JSON_DEPTH = 32;

/**
 * A JSON value that every parser reads alike: no member twice, no half character, no integer beyond 2^53, no
 * member `__proto__`. What does not fit is refused before anything is built from it.
 */
export function readJson(bytes: Uint8Array, limits: ReadLimits = {}): Result<unknown, JsonProblem> {
  const problem = bytesProblem(bytes, limits);
  if (problem !== undefined) return problem;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  // Control characters in strings are left to JSON.parse, which refuses them all.
  const scanned = scanJson(text, limits.depth ?? DEFAULT_JSON_DEPTH);
  return scanned.ok ? parse(text) : scanned;
}

/** A text in its RFC 8785 form: where the members of its object stand, and its value, built when it is asked for. */
export interface CanonicalJson {
  readonly members: ReadonlyMap<string, JsonMember>;
  readonly value: unknown;
}

/** Reads the one form of a JSON value. Any other form of the same value is refused. */
export function readCanonical(
  bytes: Uint8Array,
  limits: ReadLimits = {},
): Result<CanonicalJson, JsonProblem> {
  const problem = bytesProblem(bytes, limits);
  if (problem !== undefined) return problem;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const scanned = scanCanonical(buffer, limits.depth ?? DEFAULT_JSON_DEPTH);
  if (!scanned.ok) return scanned;
  let built: { readonly value: unknown } | undefined;
  return ok({
    members: scanned.value,
    get value() {
      built ??= { value: JSON.parse(buffer.toString('utf8')) };
      return built.value;
    },
  });
}

/** The RFC 8785 form of a value as bytes, or undefined when it has none (a half character, NaN, a function). */
export const canonicalBytes = (value: unknown): Buffer | undefined => writeCanonical(value)?.bytes;

/** The form, with the places of the members where the quick way gave them. */
export function writeCanonical(
  value: unknown,
): { readonly bytes: Buffer; readonly members?: ReadonlyMap<string, JsonMember> } | undefined {
  try {
    // Sorting and the engine's own printer are several times as fast, and the scan tells whether they were right:
    // they are not for names that look like numbers.
    const written = writeShared(value);
    if (written !== undefined) return written;
    const bytes = Buffer.from(JSON.stringify(sortMembers(value)));
    const scanned = scanCanonical(bytes, DEFAULT_JSON_DEPTH);
    if (scanned.ok) return { bytes, members: scanned.value };
    const text = canonicalize(value);
    return text === undefined ? undefined : { bytes: Buffer.from(text) };
  } catch {
    // Both throw for everything that RFC 8785 has no form for.
    return undefined;
  }
}

/**
 * A value that goes into many objects as it is: its text is made once. It must never change after that.
 */
export function shareText<Value extends object>(value: Value): Value {
  if (SHARED.has(value)) return value;
  const bytes = canonicalBytes(value);
  // One step deeper it must still be as deep as may be.
  if (bytes !== undefined && scanCanonical(bytes, DEFAULT_JSON_DEPTH - 1).ok) SHARED.set(value, bytes);
  return value;
}

const SHARED = new WeakMap<object, Buffer>();

/**
 * The form of an object that has shared members: their bytes are put in as they were made before, and what is left is
 * printed and scanned with a zero in their place. Undefined where nothing is shared, or the quick way is not right.
 */
function writeShared(
  value: unknown,
): { readonly bytes: Buffer; readonly members: ReadonlyMap<string, JsonMember> } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value)
    return undefined;
  const shared = new Map<string, Buffer>();
  const rest: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw new RangeError('not a name');
    const known = typeof member === 'object' && member !== null ? SHARED.get(member) : undefined;
    if (known !== undefined) shared.set(name, known);
    rest[name] = known === undefined ? member : 0;
  }
  if (shared.size === 0) return undefined;
  const around = Buffer.from(JSON.stringify(sortMembers(rest)));
  const scanned = scanCanonical(around, DEFAULT_JSON_DEPTH);
  if (!scanned.ok) return undefined;
  const pieces: Buffer[] = [];
  const members = new Map<string, JsonMember>();
  let [at, grown] = [0, 0];
  for (const [name, { start, value: from, end }] of scanned.value) {
    const bytes = shared.get(name);
    const before = grown;
    if (bytes !== undefined) {
      pieces.push(around.subarray(at, from), bytes);
      at = end;
      grown += bytes.length - (end - from);
    }
    members.set(name, { start: start + before, value: from + before, end: end + grown });
  }
  pieces.push(around.subarray(at));
  return { bytes: Buffer.concat(pieces), members };
}

/** The value with the members of its objects in order. Throws for what JSON would silently leave out or change. */
function sortMembers(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not a number of JSON');
  if (typeof value === 'function' || typeof value === 'symbol') throw new RangeError('not a value of JSON');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  if ('toJSON' in value) throw new RangeError('not plain data');
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    if (name === '__proto__') throw new RangeError('not a name');
    sorted[name] = sortMembers((value as Record<string, unknown>)[name]);
  }
  return sorted;
}

function bytesProblem(bytes: Uint8Array, limits: ReadLimits) {
  if (guard('json.size', bytes.length > (limits.bytes ?? DEFAULT_JSON_BYTES))) return refuse('too-large');
  if (guard('json.utf8', !isUtf8(bytes))) return refuse('not-utf8');
  return undefined;
}

function parse(text: string): Result<unknown, JsonProblem> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return refuse('syntax');
  }
}

const refuse = (reason: JsonProblem['reason']) => fail<JsonProblem>({ code: 'E_JSON', reason, at: 0 });
