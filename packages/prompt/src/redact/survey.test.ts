import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { pairOf, readAscii } from '../ascii.js';
import { placedSign, signOf } from './sign.js';
import { createMarks, holds, holdsAny, START, surveyFor, surveyOf } from './survey.js';

const WORDS = ['net ', 'htpasswd', 'kind: Secret', 'runtime-store', '"bearer"', 'sevenxx', "',", '~*'];
const SIGNS = WORDS.map(signOf);
const PLACED = ['word', 'wd', '" * "', '-user '].map(placedSign);

const part = fc.oneof(
  fc.constantFrom(...WORDS, ...WORDS.map((word) => word.slice(1)), ...PLACED.map(({ word }) => word)),
  fc.constantFrom('kind: Secre', 'é', '密', '\n', '\t', '\r', '\x7f', '\x00', '\x1f', '😀', ' ', ':7', '~'),
  fc.constantFrom('a.b@c&d', 'hunter2-Blau!', 'Kx7v'.repeat(9), 'plain-words', '$'),
  fc.string({ maxLength: 9 }),
  fc.string({ unit: 'binary', maxLength: 9 }),
);
const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

const placesOf = (text: string, word: string): readonly number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) places.push(at);
  return places;
};

test('one look at a text tells of it what many looks tell, whatever was looked at before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, fc.boolean()), { minLength: 1, maxLength: 4 }), (all) => {
      for (const [text, isRead] of all) {
        if (isRead) readAscii(text);
        expect(SIGNS.map((sign) => holds(text, sign))).toEqual(WORDS.map((word) => text.includes(word)));
        expect(holdsAny(text, SIGNS)).toBe(WORDS.some((word) => text.includes(word)));
        const survey = surveyOf(text);
        expect(survey.isAscii).toBe(/^[\x00-\x7f]*$/.test(text));
        expect(survey.isPlain).toBe(/^[\t\n\x20-\x7e]*$/.test(text));
        expect(survey.hasNumbers).toBe(/:[0-9]/.test(text));
        for (const { word, number } of PLACED)
          expect(survey.places.filter((_, at) => at % 2 === 1 && survey.places[at - 1] === number)).toEqual(
            placesOf(text, word),
          );
        const long = [...text.matchAll(/[A-Za-z0-9_+/=.~!@#%^&*-]{12,}/g)];
        expect(survey.words.filter((_, at) => at % 3 !== 2)).toEqual(
          long.flatMap(({ 0: word, index }) => [index, index + word.length]),
        );
        expect(survey.words.filter((_, at) => at % 3 === 2)).toEqual(
          long.map(({ 0: word }) => {
            const digits = word.replaceAll(/[^0-9]/g, '').length;
            return digits >= 3 || (digits > 0 && /[A-Z]/.test(word)) || word.length >= 32 ? 1 : 0;
          }),
        );
        const chosen = [...text.matchAll(/(?<=[\w!#$%&*+@^~.-])[!#$%&@]|[!#$%&@](?=[\w!#$%&*+@^~.-])/g)];
        expect([...new Set(survey.chosen)]).toEqual(chosen.map(({ index }) => index));
      }
    }),
    runs(5_000, 100_000),
  );
});

test('a word that is named late is found in the text that was looked at last', () => {
  const text = `${' '.repeat(40)}latecomer`;
  expect(holds(text, signOf('htpasswd'))).toBe(false);
  expect(holds(text, signOf('latecomer'))).toBe(true);
});

test('a context has its own starts, though the text was looked at for another one', () => {
  const starting = (char: string) => {
    const pairs = new Uint8Array(1 << 16);
    for (let other = 0; other < 128; other += 1) pairs[pairOf(char.charCodeAt(0), other)] = START;
    return createMarks(pairs);
  };
  const [one, other] = [starting('x'), starting('y')];
  const text = 'a x and a y, and an x';
  expect(surveyFor(text, one).starts).toEqual([0, 2, 20]);
  expect(surveyFor(text, other).starts).toEqual([0, 10]);
  expect(surveyFor(text, one).starts).toEqual([0, 2, 20]);
});
