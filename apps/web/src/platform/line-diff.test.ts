import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { lineDiff } from './line-diff.js';

it('holds both texts whole, and says of equal lines that they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const side = (sign: string) =>
        lines.filter((line) => line.startsWith(' ') || line.startsWith(sign)).map((line) => line.slice(1));
      expect(side('-').join('\n')).toBe(before);
      expect(side('+').join('\n')).toBe(after);
      if (before === after) expect(lines.every((line) => line.startsWith(' '))).toBe(true);
    }),
    runs(30, 500),
  );
  expect(lineDiff('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
});
