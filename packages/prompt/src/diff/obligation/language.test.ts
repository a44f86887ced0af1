import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../../test/runs.js';
import { narrowed, pattern } from './language.js';

const ALL = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));

describe('a narrow sentence', () => {
  itInTurn('has the classes of the sentence, one unit for each character', () => {
    const classes = [
      [/^\p{L}$/u, pattern(String.raw`^\p{L}$`)],
      [/^\p{N}$/u, pattern(String.raw`^\p{N}$`)],
      [/^[\p{L}-]$/u, pattern(String.raw`^[\p{L}-]$`)],
      [/^[^\p{L}\p{N}_]$/u, pattern(String.raw`^[^\p{L}\p{N}_]$`)],
      [/^\s$/u, /^\s$/],
      [/^\w$/u, /^\w$/],
    ] as const;
    const wrong = ALL.filter((character) => {
      const narrow = narrowed(character);
      return narrow.length !== 1 || classes.some(([wide, own]) => wide.test(character) !== own.test(narrow));
    });
    expect(wrong).toEqual([]);
  });

  it('keeps what patterns name', () => {
    expect(narrowed('don’t — „füge“ ñandú … 10 £')).toBe('don’t — „füge“ ñandú … 10 £');
  });
});
