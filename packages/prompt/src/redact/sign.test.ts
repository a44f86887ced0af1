import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAscii } from '../ascii.js';
import { holds, signOf } from './sign.js';

const WORDS = ['net ', 'htpasswd', 'kind: Secret', 'runtime-store', '"bearer"', 'sevenxx'];
const SIGNS = WORDS.map(signOf);

const part = fc.oneof(
  fc.constantFrom(...WORDS, ...WORDS.map((word) => word.slice(1)), 'kind: Secre', 'é', '密', '\n'),
  fc.string({ maxLength: 9 }),
);
const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

test('a sign is held by the texts that have its word, wherever it stands and whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, fc.boolean()), { minLength: 1, maxLength: 4 }), (all) => {
      for (const [text, isRead] of all) {
        if (isRead) readAscii(text);
        expect(SIGNS.map((sign) => holds(text, sign))).toEqual(WORDS.map((word) => text.includes(word)));
      }
    }),
  );
});

test('a word that is named late is found in the text that was looked at last', () => {
  const text = `${' '.repeat(40)}latecomer`;
  expect(holds(text, signOf('htpasswd'))).toBe(false);
  expect(holds(text, signOf('latecomer'))).toBe(true);
});
