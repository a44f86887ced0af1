import { hexValue, isAlnum, isLetter, isSeparator, isSpace } from './chars.js';

/** A run of base64, base64url or hex in the shadow and the bytes it may stand for, zero bytes left out: UTF-16 of ASCII reads too. */
export interface EncodedRun {
  readonly start: number;
  readonly end: number;
  readonly decoded: readonly Uint8Array[];
}

/** The run `[start, end)` as base64. Wrapped lines of one length are one run. */
export function base64Run(text: string, start: number, end: number): EncodedRun {
  const first = padded(text, end);
  const last = unwrapped(text, start, first);
  // Nearly every run is one line of ordinary words: it is told in place.
  if (last === first && !hasText(text, start, last)) {
    return { start, end: last, decoded: NOTHING };
  }
  const lines = text.slice(start, last);
  const run = last === first ? lines : lines.replace(/[\r\n]/g, '');
  const digits = digitsOf(run);
  const decoded = SHIFTS.filter((shift) => hasTextAt(run, shift, run.length)).map((shift) =>
    decodeBase64(digits, shift),
  );
  return { start, end: last, decoded };
}

const SHIFTS = [0, 1, 2, 3];
const NOTHING: readonly Uint8Array[] = [];

/** Shorter lines are not wrapped ones. */
export const WRAPPED_MIN = 60;
/** The end of base64 that goes on over line breaks, as mail and keys wrap it. */
export function unwrapped(text: string, start: number, firstEnd: number, least = WRAPPED_MIN): number {
  const width = firstEnd - start;
  let end = firstEnd;
  while (width >= least) {
    const next = text.charCodeAt(end) === 13 ? end + 2 : end + 1;
    if (text.charCodeAt(next - 1) !== 10) break;
    let after = next;
    while (after - next <= width && isBase64(text.charCodeAt(after))) after += 1;
    if (after - next < 4 || after - next > width) break;
    const close = padded(text, after);
    // A word of a sentence is no line.
    if (text.charCodeAt(close) === 32 && /^[A-Za-z]?[a-z]*$/.test(text.slice(next, close))) break;
    end = close;
  }
  return end;
}

/** Behind the signs that fill up the last group. */
export const padded = (text: string, end: number): number => {
  let after = end;
  while (after - end < 2 && text.charCodeAt(after) === 61) after += 1;
  return after;
};

/** The base64 around `[from, to)`, for a known value found in its encoded form. */
export function aroundBase64(text: string, from: number, to: number, floor: number): EncodedRun {
  let start = from;
  while (start > floor && isBase64(text.charCodeAt(start - 1))) start -= 1;
  let end = to;
  while (isBase64(text.charCodeAt(end))) end += 1;
  return { start, end: padded(text, end), decoded: [] };
}

const isBase64 = (code: number): boolean =>
  isAlnum(code) || code === 43 || code === 47 || code === 45 || code === 95;

/**
 * Three groups that decode to ASCII, each starting in `I`–`Z` or `a`–`f`: what path text looks like. `A`, a
 * zero byte, may stand between: UTF-16.
 */
function hasTextAt(text: string, start: number, end: number): boolean {
  let row = 0;
  for (let at = start; at < end; at += 4) {
    const code = text.charCodeAt(at);
    if ((code >= 73 && code <= 90) || (code >= 97 && code <= 102)) {
      row += 1;
      if (row >= 3) return true;
    } else if (code !== 65) row = 0;
  }
  return false;
}

/** The same for any of the four alignments. */
const hasText = (text: string, start: number, end: number): boolean =>
  hasTextAt(text, start, end) ||
  hasTextAt(text, start + 1, end) ||
  hasTextAt(text, start + 2, end) ||
  hasTextAt(text, start + 3, end);

/** The same in bytes. */
export function hasTextIn(bytes: Uint8Array, start: number, end: number): boolean {
  for (let lane = start; lane < start + 4; lane += 1) {
    let row = 0;
    for (let at = lane; at < end; at += 4) {
      const code = bytes[at]!;
      if ((code >= 73 && code <= 90) || (code >= 97 && code <= 102)) {
        row += 1;
        if (row >= 3) return true;
      } else if (code !== 65) row = 0;
    }
  }
  return false;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));
VALUES[45] = 62;
VALUES[95] = 63;

/** The values of the digits, six bits each. */
export function digitsOf(run: string): Uint8Array {
  const digits = new Uint8Array(run.length);
  let length = 0;
  for (let at = 0; at < run.length; at += 1) {
    const value = VALUES[run.charCodeAt(at)]!;
    digits[length] = value;
    length += value < 0 ? 0 : 1;
  }
  return digits.subarray(0, length);
}

function decodeBase64(digits: Uint8Array, shift: number): Uint8Array {
  const bytes = new Uint8Array(((digits.length - shift) * 3) >> 2);
  let length = 0;
  let at = shift;
  for (; at + 3 < digits.length; at += 4) {
    const second = digits[at + 1]!;
    const third = digits[at + 2]!;
    length = put(bytes, length, (digits[at]! << 2) | (second >> 4));
    length = put(bytes, length, (second << 4) | (third >> 2));
    length = put(bytes, length, (third << 6) | digits[at + 3]!);
  }
  if (at + 1 < digits.length) length = put(bytes, length, (digits[at]! << 2) | (digits[at + 1]! >> 4));
  if (at + 2 < digits.length) length = put(bytes, length, (digits[at + 1]! << 4) | (digits[at + 2]! >> 2));
  return bytes.subarray(0, length);
}

/** Puts a byte that is not zero in place and answers how many there are. */
function put(bytes: Uint8Array, length: number, byte: number): number {
  bytes[length] = byte;
  return (byte & 0xff) === 0 ? length : length + 1;
}

/** The parts of the run `[start, end)` that are hex, decoded from both alignments. */
export function hexRuns(text: string, start: number, end: number): readonly EncodedRun[] {
  const runs: EncodedRun[] = [];
  // As for long runs: the place that a run of enough digits must reach, then back to what breaks it.
  for (let from = start; from + HEX_MIN <= end; ) {
    let at = from + HEX_MIN - 1;
    while (at >= from && hexValue(text.charCodeAt(at)) >= 0) at -= 1;
    if (at < from) {
      at = from + HEX_MIN;
      while (at < end && hexValue(text.charCodeAt(at)) >= 0) at += 1;
      const run = text.slice(from, at);
      runs.push({ start: from, end: at, decoded: [decodeHex(run, 0), decodeHex(run, 1)] });
    }
    from = at + 1;
  }
  return runs;
}

export const HEX_MIN = 12;

function decodeHex(run: string, shift: number): Uint8Array {
  const bytes = new Uint8Array((run.length - shift) >> 1);
  let length = 0;
  for (let at = shift; at + 1 < run.length; at += 2) {
    const byte = hexValue(run.charCodeAt(at)) * 16 + hexValue(run.charCodeAt(at + 1));
    if (byte === 0) continue;
    bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** What of a value's base64 does not depend on its neighbours, for each of the three alignments, and its hex. */
export function encodedForms(value: string): readonly { readonly form: string; readonly hex: boolean }[] {
  const bytes = new TextEncoder().encode(value);
  const base64 = [0, 1, 2].map((pad): string => {
    let bits = '';
    for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
    const skip = (6 - ((pad * 8) % 6)) % 6;
    let form = '';
    for (let at = skip; at + 6 <= bits.length; at += 6)
      form += DIGITS.charAt(Number.parseInt(bits.slice(at, at + 6), 2));
    return form;
  });
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // The alphabet of addresses has `-` and `_` where the other has `+` and `/`.
  const forms = new Set(base64.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]));
  return [...[...forms].map((form) => ({ form, hex: false })), { form: hex, hex: true }];
}

/** What of a value's base32 does not depend on its neighbours, for each of the five alignments. */
export function base32Forms(value: string): readonly string[] {
  let bits = '';
  for (const byte of new TextEncoder().encode(value)) bits += byte.toString(2).padStart(8, '0');
  return [0, 1, 2, 3, 4].map((pad) => {
    let form = '';
    for (let at = (5 - ((pad * 8) % 5)) % 5; at + 5 <= bits.length; at += 5)
      form += BASE32.charAt(Number.parseInt(bits.slice(at, at + 5), 2));
    return form;
  });
}

/** The digits of base32. */
export const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

interface EncodedNeedle {
  /** In lower case. */
  readonly form: string;
  readonly anchor: number;
  readonly isHex: boolean;
}

/** An encoded form in a text when its anchor stands at `at`; line breaks and what wraps lines may stand inside. */
export function matchEncodedForm(
  text: string,
  at: number,
  { form, anchor, isHex }: EncodedNeedle,
): { readonly start: number; readonly end: number } | undefined {
  let end = at;
  for (let index = anchor; index < form.length; index += 1) {
    if (index > anchor) end = skipForward(text, end, isHex, form.charCodeAt(index));
    if (!isSame(text.charCodeAt(end), form.charCodeAt(index))) return undefined;
    end += 1;
  }
  let start = at;
  for (let index = anchor - 1; index >= 0; index -= 1) {
    start = skipBack(text, start, isHex, form.charCodeAt(index));
    if (!isSame(text.charCodeAt(start - 1), form.charCodeAt(index))) return undefined;
    start -= 1;
  }
  return { start, end };
}

/** In either case, and for both separators: the shadow may have turned one into the other. */
const isSame = (code: number, wanted: number): boolean =>
  code === wanted || (isLetter(code) && (code | 32) === wanted) || (code === 92 && wanted === 47);

/** No wrapping of lines is longer than this. */
const GAP_MAX = 24;

/**
 * Behind line breaks, spaces and the signs that put strings together, and the backslashes that join lines. Between hex
 * digits `:` and `-` stand too. `wanted` comes next.
 */
function skipForward(text: string, from: number, isHex: boolean, wanted: number): number {
  let at = from;
  while (at - from < GAP_MAX) {
    const code = text.charCodeAt(at);
    if (isGapCode(code, isHex)) at += 1;
    else if (code === 92 && isBreakLetter(text.charCodeAt(at + 1))) at += 2;
    else if (code === 92 && isJoin(text.charCodeAt(at + 1)) && isApart(text, at, 1, wanted)) at += 1;
    else break;
  }
  return at;
}

function skipBack(text: string, from: number, isHex: boolean, wanted: number): number {
  let at = from;
  while (from - at < GAP_MAX) {
    const code = text.charCodeAt(at - 1);
    if (isGapCode(code, isHex)) at -= 1;
    else if (isBreakLetter(code) && text.charCodeAt(at - 2) === 92) at -= 2;
    else if (code === 92 && at < from && isJoin(text.charCodeAt(at)) && isApart(text, at - 1, -1, wanted))
      at -= 1;
    else break;
  }
  return at;
}

/** A backslash is no slash of base64 when a slash is wanted and stands next to it, behind the end of the line. */
function isApart(text: string, at: number, step: 1 | -1, wanted: number): boolean {
  if (wanted !== 47) return true;
  let next = at + step;
  while (isSpace(text.charCodeAt(next))) next += step;
  return isSeparator(text.charCodeAt(next));
}

/** What stands behind a backslash that joins two lines: the end of the line, or the backslash that escapes it. */
const isJoin = (code: number): boolean => code === 10 || code === 13 || code === 92;

const isBreakLetter = (code: number): boolean => code === 110 || code === 114;

/** `=` ends a line of quoted-printable; `>` begins one of a quoted mail. */
const isGapCode = (code: number, isHex: boolean): boolean =>
  isSpace(code) ||
  code === 34 ||
  code === 39 ||
  code === 44 ||
  code === 62 ||
  (isHex && (code === 58 || code === 45));
