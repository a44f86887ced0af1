import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { longRunFrom } from './long-run.js';

const RUN = /[A-Za-z0-9+/_-]{16,}/g;

const part = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9+/_-]{0,40}$/) },
  { weight: 2, arbitrary: fc.constantFrom(' ', '\n', '.', '=', 'ä', '\u{1f600}', '\ud800', '@[`{') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

it('finds what the pattern finds, from every place of every text', () => {
  fc.assert(
    fc.property(text, (given) => {
      for (let from = 0; from <= given.length; from += 1) {
        RUN.lastIndex = from;
        const match = RUN.exec(given);
        const wanted =
          match === null ? undefined : { start: match.index, end: match.index + match[0].length };
        expect(longRunFrom(given, from)).toEqual(wanted);
      }
    }),
    runs(2_000, 50_000),
  );
});

it.each([
  [15, undefined],
  [16, { start: 3, end: 19 }],
  [33, { start: 3, end: 36 }],
] as const)('a run of %i characters', (length, wanted) => {
  expect(longRunFrom(`a. ${'b'.repeat(length)}, c`, 0)).toEqual(wanted);
});
