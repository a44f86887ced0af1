import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { mapToolNames } from './tool-names.js';

/** What each vendor documents. */
const VENDORS: readonly RegExp[] = [
  /^[a-zA-Z0-9_-]{1,64}$/,
  /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  /^[a-zA-Z0-9_-]{1,128}$/,
];

describe('mapToolNames', () => {
  it.each(['read_file', 'a', '_x', 'a-b', 'A'.repeat(64)])('leaves %s alone', (name) => {
    expect(mapToolNames([name]).toWire(name)).toBe(name);
  });

  it('keeps what is readable of a name that no vendor takes', () => {
    const { toWire, fromWire } = mapToolNames(['fs.read file']);
    expect(toWire('fs.read file')).toMatch(/^fs_read_file_x[0-9a-f]{12}$/);
    expect(fromWire(toWire('fs.read file'))).toBe('fs.read file');
    expect(fromWire('made_up')).toBe('made_up');
  });

  it('for every set of names: allowed everywhere, one to one, there and back', () => {
    const odd = fc.constantFrom('', 'a.b', 'a_b', 'a b', '1', '-', 'ä', '__proto__', 'x'.repeat(200));
    const name = fc.oneof(odd, fc.string({ maxLength: 80 }), fc.string({ unit: 'binary', maxLength: 20 }));
    // A tool may be called what another one is mapped to.
    const withWires = fc.array(name, { maxLength: 12 }).map((names) => {
      const { toWire } = mapToolNames(names);
      return [...names, ...names.map(toWire), ...names.map((each) => toWire(toWire(each)))];
    });
    fc.assert(
      fc.property(withWires, (names) => {
        const { toWire, fromWire } = mapToolNames(names);
        const distinct = new Set(names);
        const wires = new Set([...distinct].map(toWire));
        expect(wires.size).toBe(distinct.size);
        const isWrong = (each: string) =>
          fromWire(toWire(each)) !== each || VENDORS.some((vendor) => !vendor.test(toWire(each)));
        expect([...distinct].filter(isWrong)).toEqual([]);
      }),
      runs(500, 20_000),
    );
  });

  it('maps a name the same way whatever else there is', () => {
    const alone = mapToolNames(['fs.read']).toWire('fs.read');
    expect(mapToolNames(['a.b', 'fs.read', 'c']).toWire('fs.read')).toBe(alone);
  });
});
