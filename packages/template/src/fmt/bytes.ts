/**
 * Strings as Go's bytes. A byte that is not part of valid UTF-8 stands as a lone low surrogate, U+DC00 plus
 * the byte (a "raw" unit); everything else is the text itself. A string is normal when no run of its raw units
 * is valid UTF-8. A normal string has one code point for each rune that Go sees.
 */

/** The length in bytes, Go's `len`. */
export function byteLength(text: string): number {
  // The native encoder wins on long text and loses on short.
  if (text.length > LONG && text.isWellFormed()) return encoder.encode(text).length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 2;
    else if (isPairAt(text, at)) {
      // Two units, four bytes.
      bytes += 2;
      at++;
    } else if (!isRaw(unit)) bytes += 2;
  }
  return bytes;
}

/** The bytes. A lone surrogate that is no raw unit becomes U+FFFD. */
export function toBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes = new Uint8Array(byteLength(text));
  let end = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (isPairAt(text, at)) at++;
    else if (isRaw(unit)) {
      if (start < at) end += encoder.encodeInto(text.slice(start, at), bytes.subarray(end)).written;
      bytes[end++] = unit & 0xff;
      start = at + 1;
    }
  }
  encoder.encodeInto(text.slice(start), bytes.subarray(end));
  return bytes;
}

/** The normal string of any bytes; `toBytes` is its inverse. */
export function fromBytes(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  // U+FFFD stands for bytes that are not UTF-8, or for itself.
  return text.includes('\ufffd') ? decodeEach(bytes) : text;
}

/** The string with its raw units put together where they are valid UTF-8. */
export function normal(text: string): string {
  return text.isWellFormed() ? text : fromBytes(toBytes(text));
}

/** The normal string of normal strings one after the other. Looks inside only when raw units meet. */
export function concat(...parts: readonly string[]): string {
  let text = '';
  let areMeeting = false;
  for (const part of parts) {
    areMeeting ||= isRaw(part.charCodeAt(0)) && isRaw(text.charCodeAt(text.length - 1));
    text += part;
  }
  return areMeeting ? normal(text) : text;
}

/** The bytes from `start` up to `end`, which lie in order within the string: Go's `s[start:end]`. */
export function sliceBytes(text: string, start: number, end: number): string {
  if (isAscii(text)) return text.slice(start, end);
  return fromBytes(toBytes(text).subarray(start, end));
}

/** The byte at a place within the string: Go's `s[index]`. Undefined outside. */
export function byteAt(text: string, index: number): number | undefined {
  if (isAscii(text)) return index < text.length ? text.charCodeAt(index) : undefined;
  return toBytes(text)[index];
}

/** How many runes Go sees in a normal string. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00 && isPairAt(text, at)) {
      count--;
      at++;
    }
  }
  return count;
}

/** Orders strings by their bytes, as Go does: negative, zero or positive. UTF-16 units order otherwise. */
export function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  const first = left.charCodeAt(at);
  const second = right.charCodeAt(at);
  if (Number.isNaN(first) || Number.isNaN(second)) return left.length - right.length;
  if (first < 0xd800 && second < 0xd800) return first - second;
  // The difference may be in the second half of a pair, and a raw unit may begin the other's character.
  const from = at > 0 && isHigh(left.charCodeAt(at - 1)) ? at - 1 : at;
  return compareArrays(toBytes(left.slice(from, from + WINDOW)), toBytes(right.slice(from, from + WINDOW)));
}

/** Whether every byte is below 0x80. */
export function isAscii(text: string): boolean {
  if (text.length < LONG || text.length > ROOM) return !NOT_ASCII.test(text);
  const { read, written } = encoder.encodeInto(text, room);
  return read === text.length && written === read;
}

/** The byte of a code point that is a raw unit, else undefined. */
export const rawByte = (codePoint: number): number | undefined =>
  isRaw(codePoint) ? codePoint & 0xff : undefined;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NOT_ASCII = /[^\0-\x7f]/;

const LONG = 100;
/** The encoder looks at long text several times faster than an expression does; what it writes is thrown away. */
const ROOM = 1 << 16;
const room = new Uint8Array(ROOM);

/** More units than the four bytes in which two characters can differ. */
const WINDOW = 8;

const isRaw = (unit: number): boolean => unit >= 0xdc80 && unit <= 0xdcff;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function isPairAt(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return isHigh(text.charCodeAt(at)) && next >= 0xdc00 && next <= 0xdfff;
}

function compareArrays(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = (left[at] as number) - (right[at] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Decodes as Go does: a byte that begins no valid character stands alone. */
function decodeEach(bytes: Uint8Array): string {
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = characterSize(bytes, at);
    if (size === 0) {
      if (start < at) text += decoder.decode(bytes.subarray(start, at));
      text += String.fromCharCode(0xdc00 | (bytes[at] as number));
      start = at + 1;
    }
    at += size || 1;
  }
  return text + decoder.decode(bytes.subarray(start));
}

/** The bytes of the valid character that begins at a place; 0 when none does. */
function characterSize(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  const size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size === 0 || at + size > bytes.length) return 0;
  // No overlong forms, no surrogates, nothing past U+10FFFF.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] as number;
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + size; next++) {
    if (((bytes[next] as number) & 0xc0) !== 0x80) return 0;
  }
  return size;
}
