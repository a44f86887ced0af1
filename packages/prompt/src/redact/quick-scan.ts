import type { Ascii } from '../ascii.js';
import { hexValue, isLetter } from './chars.js';
import { FIRST_CODES, FOLDER_PAIRS } from './path-shapes.js';
import { OPENERS } from './path-start.js';
import { FLAG_SECONDS, FLAG_THIRDS, isFlagStart } from './secret/command.js';
import { isAfterPort } from './secret/login-file.js';
import { isGap, isIndexEnd, isKeyEnd, KEY_LAST } from './secret/secret-keys.js';

/**
 * The first look at ASCII text. Nearly all of it is dull, so one table over pairs of neighbouring bytes tells
 * where something could start: most slashes, colons and equals signs never stop the loop. Where it stops, a
 * second look at the neighbours decides. It may stop too often, never too seldom: a property test compares it
 * with the walk that stops at every marked character.
 */
export interface QuickScan {
  /** The next place at or after `from` that the walk has to visit, or `to`. */
  next(ascii: Ascii, from: number, to: number): number;
}

export interface QuickNeedles {
  /** By ASCII code: 1 for what may follow the first separator of a known path. */
  readonly afterSeparator: Uint8Array;
  /** By two ASCII codes in lower case: 1 for the two characters that may follow it. */
  readonly afterSeparatorPairs: Uint8Array;
  /** By two ASCII codes, in lower case: 1 for the anchor of a known word and what may follow it. */
  readonly wordPairs: Uint8Array;
  readonly hasHomeNames: boolean;
  /** Credentials by shape are looked for too. */
  readonly withShapes: boolean;
}

/** The first byte of the pair may start something. */
const FORWARD = 1;
/** The second byte of the pair may start something. */
const BACKWARD = 2;

export function createQuickScan(needles: QuickNeedles): QuickScan {
  const pairs = pairTable(needles);
  const marks = twoByteTable(pairs);
  if (needles.withShapes) addTriples(pairs, marks);
  return {
    next(ascii, from, to) {
      const { bytes } = ascii;
      for (let at = from; at < to; ) {
        if ((at & 1) === 0) {
          at = 2 * nextMarked(ascii, marks, at >> 1, to >> 1);
          if (at >= to) return to;
          // Only their common pair was known exactly: nearly always it is none of the two.
          if (!isMarkedPair(bytes, at, to, pairs)) {
            at += 2;
            continue;
          }
        }
        // Before the text stands a space, after it a zero.
        const code = bytes[at]!;
        const next = at + 1 < to ? bytes[at + 1]! : 0;
        if ((pairs[(code << 7) | next]! & FORWARD) !== 0 && isWorthForward(bytes, at, to, needles)) return at;
        const before = at > 0 ? bytes[at - 1]! : 32;
        if ((pairs[(before << 7) | code]! & BACKWARD) !== 0 && isWorthBackward(bytes, at, to, needles))
          return at;
        at += 1;
      }
      return to;
    },
  };
}

/** Whether one of the two bytes at `at` may start something, by its neighbours. */
function isMarkedPair(bytes: Uint8Array, at: number, to: number, pairs: Uint8Array): boolean {
  const before = at > 0 ? bytes[at - 1]! : 32;
  const code = bytes[at]!;
  const next = at + 1 < to ? bytes[at + 1]! : 0;
  const after = at + 2 < to ? bytes[at + 2]! : 0;
  return (
    (pairs[(before << 7) | code]! & BACKWARD) !== 0 ||
    pairs[(code << 7) | next] !== 0 ||
    (pairs[(next << 7) | after]! & FORWARD) !== 0
  );
}

/** By two neighbouring bytes: which of them may start something. */
function pairTable(needles: QuickNeedles): Uint8Array {
  const pairs = new Uint8Array(128 * 128);
  for (const code of STARTS_FORWARD) {
    for (let next = 0; next < 128; next += 1)
      if (marksForward(code, next, needles)) pairs[code * 128 + next]! |= FORWARD;
  }
  for (const code of STARTS_BACKWARD) {
    for (let before = 0; before < 128; before += 1)
      if (marksBackward(before, code, needles)) pairs[before * 128 + code]! |= BACKWARD;
  }
  const { wordPairs } = needles;
  for (let at = wordPairs.indexOf(1); at !== -1; at = wordPairs.indexOf(1, at + 1)) {
    for (const code of bothCases(at >> 7))
      for (const next of bothCases(at & 127)) pairs[code * 128 + next]! |= FORWARD;
  }
  return pairs;
}

/**
 * The same for two bytes read as one number, the fastest way through a text. Only their common pair is known
 * exactly: the first may also start something after any byte before it, the second with any byte behind it.
 */
function twoByteTable(pairs: Uint8Array): Uint8Array {
  const starts = new Uint8Array(128);
  const ends = new Uint8Array(128);
  const table = new Uint8Array(1 << 16);
  for (let at = 0; at < pairs.length; at += 1) {
    const mark = pairs[at]!;
    if (mark === 0) continue;
    table[twoBytes(at >> 7, at & 127)] = 1;
    if ((mark & FORWARD) !== 0) starts[at >> 7] = 1;
    if ((mark & BACKWARD) !== 0) ends[at & 127] = 1;
  }
  for (let one = 0; one < 128; one += 1) {
    if (ends[one] === 1) for (let other = 0; other < 128; other += 1) table[twoBytes(one, other)] = 1;
    if (starts[one] === 1) for (let other = 0; other < 128; other += 1) table[twoBytes(other, one)] = 1;
  }
  return table;
}

/**
 * What three neighbours start: the dash of a flag after a space or a quote, the `w` of `swo` or `swd`. Whichever two
 * of them are read as one number are marked exactly, so that a frequent letter alone stops nothing.
 */
function addTriples(pairs: Uint8Array, table: Uint8Array): void {
  const mark = (first: number, second: number): void => {
    table[twoBytes(first, second)] = 1;
  };
  for (let code = 0; code < 128; code += 1) {
    if (isFlagStart(code)) mark(code, 45);
    if (FLAG_SECONDS[code] !== 1) continue;
    mark(45, code);
    pairs[45 * 128 + code]! |= FORWARD;
  }
  pairs[115 * 128 + 119]! |= BACKWARD;
  mark(115, 119);
  mark(119, 111);
  mark(119, 100);
}

/** Two bytes at a time, and where that can be eight: the next pair that is marked, or `to`. */
function nextMarked({ pairs, fours }: Ascii, table: Uint8Array, from: number, to: number): number {
  let at = from;
  if ((at & 1) === 1) {
    if (at >= to || table[pairs[at]!] !== 0) return Math.min(at, to);
    at += 1;
  }
  let four = at >> 1;
  for (const last = (to >> 1) - 1; four < last; four += 2) {
    const one = fours[four]!;
    const other = fours[four + 1]!;
    const marks = table[one & 0xffff]! | table[one >>> 16]! | table[other & 0xffff]! | table[other >>> 16]!;
    if (marks !== 0) break;
  }
  at = four << 1;
  while (at < to && table[pairs[at]!] === 0) at += 1;
  return at;
}

/** Two neighbouring bytes as the number that this machine reads them as. */
function twoBytes(first: number, second: number): number {
  PAIR[0] = first;
  PAIR[1] = second;
  return PAIR_AS_NUMBER[0]!;
}

const PAIR = new Uint8Array(2);
const PAIR_AS_NUMBER = new Uint16Array(PAIR.buffer);

/** The codes that `marksForward` tells apart. */
const STARTS_FORWARD = [37, 38, 47, 61, 92, 126];

function marksForward(code: number, next: number, needles: QuickNeedles): boolean {
  switch (code) {
    case 47:
      return needles.afterSeparator[next] === 1 || next === 47 || next === 46 || next === 92;
    case 92:
      return true;
    case 37:
      return hexValue(next) >= 0 || OPENS_ESCAPE.has(next);
    case 38:
      return next === 35 || isLetter(next) || OPENS_ESCAPE.has(next);
    case 61:
      return next === 10 || next === 13 || (hexValue(next) >= 0 && next < 97);
    case 126:
      return isLetter(next);
    default:
      return false;
  }
}

/** The codes that `marksBackward` tells apart. */
const STARTS_BACKWARD = [47, 58, 61, 62];

function marksBackward(before: number, code: number, needles: QuickNeedles): boolean {
  if (code === 47) {
    if (isLetter(before)) return needles.withShapes || needles.hasHomeNames;
    // `#!/x`.
    return before <= 32 || before === 33 || OPENERS.has(before);
  }
  if (!needles.withShapes) return false;
  if (code !== 58 && code !== 61 && code !== 62) return false;
  if (code === 58 && isAfterPort(before)) return true;
  return (code !== 62 && isGap(before)) || KEY_LAST[before | 32] === 1;
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** The codes whose lower case it is: none for a capital letter. */
function bothCases(code: number): readonly number[] {
  if (code >= 97 && code <= 122) return [code, code - 32];
  return code >= 65 && code <= 90 ? [] : [code];
}
const OPENS_ESCAPE = new Set([37, 38, 92]);

function isWorthForward(bytes: Uint8Array, at: number, to: number, needles: QuickNeedles): boolean {
  const next = at + 1 < to ? bytes[at + 1]! : 0;
  const code = bytes[at]!;
  if (needles.wordPairs[lower(code) * 128 + lower(next)] === 1) return true;
  const third = at + 2 < to ? bytes[at + 2]! : 0;
  if (code === 61) return next === 10 || next === 13 || hexValue(third) >= 0;
  if (code === 45)
    return isFlagStart(at > 0 ? bytes[at - 1]! : 32) && (next !== 45 || FLAG_THIRDS[third] === 1);
  if (code !== 47 || next === 47 || next === 92) return true;
  if (next === 46 && third === 47) return true;
  return needles.afterSeparatorPairs[lower(next) * 128 + lower(third)] === 1;
}

function isWorthBackward(bytes: Uint8Array, at: number, to: number, needles: QuickNeedles): boolean {
  const code = bytes[at]!;
  if (code === 119) return at > 1 && bytes[at - 2] === 115;
  if (code === 58 && at > 0 && isAfterPort(bytes[at - 1]!)) return isPort(bytes, at);
  if (code !== 47) return isAfterKey(bytes, at);
  const before = at > 0 ? bytes[at - 1]! : 32;
  // `-I/x`: the path starts after the letter.
  if (isLetter(before) && !(at > 1 && bytes[at - 2] === 45)) return needles.hasHomeNames;
  const next = at + 1 < to ? bytes[at + 1]! : 0;
  const third = at + 2 < to ? bytes[at + 2]! : 0;
  if (needles.afterSeparator[next] === 1) return true;
  // `</name>`: only what a rule names, or what goes on as a path; a second slash is not seen here.
  if (FIRST_CODES[next] === 1 && (before !== 60 || isFolder(bytes, at, to, third))) return true;
  if (next === 47 || next === 92 || before === 58) return true;
  return needles.hasHomeNames || third === 47;
}

/** The name behind the slash at `at` is one that a rule begins with, or a slash follows it. */
function isFolder(bytes: Uint8Array, at: number, to: number, third: number): boolean {
  if (FOLDER_PAIRS[bytes[at + 1]! * 128 + third] === 1) return true;
  let end = at + 1;
  while (end < to && FIRST_CODES[bytes[end]!] === 1) end += 1;
  return end < to && (bytes[end] === 47 || bytes[end] === 92 || bytes[end] === 36);
}

/** `:5432:`, `:*:`. */
function isPort(bytes: Uint8Array, at: number): boolean {
  if (bytes[at - 1] === 42) return at > 1 && bytes[at - 2] === 58;
  return at >= 5 && (bytes[at - 5] === 58 || bytes[at - 6] === 58);
}

function isAfterKey(bytes: Uint8Array, at: number): boolean {
  let end = at;
  while (end > 1 && at - end < 3 && (isGap(bytes[end - 1]!) || isIndexEnd(bytes[end - 2]!, bytes[end - 1]!)))
    end -= 1;
  return end > 1 && isKeyEnd(bytes[end - 2]! | 32, bytes[end - 1]! | 32);
}
