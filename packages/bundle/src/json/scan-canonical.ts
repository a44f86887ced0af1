import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { JsonProblem } from './scan.js';

/** Where a member of the top-level object stands, in bytes: from its name to the end of its value. */
export interface JsonMember {
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/**
 * Walks the bytes of a UTF-8 text once and takes only the form of RFC 8785: members in order and once, no space, one
 * spelling of each number and string. Answers the members of the top-level object. Works on bytes and makes no text
 * of them, which is what keeps a check of a stored object near the cost of its signature.
 */
export function scanCanonical(
  bytes: Buffer,
  maxDepth: number,
): Result<ReadonlyMap<string, JsonMember>, JsonProblem> {
  const members = new Map<string, JsonMember>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** The place of the last name of each open object, 0 before the first; -1 for an array. */
  const open: number[] = [];
  let at = 0;
  let value = 0;
  /** Whether a name comes next, or a value. */
  let isName = false;
  for (;;) {
    if (isName) {
      const end = stringEnd(bytes, view, at);
      if (end < 0) return refuse(REASONS[-end] ?? 'syntax', at);
      const reason = nameProblem(bytes, at, end, open[open.length - 1] ?? 0);
      if (reason !== undefined) return refuse(reason, at);
      if (bytes[end] !== COLON) return refuse('syntax', end);
      open[open.length - 1] = at;
      at = end + 1;
      if (open.length === 1) value = at;
    }
    const code = bytes[at];
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (guard('json.depth', open.length >= maxDepth)) return refuse('too-deep', at);
      isName = code === OPEN_OBJECT;
      at += 1;
      if (bytes[at] !== (isName ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        open.push(isName ? 0 : -1);
        continue;
      }
      at += 1;
    } else {
      const end = code === QUOTE ? stringEnd(bytes, view, at) : literalEnd(bytes, at);
      if (end < 0) return refuse(REASONS[-end] ?? 'syntax', at);
      at = end;
    }
    // A value has ended: so may the arrays and objects around it.
    for (;;) {
      if (open.length === 0) return at === bytes.length ? ok(members) : refuse('syntax', at);
      const last = open[open.length - 1] as number;
      isName = last !== -1;
      if (open.length === 1 && isName)
        members.set(nameAt(bytes, last, value - 1), { start: last, value, end: at });
      const next = bytes[at];
      at += 1;
      if (next === COMMA) break;
      if (next !== (isName ? CLOSE_OBJECT : CLOSE_ARRAY)) return refuse('syntax', at - 1);
      open.pop();
    }
  }
}

/** Why a text is refused, by the number that a reader answers for its end, negated. */
const REASONS: readonly (JsonProblem['reason'] | undefined)[] = [
  undefined,
  'syntax',
  'not-canonical',
  'surrogate',
  'number',
];
const SYNTAX = -1;
const NOT_CANONICAL = -2;
const SURROGATE = -3;
const UNSAFE = -4;

const refuse = (reason: JsonProblem['reason'], at: number) =>
  fail<JsonProblem>({ code: 'E_JSON', reason, at });

/** The place behind the string that begins here, or a negated reason. */
function stringEnd(bytes: Buffer, view: DataView, from: number): number {
  if (bytes[from] !== QUOTE) return SYNTAX;
  const { length } = bytes;
  let at = from + 1;
  for (;;) {
    // Four bytes at a time while all stand for themselves: a quote, a backslash or a control character sets the
    // highest bit of its byte. It may stop too early, never too late.
    for (const last = length - 4; at <= last; at += 4) {
      const four = view.getInt32(at, true);
      const quote = four ^ 0x22222222;
      const slash = four ^ 0x5c5c5c5c;
      const found =
        ((four - 0x20202020) & ~four) | ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash);
      if ((found & 0x80808080) !== 0) break;
    }
    while (at < length && PLAIN[bytes[at] as number] === 1) at += 1;
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) return SYNTAX;
    const problem = escapeProblem(bytes, at + 1);
    if (problem === SYNTAX || guard('json.canonical', problem < 0)) return problem;
    at += 2;
  }
}

/** A name comes after the one before it, by UTF-16 units, which bytes are as long as names are plain. */
function nameProblem(
  bytes: Buffer,
  from: number,
  end: number,
  before: number,
): JsonProblem['reason'] | undefined {
  if (guard('json.prototype', isPrototype(bytes, from, end))) return 'prototype';
  if (before === 0) return undefined;
  const order = compareNames(bytes, before, from);
  if (guard('json.duplicate', order === 0)) return 'duplicate';
  return guard('json.canonical', order > 0) ? 'not-canonical' : undefined;
}

/** Below 0 when the first name comes first. Both end with a quote, which no plain letter is. */
function compareNames(bytes: Buffer, first: number, second: number): number {
  for (let step = 1; ; step += 1) {
    const [a, b] = [bytes[first + step] as number, bytes[second + step] as number];
    if (a === BACKSLASH || b === BACKSLASH || a > 0x7f || b > 0x7f)
      return compareDecoded(bytes, first, second);
    if (a === QUOTE) return b === QUOTE ? 0 : -1;
    if (b === QUOTE) return 1;
    if (a !== b) return a - b;
  }
}

function compareDecoded(bytes: Buffer, first: number, second: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const a = nameAt(bytes, first, stringEnd(bytes, view, first));
  const b = nameAt(bytes, second, stringEnd(bytes, view, second));
  return a === b ? 0 : a < b ? -1 : 1;
}

const isPrototype = (bytes: Buffer, from: number, end: number): boolean =>
  bytes[from + 1] === UNDERSCORE && nameAt(bytes, from, end) === '__proto__';

const nameAt = (bytes: Buffer, from: number, end: number): string =>
  JSON.parse(bytes.toString('utf8', from, end));

/** The place behind a number or word, or a negated reason. */
function literalEnd(bytes: Buffer, from: number): number {
  // Most numbers are short and whole.
  let at = from;
  while (at - from < 15 && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= ZERO + 9) at += 1;
  const isPlain = at > from && (at - from === 1 || bytes[from] !== ZERO);
  const next = bytes[at];
  if (isPlain && (next === COMMA || next === CLOSE_OBJECT || next === CLOSE_ARRAY)) return at;
  for (const word of WORDS) if (isWordAt(bytes, from, word)) return from + word.length;
  // No number that has this form is longer.
  const raw = NUMBER.exec(bytes.toString('latin1', from, from + 32))?.[0];
  if (raw === undefined) return SYNTAX;
  const value = Number(raw);
  const unsafe = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
  if (guard('json.number', unsafe)) return UNSAFE;
  return guard('json.canonical', String(value) !== raw) ? NOT_CANONICAL : from + raw.length;
}

function isWordAt(bytes: Buffer, from: number, word: Buffer): boolean {
  for (let step = 0; step < word.length; step += 1) if (bytes[from + step] !== word[step]) return false;
  return true;
}

/** RFC 8785 escapes quote, backslash and control characters, the common ones by letter, and nothing else. */
function escapeProblem(bytes: Buffer, at: number): number {
  const code = bytes[at];
  if (code === LETTER_N || code === QUOTE || code === BACKSLASH) return 0;
  const text = bytes.toString('latin1', at, at + 5);
  if (/^[rtbf]/.test(text) || /^u00(?:0[0-7bef]|1[0-9a-f])$/.test(text)) return 0;
  if (/^\//.test(text)) return NOT_CANONICAL;
  if (!/^u[0-9a-fA-F]{4}$/.test(text)) return SYNTAX;
  return /^ud[89a-f]/i.test(text) ? SURROGATE : NOT_CANONICAL;
}

const WORDS = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')] as const;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const LETTER_N = 0x6e;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** 1 for each byte that stands for itself in a string: neither quote, backslash nor control character. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, code) =>
  code < 0x20 || code === QUOTE || code === BACKSLASH ? 0 : 1,
);
