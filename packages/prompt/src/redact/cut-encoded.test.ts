import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createLiveWords } from './live-words.js';
import { createRedactor } from './redactor.js';

const bytesOf = (text: string): number[] => [...Buffer.from(text)];
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');
const each = (put: (byte: number) => string) => (text: string) => bytesOf(text).map(put).join('');

/** How programs write a word so that nobody reads it at a glance. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 behind a name': (text) => Buffer.from(`kim:${text}`).toString('base64'),
  'base64 of addresses': (text) => Buffer.from(`u=${text}&`).toString('base64url'),
  hex: each(hexOf),
  HEX: each((byte) => hexOf(byte).toUpperCase()),
  percent: each((byte) => `%${hexOf(byte).toUpperCase()}`),
  'escapes of JSON': each((byte) => `\\u00${hexOf(byte)}`),
  'escapes of a shell': each((byte) => `\\x${hexOf(byte)}`),
  'escapes with braces': each((byte) => `\\u{${hexOf(byte)}}`),
  entities: each((byte) => `&#${byte};`),
  'entities in hex': each((byte) => `&#x${hexOf(byte)};`),
};

/** What stands between two pieces of it. */
const CUTS: readonly string[] = [
  ...['" + "', '" .\n  "', "' \\\n  '", '\n+', '\n- ', '\n> ', '\n | ', ' | ', '", "', '</b><b>'],
  ...['</span>\n<span class="hl">', '\n  12: ', '\n13\t', '\nsrc/a.ts:12:', '\\n', '&quot; + &quot;'],
];

/** With enough letters and digits to be known by them alone. */
const secret = fc
  .stringMatching(/^[A-Za-z0-9+/_.-]{16,40}$/)
  .filter((word) => new Set(word).size >= 10 && word.replaceAll(/[^A-Za-z0-9]/g, '').length >= 12);
const redactorOf = (word: string) =>
  createRedactor({ roots: [], private: [], names: [], credentials: [word] });
const cutWith = (text: string, at: number, step: number, cut: string): string => {
  const parts = [text.slice(0, at)];
  for (let from = at; from < text.length; from += step) parts.push(text.slice(from, from + step));
  return parts.join(cut);
};

it.each(Object.keys(ENCODINGS))('a known secret that is cut is found in %s, whatever cuts it', (encoding) => {
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom(...CUTS),
      fc.nat(),
      fc.integer({ min: 5, max: 30 }),
      (word, cut, place, step) => {
        const whole = ENCODINGS[encoding]!(word);
        const redactor = redactorOf(word);
        const text = `a value "${cutWith(whole, 4 + (place % (whole.length - 8)), step, cut)}" of b`;
        const { text: clean } = redactor.redactText(text);
        expect(clean).toMatch(/^a value .*\[removed:credential\].* of b$/s);
        expect(clean.length).toBeLessThan(50 + cut.length * 2);
        expect(redactor.leaks(clean)).toEqual([]);
      },
    ),
    runs(60, 300),
  );
});

it('whoever watches is told no more of it than what is left', () => {
  const encoding = fc.constantFrom(...Object.keys(ENCODINGS));
  fc.assert(
    fc.property(
      secret,
      encoding,
      fc.constantFrom(...CUTS),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (word, how, cut, steps) => {
        const whole = ENCODINGS[how]!(word);
        const text = `a value "${cutWith(whole, 9, 7, cut)}" of b\n`;
        const redactor = redactorOf(word);
        const live = createLiveWords(redactor);
        let told = '';
        for (let at = 0, index = 0; at < text.length; index += 1) {
          const size = steps[index % steps.length]!;
          told += live.feed(text.slice(at, at + size));
          at += size;
        }
        told += live.flush();
        expect(redactor.leaks(told)).toEqual([]);
      },
    ),
    runs(60, 300),
  );
});
