import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { readPattern } from './pattern.js';

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\p{Lu}',
  '\\u{e9}',
  '\\.',
  'é',
  '😀',
  '^',
  '$',
);
const pattern = fc.letrec<{ readonly any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => a + b),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('any'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}'))
      .map(([a, count]) => `(${a})${count}`),
  ),
})).any;
const words = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '1', '.', 'é', '😀', '\n'), maxLength: 8 });

describe('a pattern', () => {
  test('for all patterns and texts: matches what JavaScript matches', () => {
    fc.assert(
      fc.property(pattern, words, (source, text) => {
        const read = readPattern(source);
        if (!read.ok) throw new Error(read.error);
        expect(read.value.matchesAll(text)).toBe(new RegExp(`^(?:${source})$`, 'u').test(text));
        expect(read.value.matchesPart(text)).toBe(new RegExp(source, 'u').test(text));
      }),
      runs(5_000, 100_000),
    );
  });

  test('for all texts: one that is taken is a pattern of JavaScript too', () => {
    const source = fc.string({ unit: fc.constantFrom(...'ab(|)[]{}*+?^$.\\d1,:-='), maxLength: 10 });
    fc.assert(
      fc.property(source, words, (each, text) => {
        const read = readPattern(each);
        if (!read.ok) return;
        expect(read.value.matchesAll(text)).toBe(new RegExp(`^(?:${each})$`, 'u').test(text));
      }),
      runs(5_000, 100_000),
    );
  });

  test.each(['(a+)+$', '(a|a)*b', '(a*)*b', '([a-z]+)*1', '(?:a?){30}a{30}'])(
    '%s takes no longer on a text that was made for it',
    (source) => {
      const read = readPattern(source);
      expect(read.ok && read.value.matchesAll('a'.repeat(1_000))).toBe(source === '(a+)+$');
    },
  );

  test.each([
    '(?=a)',
    '(?<n>a)',
    '\\1',
    '\\bx',
    'a*?',
    'a**',
    '(a',
    'a)',
    '[a',
    '{2}',
    'a{3,1}',
    '\\p{No_Such}',
    `${'(a{100}){100}'}`,
  ])('%s is not taken', (source) => {
    expect(readPattern(source)).toEqual({ ok: false, error: expect.any(String) });
  });
});
