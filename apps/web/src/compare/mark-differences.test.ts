import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { type MarkedRun, markDifferences } from './mark-differences.js';

const join = (side: readonly MarkedRun[], only?: 'same'): string =>
  side.map(({ text, isSame }) => (only === undefined || isSame ? text : '')).join('');

const words = fc
  .array(fc.oneof(fc.constantFrom('order', '12', ' ', '\n', '.', 'kind'), fc.string({ unit: 'grapheme' })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));

it('loses nothing, and what is marked as the same is the same', () => {
  fc.assert(
    fc.property(words, words, (before, after) => {
      const marked = markDifferences(before, after);
      expect(join(marked.before)).toBe(before);
      expect(join(marked.after)).toBe(after);
      expect(join(marked.before, 'same')).toBe(join(marked.after, 'same'));
      if (before === after) expect(marked.before.every(({ isSame }) => isSame)).toBe(true);
    }),
    runs(300, 5000),
  );
});

it('marks words and not letters, and answers for texts of any length', () => {
  expect(markDifferences('Your order 12 is here.', 'Your order 13 is here.').after).toMatchObject([
    { text: 'Your order ', isSame: true },
    { text: '13', isSame: false },
    { text: ' is here.', isSame: true },
  ]);
  const [long, other] = ['a b '.repeat(20_000), 'c d '.repeat(20_000)];
  expect(join(markDifferences(long, other).before)).toBe(long);
});
