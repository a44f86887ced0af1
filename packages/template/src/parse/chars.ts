import { type Edges, isInside, readEdges } from '../fmt/edges.js';
import { LETTER_EDGES } from './letter-table.js';

/** Go's space inside actions and at trim markers. */
export const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

/** A character of an identifier: a letter, a decimal digit, or `_`. */
export function isAlphanumeric(code: number): boolean {
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
    );
  }
  letters ??= readEdges(LETTER_EDGES);
  return isInside(letters, code);
}

let letters: Edges | undefined;

/** The code point at an index, -1 at the end. A byte that is no text reads as U+FFFD, as in Go. */
export function runeAt(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return -1;
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}

/** UTF-16 units of the character that starts at an index. */
export const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
