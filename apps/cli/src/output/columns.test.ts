import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { columns, paragraph } from './columns.js';

const WORD = fc.stringMatching(/^[a-z]{1,12}$/);
const WORDS = fc.array(WORD, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));

it('keeps every word in its order, in lines that a terminal of 80 columns shows whole', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(WORDS, WORDS), { minLength: 1, maxLength: 6 }), (rows) => {
      const text = columns(rows);
      expect(text.split(/\s+/).filter(Boolean)).toEqual(rows.flat().join(' ').split(' '));
      const lefts = new Set(rows.map(([left]) => `  ${left}`));
      for (const line of text.split('\n')) if (!lefts.has(line)) expect(line.length).toBeLessThanOrEqual(80);
    }),
    runs(200, 5_000),
  );
});

it('no line is longer than a narrow terminal, whatever the rows, but for a word that is', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 });
  const words = fc.array(word, { minLength: 1, maxLength: 20 }).map((all) => all.join(' '));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, words), { minLength: 1 }),
      fc.integer({ min: 24, max: 80 }),
      (rows, end) => {
        const lines = columns(rows, end).split('\n');
        expect(lines.filter((line) => line.length > end)).toEqual([]);
        expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(rows.flat().join(' ').split(' '));
        expect(
          paragraph(rows.flat().join(' '), end)
            .split('\n')
            .every((line) => line.length <= end),
        ).toBe(true);
      },
    ),
  );
});
