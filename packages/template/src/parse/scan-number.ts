import { isAlphanumeric, runeAt, unitsAt } from './chars.js';

/**
 * Passes over what looks like a number at `at`. Loose: the parser reads the digits. A number runs into no
 * letter; when it does, `end` is behind that letter.
 */
export function scanNumber(text: string, at: number): { readonly end: number; readonly isGood: boolean } {
  const head = at + lengthOf(SIGN, text, at);
  const isZero = text[head] === '0';
  const base = isZero ? (BASES[text[head + 1] ?? ''] ?? 10) : 10;
  let end = isZero && base !== 10 ? head + 2 : head;
  const digits = DIGITS[base] as RegExp;
  end += lengthOf(digits, text, end);
  if (text[end] === '.') end += 1 + lengthOf(digits, text, end + 1);
  if (base === 10) end += lengthOf(EXPONENT, text, end);
  if (base === 16) end += lengthOf(BINARY_EXPONENT, text, end);
  if (text[end] === 'i') end++;
  const rune = runeAt(text, end);
  if (rune === -1 || !isAlphanumeric(rune)) return { end, isGood: true };
  return { end: end + unitsAt(text, end), isGood: false };
}

const BASES: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8, O: 8, b: 2, B: 2 };
const DIGITS: Readonly<Record<number, RegExp>> = {
  2: /[01_]*/y,
  8: /[0-7_]*/y,
  10: /[0-9_]*/y,
  16: /[0-9a-fA-F_]*/y,
};
const SIGN = /[+-]?/y;
const EXPONENT = /(?:[eE][+-]?[0-9_]*)?/y;
const BINARY_EXPONENT = /(?:[pP][+-]?[0-9_]*)?/y;

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
