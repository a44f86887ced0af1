import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { unpack } from './inflate.js';

const someBytes = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
  fc
    .string({ unit: fc.constantFrom(...'abcd \n'), minLength: 1, maxLength: 5_000 })
    .map((text) => Buffer.from(text)),
);

it('unpacks what gzip and zlib pack, at every level', () => {
  fc.assert(
    fc.property(someBytes, fc.integer({ min: 0, max: 9 }), (bytes, level) => {
      for (const pack of [gzipSync, deflateSync])
        expect(Buffer.from(unpack(pack(bytes, { level })) ?? [])).toEqual(Buffer.from(bytes));
    }),
    runs(60, 5_000),
  );
});

it('ends on any bytes, cut packets and packets that grow without end', () => {
  fc.assert(
    fc.property(someBytes, fc.nat(100), (bytes, cut) => {
      const packed = gzipSync(bytes);
      unpack(packed.subarray(0, cut));
      unpack(Buffer.concat([packed.subarray(0, 10), bytes]));
      expect(unpack(Buffer.concat([Buffer.from('no'), bytes]))).toBeUndefined();
    }),
    runs(100, 10_000),
  );
  expect(unpack(gzipSync(Buffer.alloc(3 << 20)))?.length).toBe(1 << 20);
});
