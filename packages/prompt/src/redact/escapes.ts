import { hexValue, innerOf, isInner, isLetter, isSeparator } from './chars.js';
import { ENTITY_MAX, entityPoint } from './entities.js';
import { foldCodePoint } from './fold.js';

/**
 * The live end of the shadow: UTF-16 units still open to being part of an escape, each with the source range
 * it came from. Every push looks only at the last few units and replaces a finished escape by what it means,
 * so escapes of escapes (`%25252F`, `\u0025\u0032F`) undo themselves in one pass and linear time.
 */
export interface EscapeTail {
  readonly source: string;
  /** Undo quoted-printable too. */
  readonly printable: boolean;
  readonly codes: number[];
  readonly from: number[];
  readonly to: number[];
}

/** No escape is longer than this many units, so a tail this quiet holds no open escape. */
export const QUIET = ENTITY_MAX + 1;

/** A byte of a multi-byte character that is not whole yet. */
const BYTE = 0x110000;
export const isByte = (code: number): boolean => code >= BYTE;
export const byteOf = (code: number): number => code - BYTE;

const SLASH = 47;
const BACKSLASH = 92;

/** Adds one source character, given as a code point, and undoes what it completes. */
export function push(tail: EscapeTail, point: number, from: number, to: number): void {
  if (point < 128) {
    pushAscii(tail, point, from, to);
    return;
  }
  const folded = foldCodePoint(point);
  for (let index = 0; index < folded.length; index += 1) {
    const unit = folded.charCodeAt(index);
    if (unit < 128) pushAscii(tail, unit, from, to);
    else append(tail, unit, from, to);
  }
}

function pushAscii(tail: EscapeTail, code: number, from: number, to: number): void {
  const { codes } = tail;
  const top = codes.length - 1;
  if (top >= 0 && joinSeparators(tail, code, to)) return;
  if (top >= 0 && codes[top] === BACKSLASH && SHELL_ESCAPED.has(code)) {
    codes[top] = QUOTES.has(code) ? code : innerOf(code);
    tail.to[top] = to;
    return;
  }
  append(tail, code, from, to);
  if (hexValue(code) >= 0) reduceHex(tail);
  else if (code === 59) reduceEntity(tail);
  else if (code === 125) reduceBraced(tail);
}

/** Runs of separators are one separator, whatever they are spelled with; so is `/./`. */
function joinSeparators(tail: EscapeTail, code: number, to: number): boolean {
  const { codes, from, source } = tail;
  const top = codes.length - 1;
  if (codes[top] === BACKSLASH && top > 0 && isSeparator(codes[top - 1]!) && !ESCAPE_LETTERS.has(code)) {
    drop(tail, 1);
    tail.to[top - 1] = to - 1;
    if (isSeparator(code)) return joinSeparators(tail, code, to);
    return false;
  }
  if (!isSeparator(code)) return false;
  if (codes[top] === BACKSLASH) {
    codes[top] = code;
    tail.to[top] = to;
    return true;
  }
  if (codes[top] === SLASH && code === SLASH) {
    if (followsScheme(source, from[top]!)) return false;
    tail.to[top] = to;
    return true;
  }
  if (codes[top] === 46 && top > 0 && isSeparator(codes[top - 1]!)) {
    drop(tail, 1);
    tail.to[top - 1] = to;
    return true;
  }
  return false;
}

/** The slash at `at` is the first or second after `scheme:`. A drive letter is no scheme. */
export function followsScheme(source: string, at: number): boolean {
  const colon = source.charCodeAt(at - 1) === SLASH ? at - 2 : at - 1;
  return (
    source.charCodeAt(colon) === 58 &&
    isLetter(source.charCodeAt(colon - 1)) &&
    isLetter(source.charCodeAt(colon - 2))
  );
}

function reduceHex(tail: EscapeTail): void {
  const { codes } = tail;
  const length = codes.length;
  const lead = codes[length - 3];
  if (lead === 37 || (lead === 61 && tail.printable)) {
    const high = hexValue(codes[length - 2]!);
    if (high >= 0) {
      replaceByte(tail, 3, high * 16 + hexValue(codes[length - 1]!));
      return;
    }
  }
  if (codes[length - 4] === BACKSLASH) {
    if (codes[length - 3] === 120) {
      const value = hexRun(codes, length - 2, length);
      if (value >= 0) {
        replaceByte(tail, 4, value);
        return;
      }
    }
    const octal = octalRun(codes, length - 3, length);
    if (octal >= 0) {
      replaceByte(tail, 4, octal);
      return;
    }
  }
  if (codes[length - 6] === BACKSLASH && codes[length - 5] === 117) {
    const value = hexRun(codes, length - 4, length);
    if (value >= 0) {
      replaceUnit(tail, 6, value);
      return;
    }
  }
  if (codes[length - 10] === BACKSLASH && codes[length - 9] === 85) {
    const value = hexRun(codes, length - 8, length);
    if (value >= 0 && value <= 0x10ffff) replacePoint(tail, 10, value);
  }
}

function reduceEntity(tail: EscapeTail): void {
  const { codes } = tail;
  const last = codes.length - 1;
  const first = Math.max(0, codes.length - ENTITY_MAX);
  for (let index = last - 1; index >= first; index -= 1) {
    const code = codes[index]!;
    if (code !== 38) continue;
    const point = entityPoint(String.fromCharCode(...codes.slice(index + 1, last)));
    if (point >= 0) replacePoint(tail, last - index + 1, point);
    return;
  }
}

function reduceBraced(tail: EscapeTail): void {
  const { codes } = tail;
  const last = codes.length - 1;
  for (let index = last - 1; index >= Math.max(2, last - 8); index -= 1) {
    if (hexValue(codes[index]!) >= 0) continue;
    if (codes[index] !== 123 || codes[index - 1] !== 117 || codes[index - 2] !== BACKSLASH) return;
    const value = index + 1 < last ? hexRun(codes, index + 1, last) : -1;
    if (value >= 0 && value <= 0x10ffff) replacePoint(tail, last - index + 3, value);
    return;
  }
}

/** `\uD83D\uDE00`: two escaped surrogates are one character. */
function replaceUnit(tail: EscapeTail, count: number, unit: number): void {
  const before = tail.codes[tail.codes.length - count - 1];
  const isPair =
    unit >= 0xdc00 && unit <= 0xdfff && before !== undefined && before >= 0xd800 && before <= 0xdbff;
  if (isPair) {
    replacePoint(tail, count + 1, (before - 0xd800) * 0x400 + (unit - 0xdc00) + 0x10000);
    return;
  }
  if (unit >= 0xd800 && unit <= 0xdbff) {
    const { from, to } = dropRange(tail, count);
    append(tail, unit, from, to);
    return;
  }
  replacePoint(tail, count, unit);
}

function replacePoint(tail: EscapeTail, count: number, point: number): void {
  const { from, to } = dropRange(tail, count);
  const code = decoded(point);
  if (isInner(code)) append(tail, code, from, to);
  else push(tail, code, from, to);
}

/** A byte below 128 is a character; others wait until their UTF-8 sequence is whole. */
function replaceByte(tail: EscapeTail, count: number, byte: number): void {
  if (byte < 128) {
    replacePoint(tail, count, byte);
    return;
  }
  const range = dropRange(tail, count);
  append(tail, BYTE + byte, range.from, range.to);
  const { codes } = tail;
  for (let size = 2; size <= 4; size += 1) {
    const lead = codes[codes.length - size];
    if (lead === undefined || !isByte(lead)) return;
    const value = byteOf(lead);
    if (value < 0xc0) continue;
    if (LEAD_SIZE(value) !== size) return;
    let point = value & (0xff >> (size + 1));
    for (let index = codes.length - size + 1; index < codes.length; index += 1) {
      point = point * 64 + (byteOf(codes[index]!) & 0x3f);
    }
    if (point >= 128 && point <= 0x10ffff) replacePoint(tail, size, point);
    return;
  }
}

const LEAD_SIZE = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);

/** What an escape spelled is never a word break; control characters that mean nothing are unknown. */
function decoded(point: number): number {
  if (point < 32 && point !== 9 && point !== 10 && point !== 13) return 0xfffd;
  return INNER_WHEN_DECODED.has(point) ? innerOf(point) : point;
}

function append(tail: EscapeTail, code: number, from: number, to: number): void {
  tail.codes.push(code);
  tail.from.push(from);
  tail.to.push(to);
}

function drop(tail: EscapeTail, count: number): void {
  tail.codes.length -= count;
  tail.from.length -= count;
  tail.to.length -= count;
}

function dropRange(tail: EscapeTail, count: number): { readonly from: number; readonly to: number } {
  const at = tail.codes.length - count;
  const range = { from: tail.from[at]!, to: tail.to[tail.codes.length - 1]! };
  drop(tail, count);
  return range;
}

function hexRun(codes: readonly number[], start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    const digit = hexValue(codes[index]!);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function octalRun(codes: readonly number[], start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    const digit = codes[index]! - 48;
    if (!(digit >= 0 && digit <= 7)) return -1;
    value = value * 8 + digit;
  }
  return value <= 255 && value >= 32 ? value : -1;
}

const codesOf = (chars: string): ReadonlySet<number> => new Set([...chars].map((char) => char.charCodeAt(0)));
const QUOTES = codesOf('"\'`');
const SHELL_ESCAPED = codesOf(' "\'`()[]');
const INNER_WHEN_DECODED = codesOf(' ()[]{},!');
const ESCAPE_LETTERS = codesOf('uUx01234567\\');
