import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { canonicalJson, noteSpelling } from './canonical-json.js';

/** Texts with half characters, and keys that an object sorts otherwise than their spelling does. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 6 }).map((each) => `${each}\ud800`),
  fc.constantFrom('', '10', '9', '-1', '__proto__', 'toJSON', '\u2028', '"\\'),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('any'), { maxLength: 6 }),
    fc.dictionary(text, tie('any'), { maxKeys: 8 }),
  ),
})).any;

const orThrown = (spell: () => string | undefined): string | undefined => {
  try {
    return spell();
  } catch {
    return undefined;
  }
};

describe('the one spelling of a JSON value', () => {
  it('is that of the library that the RFC names, and refuses what it refuses', () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(orThrown(() => canonicalJson(each))).toBe(orThrown(() => canonicalize(each)));
      }),
      runs(3_000, 200_000),
    );
  });

  it('refuses what JSON cannot hold', () => {
    const circle: Record<string, unknown> = {};
    circle.self = [circle];
    for (const each of [undefined, Number.NaN, 1n, () => 1, Symbol('x'), { a: () => 1 }, '\udc00', circle])
      expect(() => canonicalJson(each)).toThrow();
  });

  it('is taken from a note where there is one', () => {
    const data = { b: 1, a: 2 };
    noteSpelling(data, canonicalJson(data));
    expect(canonicalJson(data)).toBe('{"a":2,"b":1}');
  });
});
