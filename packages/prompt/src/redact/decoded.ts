import { hexValue } from './chars.js';
import { foldCodePoint } from './fold.js';
import { PRINTABLE } from './shadow.js';

// Bytes that were decoded from something that may have been no text at all: nearly always a picture or a hash. What no
// text has (control characters, bytes that are no UTF-8) ends whatever is known, so a stretch between two of these that
// is shorter than the shortest known thing holds none, and needs no closer look.

const decoder = new TextDecoder();

/** Bytes as text: UTF-8 where it is, a replacement character where not. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** True when the bytes are text: a path found by shape in random bytes is chance. */
export function isReadable(bytes: Uint8Array): boolean {
  let sure = 0;
  for (let at = 0; at < bytes.length; at += 1) sure += NEVER[bytes[at]!]!;
  if (sure * 20 > bytes.length) return false;
  const text = textOf(bytes);
  let odd = 0;
  for (let at = 0; at < text.length; at += 1) if (isOdd(text.charCodeAt(at))) odd += 1;
  return odd * 20 <= text.length;
}

/** What stands where bytes are no UTF-8. */
const REPLACED = 0xfffd;
/** No text has them. */
const isOdd = (code: number): boolean =>
  code < 9 || (code > 13 && code < 32) || code === 127 || code === REPLACED;
const isDead = (byte: number): boolean => byte < 128 && isOdd(byte);
/** By byte: 1 for what is odd wherever it stands. */
const NEVER = Uint8Array.from({ length: 256 }, (_, byte) =>
  isDead(byte) || byte === 0xc0 || byte === 0xc1 || byte > 0xf4 ? 1 : 0,
);

const ARABIC = /[\u0600-\u06ff]/;

/** The length of the shortest of the known things; 0 when one has a character that no text has. */
export function leastOf(known: readonly string[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const each of known) {
    for (let at = 0; at < each.length; at += 1) if (isOdd(each.charCodeAt(at))) return 0;
    // An escape of six characters can stand for a ligature of eighteen. Only Arabic has such.
    least = Math.min(least, ARABIC.test(each) ? Math.ceil(each.length / 3) : each.length);
  }
  return least;
}

/**
 * The stretches of the bytes that can hold something known, each with the characters beside it. `least` is the length of
 * the shortest known thing, or 0: then it is all of them.
 */
export function worthOf(bytes: Uint8Array, least: number): Uint8Array {
  if (least === 0) return bytes;
  const stretches: Stretch[] = [];
  let state = 0;
  let weight = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const step = STEPS[(state << 8) | bytes[at]!]!;
    state = step & 15;
    weight = (weight & (step >> 8)) + ((step >> 4) & 15);
    if (weight < least) continue;
    const stretch = stretchAround(bytes, at);
    if (foldedLength(bytes, stretch) >= least) stretches.push(stretch);
    at = stretch.end - 1;
    state = 0;
    weight = 0;
  }
  const isWhole = stretches[0]?.start === 0 && stretches[0].end === bytes.length;
  return isWhole ? bytes : joined(bytes, stretches);
}

/**
 * Reading UTF-8 byte by byte without a branch. What must come next is the state; by state: its bounds, the state behind
 * it, and how many characters the one that it ends folds to at most, but for two ligatures of Arabic.
 */
const EXPECTED: readonly (readonly [lowest: number, highest: number, next: number, weight: number])[] = [
  [1, 0, 0, 0],
  [0x80, 0xbf, 0, 4], // the last of two bytes
  [0x80, 0xbf, 3, 0], // the second of three, the third of four
  [0x80, 0xbf, 0, 7], // the last of three or four
  [0xa0, 0xbf, 3, 0],
  [0x80, 0x9f, 3, 0],
  [0x80, 0xbf, 2, 0], // the second of four
  [0x90, 0xbf, 2, 0],
  [0x80, 0x8f, 2, 0],
];

/** By state and byte: the next state, the weight, and above them -1 when the stretch goes on, else 0. */
const STEPS = Int32Array.from({ length: EXPECTED.length << 8 }, (_, step) => {
  const byte = step & 0xff;
  const [lowest, highest, next, weight] = EXPECTED[step >> 8]!;
  if (byte >= lowest && byte <= highest) return (-1 << 8) | (weight << 4) | next;
  // What was begun is no character, and the byte may begin another one.
  const isPlain = byte < 0x80 && NEVER[byte] === 0;
  const after = stateAfter(byte);
  const goesOn = step < 0x100 && (isPlain || after > 0) ? -1 : 0;
  return (goesOn << 8) | (Number(isPlain) << 4) | after;
});

function stateAfter(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  if (byte < 0xe0) return 1;
  if (byte < 0xf0) return byte === 0xe0 ? 4 : byte === 0xed ? 5 : 2;
  return byte === 0xf0 ? 7 : byte === 0xf4 ? 8 : 6;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** All of the stretch that the byte at `at`, the last one of a character, is in. */
function stretchAround(bytes: Uint8Array, at: number): Stretch {
  let start = at + 1;
  for (let size = sizeBefore(bytes, start); size > 0; size = sizeBefore(bytes, start)) start -= size;
  let end = at + 1;
  for (let size = sizeAt(bytes, end); size > 0; size = sizeAt(bytes, end)) end += size;
  return { start, end };
}

/** The length of the character that ends at `end`, or 0 when it is odd or there is none. */
function sizeBefore(bytes: Uint8Array, end: number): number {
  for (let size = 1; size <= 4 && size <= end; size += 1) {
    if ((bytes[end - size]! & 0xc0) !== 0x80) return sizeAt(bytes, end - size) === size ? size : 0;
  }
  return 0;
}

/** The length of the character at `at`, or 0 when it is odd or there is none. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return NEVER[lead] === 1 ? 0 : 1;
  let size = 1;
  for (let state = stateAfter(lead); state !== 0; size += 1) {
    const [lowest, highest, next] = EXPECTED[state]!;
    const byte = bytes[at + size] ?? 0;
    if (byte < lowest || byte > highest) return 0;
    state = next;
  }
  return size === 1 ? 0 : size;
}

/** How many characters the stretch folds to. */
function foldedLength(bytes: Uint8Array, { start, end }: Stretch): number {
  let length = 0;
  for (let at = start; at < end; ) {
    const size = bytes[at]! < 128 ? 1 : sizeAt(bytes, at);
    length += size === 1 ? 1 : foldCodePoint(pointAt(bytes, at, size)).length;
    at += size;
  }
  return length;
}

function pointAt(bytes: Uint8Array, at: number, size: number): number {
  let point = bytes[at]! & (0xff >> (size + 1));
  for (let index = 1; index < size; index += 1) point = (point << 6) | (bytes[at + index]! & 63);
  return point;
}

function joined(bytes: Uint8Array, stretches: readonly Stretch[]): Uint8Array {
  const parts: (Uint8Array | readonly number[])[] = [];
  for (const { start, end } of stretches) {
    parts.push(oddAt(bytes, start - 1), bytes.subarray(start, end), oddAt(bytes, end));
  }
  // Whether quoted-printable is undone depends on all of a text, so a sign of it stays.
  if (parts.length > 0 && hasPrintable(bytes)) parts.push(PRINTABLE_SIGN);
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The odd character that the byte at `at` is of, as bytes; none outside of the text. */
function oddAt(bytes: Uint8Array, at: number): readonly number[] {
  const byte = bytes[at];
  if (byte === undefined) return [];
  return byte < 128 ? [byte] : REPLACED_BYTES;
}

const REPLACED_BYTES: readonly number[] = [0xef, 0xbf, 0xbd];
/** `=2F`, apart from what stands before it. */
const PRINTABLE_SIGN: readonly number[] = [...REPLACED_BYTES, 0x3d, 0x32, 0x46];

const isHex = (byte = 0): boolean => hexValue(byte) !== -1;

function hasPrintable(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x3d); at !== -1; at = bytes.indexOf(0x3d, at + 1)) {
    if (!isHex(bytes[at + 1]) || !isHex(bytes[at + 2])) continue;
    if (PRINTABLE.test(String.fromCharCode(...bytes.subarray(at, at + 6)))) return true;
  }
  return false;
}
