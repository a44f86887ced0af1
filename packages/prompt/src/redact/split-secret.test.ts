import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createLiveWords } from './live-words.js';
import { createRedactor } from './redactor.js';

/** How people and programs cut a long word in two. */
const CUTS: Readonly<Record<string, string>> = {
  'a shell line that goes on': '\\\n',
  'two strings of a program': '" + "',
  'two strings on two lines': '" +\n  "',
  'strings that stand side by side': '"\n"',
  'empty quotes': "''",
  'a quote in quotes': `'"'"'`,
  'a colour of a terminal': '\u001b[1;31m',
  'a folded text': '\n    ',
  'a diff': '\n+',
  'a quotation': '\n> ',
  'a comment': '\n# ',
  'a place to break a word': '<wbr>',
  'an escaped end of a line': '\\n',
  'a space': ' ',
};

const secret = fc.stringMatching(/^[A-Za-z0-9+/_.-]{12,40}$/).filter((word) => new Set(word).size >= 8);
const between = fc.constantFrom(...Object.values(CUTS));
const redactorOf = (word: string) =>
  createRedactor({ roots: [], private: [], names: [], credentials: [word] });

describe('a known secret that is cut', () => {
  it('is found wherever it is cut, once or several times, and again nothing is found', () => {
    fc.assert(
      fc.property(
        secret,
        fc.array(fc.tuple(fc.nat(), between), { minLength: 1, maxLength: 4 }),
        (word, cuts) => {
          const at = new Map(cuts.map(([place, cut]) => [1 + (place % (word.length - 1)), cut]));
          const text = [...word].map((char, index) => (at.get(index) ?? '') + char).join('');
          const redactor = redactorOf(word);
          const clean = redactor.redactText(`a value ${text} of b`).text;
          expect(clean).toBe('a value [removed:credential] of b');
          expect(redactor.leaks(clean)).toEqual([]);
          expect(redactor.leaks(`"${text}"`).length).toBeGreaterThan(0);
        },
      ),
      runs(400, 20_000),
    );
  });

  it('is told to nobody who watches, however its pieces come, and the words around it are', () => {
    fc.assert(
      fc.property(
        secret,
        fc.nat(),
        between,
        fc.array(fc.integer({ min: 1, max: 9 })),
        (word, place, cut, steps) => {
          const at = 4 + (place % (word.length - 8));
          const text = `a value ${word.slice(0, at)}${cut}${word.slice(at)} of b\n`;
          const live = createLiveWords(redactorOf(word));
          let out = '';
          for (let from = 0, turn = 0; from < text.length; turn += 1) {
            const step = steps[turn % Math.max(1, steps.length)] ?? 3;
            out += live.feed(text.slice(from, from + step));
            from += step;
          }
          expect(out + live.flush()).toBe('a value [removed:credential] of b\n');
        },
      ),
      runs(400, 20_000),
    );
  });

  it('is found as a list of the numbers of its bytes', () => {
    fc.assert(
      fc.property(secret, fc.boolean(), fc.constantFrom(',', ', ', ',\n  ', ' '), (word, inHex, comma) => {
        const numbers = [...Buffer.from(word)].map((byte) =>
          inHex ? `0x${byte.toString(16)}` : String(byte),
        );
        const out = redactorOf(word).redactText(`{ data: [${numbers.join(comma)}] }`).text;
        expect(out).toBe('{ data: [[removed:credential]] }');
      }),
      runs(200, 5_000),
    );
  });
});

describe('a private key', () => {
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  const line = 'q7Xv+/Zk3mPa0sLrT9wEbYcDfGhJiKlMnOpQrStUvWxYz1234567890abcdEF+/g';

  it('is taken out when only its last lines are there', () => {
    const text = `${line}\n${line}\n-----END RSA PRIVATE KEY-----\nand more`;
    expect(redactor.redactText(text).text).toBe('[removed:credential]\nand more');
  });

  it('is taken out of a key of the web, whose other members stay', () => {
    const key = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      d: line.slice(5, 48).replace(/[+/]/g, '-'),
    };
    const out = JSON.parse(redactor.redactText(JSON.stringify(key)).text);
    expect(out).toEqual({ ...key, d: '[removed:credential]' });
  });

  it('is not seen in a mention of its end line', () => {
    const text = 'The file ends with -----END RSA PRIVATE KEY----- as PEM says.';
    expect(redactor.redactText(text).text).toBe(text);
  });
});
