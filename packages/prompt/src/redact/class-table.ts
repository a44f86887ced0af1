import type { WordNeedles } from './word-needles.js';

/** The bits of a character's class: why the scan stops at it. */
export const SEPARATOR = 1;
export const TILDE = 2;
export const ASSIGN = 4;
/** The dash of a flag. */
export const FLAG = 8;
/** The `w` of `password`. */
export const LOGIN = 16;
export const WORD = 64;
/** It may be spelled differently from what it means, so a shadow is needed. */
export const SPECIAL = 128;

/** The class of every UTF-16 unit. Without shapes only what known paths and names need is marked. */
export function classTable(words: WordNeedles, withShapes: boolean): Uint8Array {
  const table = new Uint8Array(65_536).fill(SPECIAL, 128);
  const mark = (chars: string, bit: number): void => {
    for (const char of chars) table[char.charCodeAt(0)]! |= bit;
  };
  mark('%&=/\\', SPECIAL);
  mark('/\\', SEPARATOR);
  mark('~', TILDE);
  if (withShapes) {
    mark(':=>', ASSIGN);
    mark('-', FLAG);
    mark('w', LOGIN);
  }
  for (const code of words.byAnchor.keys()) table[code]! |= WORD;
  return table;
}
