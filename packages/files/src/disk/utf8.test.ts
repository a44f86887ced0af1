import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { findInvalidUtf8 } from './utf8.js';

it.each([
  [[], -1],
  [[0x41, 0xc3, 0xa9], -1],
  [[0xf0, 0x9f, 0x98, 0x80], -1],
  [[0x41, 0xff], 1],
  [[0x41, 0xc3], 1],
  [[0xc0, 0x80], 0],
  [[0xed, 0xa0, 0x80], 0],
  [[0xf4, 0x90, 0x80, 0x80], 0],
  [[0x41, 0x42, 0xe2, 0x82, 0x41], 2],
])('the first bad byte of %j is at %d', (bytes, offset) => {
  expect(findInvalidUtf8(Uint8Array.from(bytes))).toBe(offset);
});

it('agrees with the platform on every input, and all before the offset is valid', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.tuple(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 4 })).map(([text, tail]) => {
      return Uint8Array.from([...new TextEncoder().encode(text), ...tail]);
    }),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      const offset = findInvalidUtf8(input);
      expect(offset === -1).toBe(isUtf8(input));
      if (offset !== -1) expect(isUtf8(input.subarray(0, offset))).toBe(true);
    }),
    { numRuns: 20_000 },
  );
});
