import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { isIn, makeNeedle } from './needle.js';

const check = (text: string, needle: string): void => {
  const window = Buffer.from(text);
  expect([text, needle, isIn(window, makeNeedle(needle))]).toEqual([
    text,
    needle,
    window.indexOf(needle) !== -1,
  ]);
};

it('a needle is found exactly where the text itself is', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'e', 'x', 'é', '\n', ' '), maxLength: 60 });
  fc.assert(
    fc.property(few, fc.string({ unit: fc.constantFrom('a', 'e', 'x', 'é', ' '), maxLength: 5 }), check),
    runs(300, 50_000),
  );
  fc.assert(
    fc.property(few, fc.nat(), fc.nat(8), (text, from, length) => {
      const start = text.length === 0 ? 0 : from % text.length;
      check(text, text.slice(start, start + length).toWellFormed());
    }),
    runs(300, 50_000),
  );
});

it('a byte that stands everywhere does not hide what is behind it', () => {
  check(`${'x'.repeat(1_000)}xy`, 'xy');
  check(`${'zq'.repeat(1_000)}`, 'qq');
  check('', 'a');
  check('ab', 'abc');
});
