import { type Ascii, pairOf } from '../ascii.js';
import { hexValue, isLetter } from './chars.js';
import { FIRST_CODES, FOLDER_PAIRS } from './path-shapes.js';
import { OPENERS } from './path-start.js';
import { FLAG_SECONDS, FLAG_THIRDS, isFlagStart } from './secret/command.js';
import { isAfterPort } from './secret/login-file.js';
import { isGap, isIndexEnd, isKeyEnd, KEY_LAST } from './secret/secret-keys.js';
import { createMarks, type Marks, START, START_BEHIND, surveyFor } from './survey.js';

/**
 * The first look at ASCII text. Nearly all of it is dull, so a table over pairs of neighbouring bytes tells where something
 * could start: most slashes, colons and equals signs never stop the walk. At each such place a second look at the
 * neighbours decides. It may stop too often, never too seldom: a property test compares it with the walk that stops at
 * every marked character.
 */
export interface QuickScan {
  /** For a walk over a text: by a place, the next one at or after it that has to be visited, or `to`. Places only grow. */
  over(text: string, ascii: Ascii): (from: number, to: number) => number;
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

/** `marks`: of `quickMarks` for the same needles with shapes; those without have no others. */
export function createQuickScan(needles: QuickNeedles, marks: Marks): QuickScan {
  const pairs = startPairs(needles);
  const isStart = (bytes: Uint8Array, at: number, to: number): boolean => {
    // Before the text stands a space, behind it a zero.
    const code = bytes[at]!;
    const next = at + 1 < to ? bytes[at + 1]! : 0;
    if ((pairs[pairOf(code, next)]! & START) !== 0 && isWorthForward(bytes, at, to, needles)) return true;
    const before = at > 0 ? bytes[at - 1]! : 32;
    return (pairs[pairOf(before, code)]! & START_BEHIND) !== 0 && isWorthBackward(bytes, at, to, needles);
  };
  return {
    over(text, { bytes }) {
      const { starts } = surveyFor(text, marks);
      let index = 0;
      return (from, to) => {
        while (index < starts.length && starts[index]! < from) index += 1;
        for (; index < starts.length && starts[index]! < to; index += 1) {
          const at = starts[index]!;
          if (isStart(bytes, at, to)) return at;
        }
        return to;
      };
    },
  };
}

/** What a look at a text marks for the walk. */
export const quickMarks = (needles: QuickNeedles): Marks => createMarks(startPairs(needles));

/** By two neighbouring bytes: which of them may start something. */
function startPairs(needles: QuickNeedles): Uint8Array {
  const pairs = new Uint8Array(1 << 16);
  const mark = (first: number, second: number, which: number): void => {
    pairs[pairOf(first, second)]! |= which;
  };
  for (let other = 0; other < 128; other += 1) {
    for (const code of STARTS_FORWARD) if (marksForward(code, other, needles)) mark(code, other, START);
    for (const code of STARTS_BACKWARD)
      if (marksBackward(other, code, needles)) mark(other, code, START_BEHIND);
    if (needles.withShapes && FLAG_SECONDS[other] === 1) mark(45, other, START);
  }
  // The `w` of `swo` and `swd`.
  if (needles.withShapes) mark(115, 119, START_BEHIND);
  const { wordPairs } = needles;
  for (let at = wordPairs.indexOf(1); at !== -1; at = wordPairs.indexOf(1, at + 1)) {
    for (const code of bothCases(at >> 7)) for (const next of bothCases(at & 127)) mark(code, next, START);
  }
  return pairs;
}

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
    return before <= 32 || before === 33 || before === 64 || OPENERS.has(before);
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
