import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { block, piece, promptOf } from '../test/prompts.js';
import { TRUSTS } from './label.js';
import { decodeSpanMap, encodeSpanMap } from './span-map.js';

test('what is packed unpacks to the same spans, for every prompt', () => {
  const pieces = fc.array(
    fc.tuple(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(5), fc.constantFrom(...TRUSTS)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 4 }), (all) => {
      const prompt = promptOf(
        ...all.map((each, b) =>
          block(
            `${b}`,
            'user',
            ...each.map(([text, ref, trust]) =>
              piece(`${text} `, {
                trust: trust === 'platform' ? trust : 'author',
                origin: { kind: 'variable', ref: `${ref}` },
              }),
            ),
          ),
        ),
      );
      expect(decodeSpanMap(encodeSpanMap(prompt.blocks))).toEqual(prompt.blocks.map(({ spans }) => spans));
    }),
    runs(2_000, 50_000),
  );
});

test('a repeated source is stored once', () => {
  const prompt = promptOf(
    block('a', 'user', piece('x'), piece('y', { origin: { kind: 'variable', ref: 'v' } }), piece('z')),
  );
  const map = encodeSpanMap(prompt.blocks);
  expect(map.sources).toHaveLength(2);
  expect([...map.bytes]).toEqual([3, 0, 1, 2, 1, 1, 1]);
});

test('bytes that are no span map are refused', () => {
  expect(() => decodeSpanMap({ bytes: Uint8Array.of(2, 0), sources: [] })).toThrow(RangeError);
  expect(() => decodeSpanMap({ bytes: Uint8Array.of(1, 8, 1), sources: [] })).toThrow(RangeError);
  expect(() => decodeSpanMap({ bytes: new Uint8Array(20).fill(255), sources: [] })).toThrow(RangeError);
});
