import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { wordCut, wordFrom } from './word-cut.js';

const words = fc.string({ unit: fc.constantFrom(...'abc ,:"\n'), maxLength: 120 });
const around = fc.constantFrom(' ', '"', '\n', '(', 'key: ');

it('leaves no half of a credential, wherever a text is cut and whichever half is kept', () => {
  fc.assert(
    fc.property(anyToken, words, around, words, fc.nat(300), (token, before, open, after, at) => {
      const text = `${before}${open}${token} ${after}`;
      const place = Math.min(at, text.length);
      const begin = text.slice(0, wordCut(text, place));
      const tail = text.slice(wordFrom(text, place));
      expect(begin.split(token).join(' ')).not.toContain(token.slice(0, 10));
      expect(tail.split(token).join(' ')).not.toContain(token.slice(-10));
      expect([begin.length <= place, tail.length <= text.length - place]).toEqual([true, true]);
    }),
    runs(400, 30_000),
  );
});

it('cuts nothing else than where it is asked to', () => {
  const text = 'an ordinary sentence of ordinary words';
  for (let at = 0; at <= text.length; at += 1)
    expect([wordCut(text, at), wordFrom(text, at)]).toEqual([at, at]);
});
