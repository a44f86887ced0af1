import { hexValue, isAlnum, isLetter } from './chars.js';
import { ASSIGN, SEPARATOR, SPECIAL, TILDE, WORD } from './class-table.js';
import { isGap, isKeyEnd } from './credentials.js';
import { FIRST_CODES } from './path-shapes.js';
import { mayBeWord } from './word-needles.js';

/** What the context adds to the question. */
export interface DullGate {
  /** By ASCII code: 1 for what may follow the first separator of a known prefix. */
  readonly afterSeparator: Uint8Array;
  readonly hasHomeNames: boolean;
  /** The anchors of known words with their right neighbours. */
  readonly pairs: Uint8Array;
}

/**
 * True when the marked byte at `at` of an ASCII text cannot be the start of anything: a look at its neighbours
 * settles most slashes, colons and equals signs without touching the string.
 */
export function isDull(bytes: Uint8Array, at: number, length: number, bits: number, gate: DullGate): boolean {
  if ((bits & TILDE) !== 0) return false;
  const next = at + 1 < length ? bytes[at + 1]! : 0;
  if ((bits & WORD) !== 0 && mayBeWord(gate.pairs, bytes[at]!, next)) return false;
  if ((bits & SPECIAL) !== 0 && mayBeEscape(bytes[at]!, next)) return false;
  if ((bits & SEPARATOR) !== 0 && mayStartPath(bytes, at, length, next, gate)) return false;
  return (bits & ASSIGN) === 0 || !isAfterKey(bytes, at);
}

function mayBeEscape(code: number, next: number): boolean {
  switch (code) {
    case 47:
      return next === 47 || next === 46;
    case 61:
      return next === 10 || next === 13 || hexValue(next) >= 0;
    case 37:
      return hexValue(next) >= 0 || next === 37 || next === 38 || next === 92;
    case 38:
      return next === 35 || isLetter(next) || next === 37 || next === 38 || next === 92;
    default:
      return true;
  }
}

function mayStartPath(bytes: Uint8Array, at: number, length: number, next: number, gate: DullGate): boolean {
  if (gate.afterSeparator[next] === 1) return true;
  const before = at > 0 ? bytes[at - 1]! : 0;
  if (before === 58 || next === 47) return true;
  // The last letters of `Users` and `home`.
  if (gate.hasHomeNames && (before === 115 || before === 101)) return true;
  if (FIRST_CODES[next] === 0 && !(at + 2 < length && bytes[at + 2] === 47)) return false;
  return !isAlnum(before) || isAfterFlag(bytes, at);
}

function isAfterFlag(bytes: Uint8Array, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 10 && isAlnum(bytes[start - 1]!)) start -= 1;
  return start > 0 && bytes[start - 1] === 45;
}

function isAfterKey(bytes: Uint8Array, at: number): boolean {
  let end = at;
  while (end > 1 && at - end < 3 && isGap(bytes[end - 1]!)) end -= 1;
  return end > 1 && isKeyEnd(bytes[end - 2]! | 32, bytes[end - 1]! | 32);
}
