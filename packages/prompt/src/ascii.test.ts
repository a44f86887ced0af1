import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { readAscii, readLoosely } from './ascii.js';

const text = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '~', '\t', '\n', '\r', '\x7f', '\x00', '\x1f', 'é'),
    maxLength: 120,
  }),
);

describe('ascii', () => {
  it('bytes are those of the text, read once or again', () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        for (const each of [first, second, second, first]) {
          const ascii = readAscii(each);
          expect(ascii !== undefined).toBe(each.length >= 32 && /^[\x00-\x7f]*$/.test(each));
          if (ascii) expect(Buffer.from(ascii.bytes.subarray(0, each.length)).toString('latin1')).toBe(each);
          const { bytes, isAscii } = readLoosely(each);
          expect(isAscii).toBe(/^[\x00-\x7f]*$/.test(each));
          expect(Buffer.from(bytes.subarray(0, each.length + 4)).toString('latin1')).toBe(
            `${each.replaceAll(/[^\x00-\x7f]/g, '\0')}\0\0\0\0`,
          );
        }
      }),
      runs(5_000, 100_000),
    );
  });
});
