import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../../test/runs.js';
import { type Body, decodeBody, encodeBody } from './body.js';
import { pack, unpack } from './pack.js';
import { sumOf } from './sum.js';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ maxLength: 30 }).map((text) => Buffer.from(text.repeat(50))),
);
const json = fc.jsonValue().map((value) => JSON.stringify(value));
const name = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' });
const body: fc.Arbitrary<Body> = fc.record({
  command: name,
  target: name,
  answer: json,
  projections: fc.array(
    fc.record({ name, key: name, hash: fc.option(fc.constant('ab'.repeat(32)), { nil: null }) }),
    { maxLength: 4 },
  ),
  blobs: fc.array(fc.nat(), { maxLength: 6 }),
  events: fc.array(fc.record({ type: name, data: json }), { maxLength: 6 }),
});

describe('rows', () => {
  it('bytes come back as they were packed', () => {
    fc.assert(
      fc.property(bytes, (plain) => {
        const packed = pack(plain);
        expect(packed.length).toBeLessThanOrEqual(plain.length + 1);
        expect(unpack(packed, plain.length)?.equals(plain)).toBe(true);
      }),
      runs(300, 20_000),
    );
  });

  it('a body comes back as it was encoded', () => {
    fc.assert(
      fc.property(body, (given) => {
        expect(decodeBody(encodeBody(given))).toEqual(given);
      }),
      runs(300, 20_000),
    );
  });

  itInTurn('damaged or endless bytes are undefined, never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (stored) => {
        const plain = unpack(stored, 1000);
        expect(plain === undefined || plain.length <= 1000).toBe(true);
        decodeBody(stored);
      }),
      runs(300, 20_000),
    );
    const bomb = Buffer.concat([Buffer.from([1]), brotliCompressSync(Buffer.alloc(50_000_000))]);
    expect(unpack(bomb, 1000)?.length).toBeUndefined();
  });

  it('the sum sees every flipped bit, and what belongs to which column', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.nat(), fc.nat(7), (cell, at, bit) => {
        const flipped = Buffer.from(cell);
        flipped[at % cell.length] = (flipped[at % cell.length] ?? 0) ^ (1 << bit);
        expect(sumOf(1, flipped, 'a')).not.toBe(sumOf(1, cell, 'a'));
      }),
      runs(300, 20_000),
    );
    expect(sumOf('ab', 'c')).not.toBe(sumOf('a', 'bc'));
    expect(sumOf(1, null)).not.toBe(sumOf(1, 0));
    expect(sumOf('1')).not.toBe(sumOf(1));
  });
});
