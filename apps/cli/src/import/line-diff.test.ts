import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { lineDiff } from './line-diff.js';

it('shows what goes and what comes, with a little around it', () => {
  expect(lineDiff('a\nb\nc\nd\ne\nf', 'a\nb\nC\nd\ne\nf')).toEqual([
    '@@ line 1 @@',
    '  a',
    '  b',
    '- c',
    '+ C',
    '  d',
    '  e',
  ]);
  expect(lineDiff('a', 'a')).toEqual([]);
  const many = Array.from({ length: 12 }, (_, index) => String(index));
  expect(
    lineDiff(many.join('\n'), many.with(0, 'x').with(11, 'y').join('\n')).filter((line) =>
      line.startsWith('@@'),
    ),
  ).toHaveLength(2);
});

it('of any two texts, the lines that go are of the first, those that come of the second, and all the rest is in both', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const shown = lineDiff(before, after);
      const count = (lines: readonly string[], mark: string) =>
        lines.filter((line) => line.startsWith(mark)).length;
      expect(before.split('\n').length - count(shown, '- ')).toBe(
        after.split('\n').length - count(shown, '+ '),
      );
      expect(shown.length === 0).toBe(before === after);
    }),
    runs(1000, 10_000),
  );
});
