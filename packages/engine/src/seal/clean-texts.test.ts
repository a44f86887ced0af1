import { createRedactor, type Redactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { isFound } from './clean-texts.js';
import { isPrivate } from './cover.js';

const redactors = [
  createRedactor({ roots: [], private: [], names: [] }),
  createRedactor({ roots: [], private: [], names: [], credentials: ['hunter-two-is-no-word'] }),
];
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('plain words', 'hunter-two-is-no-word', 'key sk-ant-api03-0123456789abcdefABCDEF', ''),
);

it('whatever texts come by again: what is found is what looking finds, for each redactor by itself', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), text), { maxLength: 40 }), (asked) => {
      for (const [which, words] of asked) {
        const redactor = redactors[which] as Redactor;
        expect(isFound(redactor, words, isPrivate)).toBe(isPrivate(redactor, words));
      }
    }),
    runs(200, 2_000),
  );
});

it('looks once at what it found nothing in, at what is long or found again each time, and forgets the oldest', () => {
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  const looked: string[] = [];
  const look = (_: Redactor, words: string): boolean => {
    looked.push(words);
    return words.startsWith('found');
  };
  const ask = (...texts: string[]): readonly string[] => {
    looked.length = 0;
    for (const each of texts) isFound(redactor, each, look);
    return [...looked];
  };
  expect(ask('a', 'a', 'found b', 'found b')).toEqual(['a', 'found b', 'found b']);
  const long = 'x'.repeat(70_000);
  expect(ask(long, long).length).toBe(2);
  const many = Array.from({ length: 40 }, (_, at) => `${at} ${'y'.repeat(60_000)}`);
  expect(ask(...many).length).toBe(40);
  expect(ask('a', many.at(-1) as string)).toEqual(['a']);
});
