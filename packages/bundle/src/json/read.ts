import { isUtf8 } from 'node:buffer';
import { fail, ok, type Result } from '@cuebook/prompt';
import canonicalize from 'canonicalize';
import { guard } from '../guard.js';
import { type JsonProblem, type Marked, scanJson } from './scan.js';

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
  const text = readText(bytes, limits);
  if (!text.ok) return text;
  const depth = limits.depth ?? DEFAULT_JSON_DEPTH;
  // Outside strings JSON.parse refuses every control character but space; inside, all of them.
  const scanned = scanJson(text.value, { depth, canonical: false });
  return scanned.ok ? parse(text.value) : scanned;
}

/** A value in its RFC 8785 form, with its text and the place of one member. Any other form is refused. */
export interface CanonicalJson {
  readonly value: unknown;
  readonly text: string;
  readonly marked: Marked | undefined;
}

export function readCanonical(
  bytes: Uint8Array,
  mark?: readonly [string, string],
  limits: ReadLimits = {},
): Result<CanonicalJson, JsonProblem> {
  const text = readText(bytes, limits);
  if (!text.ok) return text;
  const depth = limits.depth ?? DEFAULT_JSON_DEPTH;
  const scanned = scanJson(text.value, { depth, canonical: true }, mark);
  if (!scanned.ok) return scanned;
  const value = parse(text.value);
  return value.ok ? ok({ value: value.value, text: text.value, marked: scanned.value }) : value;
}

/** The RFC 8785 form of a value as bytes, or undefined when it has none (a half character, NaN, a function). */
export function canonicalBytes(value: unknown): Buffer | undefined {
  try {
    const text = canonicalize(value);
    return text === undefined ? undefined : Buffer.from(text);
  } catch {
    // The library throws for everything that RFC 8785 has no form for.
    return undefined;
  }
}

function readText(bytes: Uint8Array, limits: ReadLimits): Result<string, JsonProblem> {
  if (guard('json.size', bytes.length > (limits.bytes ?? DEFAULT_JSON_BYTES))) return refuse('too-large');
  if (guard('json.utf8', !isUtf8(bytes))) return refuse('not-utf8');
  return ok(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
}

function parse(text: string): Result<unknown, JsonProblem> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return refuse('syntax');
  }
}

const refuse = (reason: JsonProblem['reason']) => fail<JsonProblem>({ code: 'E_JSON', reason, at: 0 });
