import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { showsSomething } from './shows-something.js';

const UNSEEN = [
  ...[' ', '\n', '\t', '\r', '\0', '\u0085', '\u00a0', '\u2003', '\u2028', '\u3000', '\ufeff'],
  ...['\u200b', '\u200c', '\u200d', '\u200e', '\u2060', '\u00ad', '\u034f', '\u115f', '\u3164', '\uffa0'],
  ...['\u180e', '\u2800', '\ufe0f', '\u{e0020}', '\u{e0100}', '\u202e', '\u2066'],
];
const unseen = fc.array(fc.constantFrom(...UNSEEN), { maxLength: 20 }).map((all) => all.join(''));
const encoded = fc.constantFrom(
  (text: string) => Buffer.from(text),
  (text: string) => Buffer.from(`\ufeff${text}`),
  (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
);

it('characters that no font shows are nothing, in every encoding, and one that is shown is something', () => {
  fc.assert(
    fc.property(
      unseen,
      unseen,
      fc.constantFrom('a', '0', '.', '字', 'é', '😀', '|'),
      encoded,
      (before, after, seen, encode) => {
        expect(showsSomething(encode(before + after))).toBe(false);
        expect(showsSomething(encode(before + seen + after))).toBe(true);
      },
    ),
    runs(500, 50_000),
  );
});

it('a file that is no text shows something', () => {
  expect(showsSomething(Buffer.from([0x89, 0x50, 0x4e, 0x47]))).toBe(true);
  expect(showsSomething(Buffer.from([0xff, 0xfe, 0x41]))).toBe(false);
  expect(showsSomething(Buffer.alloc(0))).toBe(false);
});
