import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import {
  byteAt,
  byteLength,
  compareBytes,
  concat,
  fromBytes,
  isAscii,
  normal,
  rawByte,
  runeCount,
  sliceBytes,
  toBytes,
} from './bytes.js';

/** Bytes that are often UTF-8, often nearly, and often not at all. */
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 150 }).map((text) => new TextEncoder().encode(text)),
  fc.string({ maxLength: 150 }).map((text) => new TextEncoder().encode(text)),
  fc
    .array(
      fc.constantFrom(0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0xf4, 0xff),
      {
        maxLength: 40,
      },
    )
    .map((bytes) => Uint8Array.from(bytes)),
);

const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes);
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

const DECODED: readonly (readonly [Uint8Array, string, number])[] = [
  [bytesOf(), '', 0],
  [bytesOf(0x61), 'a', 1],
  [bytesOf(0xc3, 0xa9), 'é', 1],
  [bytesOf(0xc3), '\uDCC3', 1],
  [bytesOf(0xa9), '\uDCA9', 1],
  [bytesOf(0xc3, 0x61), '\uDCC3a', 2],
  [bytesOf(0xe2, 0x82, 0xac), '€', 1],
  [bytesOf(0xe2, 0x82), '\uDCE2\uDC82', 2],
  [bytesOf(0xf0, 0x9f, 0x98, 0x80), '😀', 1],
  [bytesOf(0xf0, 0x9f, 0x98), '\uDCF0\uDC9F\uDC98', 3],
  [bytesOf(0xef, 0xbf, 0xbd), '\ufffd', 1],
  [bytesOf(0xef, 0xbf, 0xbd, 0xff), '\ufffd\uDCFF', 2],
  [bytesOf(0xef, 0xbb, 0xbf, 0x61), '\ufeffa', 2],
  [bytesOf(0xc0, 0x80), '\uDCC0\uDC80', 2],
  [bytesOf(0xe0, 0x80, 0x80), '\uDCE0\uDC80\uDC80', 3],
  [bytesOf(0xed, 0xa0, 0x80), '\uDCED\uDCA0\uDC80', 3],
  [bytesOf(0xed, 0x9f, 0xbf), '\ud7ff', 1],
  [bytesOf(0xf4, 0x8f, 0xbf, 0xbf), '\u{10ffff}', 1],
  [bytesOf(0xf4, 0x90, 0x80, 0x80), '\uDCF4\uDC90\uDC80\uDC80', 4],
  [bytesOf(0xf5, 0x80), '\uDCF5\uDC80', 2],
  [bytesOf(0xf0, 0x9f, 0x98, 0x80, 0x80), '😀\uDC80', 2],
];

describe('fromBytes and toBytes', () => {
  test.each(DECODED)('%j', (bytes, text, runes) => {
    expect(fromBytes(bytes)).toBe(text);
    expect(toBytes(text)).toEqual(bytes);
    expect(runeCount(text)).toBe(runes);
    expect(byteLength(text)).toBe(bytes.length);
  });

  test('are inverse for all bytes', () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        expect(toBytes(fromBytes(bytes))).toEqual(bytes);
      }),
      runs(5000, 500_000),
    );
  });

  test('a surrogate that is no byte becomes U+FFFD', () => {
    for (const text of ['\ud800', 'a\ud800b', '\udc00', '\udc7f', '\udd00', '\ud800\uDC80\ud800']) {
      const bytes = new TextEncoder().encode(text);
      expect(toBytes(text)).toEqual(bytes);
      expect(byteLength(text)).toBe(bytes.length);
    }
  });
});

describe('what is said of strings holds of their bytes', () => {
  test('length, one byte, a slice', () => {
    fc.assert(
      fc.property(someBytes, fc.nat(), fc.nat(), (bytes, first, second) => {
        const text = fromBytes(bytes);
        const [start, end] = [first % (bytes.length + 1), second % (bytes.length + 1)].sort(
          (a, b) => a - b,
        ) as [number, number];
        expect(byteLength(text)).toBe(bytes.length);
        expect(isAscii(text)).toBe(bytes.every((byte) => byte < 0x80));
        expect(byteAt(text, start)).toBe(bytes[start]);
        expect(sliceBytes(text, start, end)).toBe(fromBytes(bytes.slice(start, end)));
      }),
      runs(3000, 300_000),
    );
  });

  test('the length of long text', () => {
    for (const text of ['a', 'é', '日', '😀', '\uDCC3', 'a\uDC80'].map((part) => part.repeat(200))) {
      expect(byteLength(text)).toBe(toBytes(text).length);
    }
  });

  test('order', () => {
    fc.assert(
      fc.property(someBytes, someBytes, someBytes, (head, left, right) => {
        const [first, second] = [joined(head, left), joined(head, right)];
        const expected = Math.sign(Buffer.compare(first, second));
        expect(Math.sign(compareBytes(fromBytes(first), fromBytes(second)))).toBe(expected);
      }),
      runs(5000, 500_000),
    );
  });

  test('concatenation, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(someBytes, { maxLength: 5 }), (parts) => {
        expect(concat(...parts.map(fromBytes))).toBe(fromBytes(joined(...parts)));
      }),
      runs(5000, 500_000),
    );
  });

  test('normal puts together what is valid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const raw = Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join(
          '',
        );
        expect(normal(raw)).toBe(fromBytes(bytes));
      }),
      runs(2000, 200_000),
    );
  });
});

test('a character cut into its bytes comes together again', () => {
  for (const character of ['é', '€', '😀']) {
    const raw = Array.from(toBytes(character), (byte) => String.fromCharCode(0xdc00 + byte));
    expect(concat('a', ...raw, 'b')).toBe(`a${character}b`);
  }
});

test('rawByte tells bytes from characters', () => {
  expect([0xdc80, 0xdcff, 0xdc7f, 0xdd00, 0x80].map(rawByte)).toEqual([
    0x80,
    0xff,
    undefined,
    undefined,
    undefined,
  ]);
});
