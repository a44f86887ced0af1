import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitSeed, seedOf, spread } from '../../scripts/seed.mjs';
import { countAt, isTurnOf, runs, SEED, TURNS } from '../runs.js';

describe('the seed of a commit', () => {
  it('is a whole number of 31 bits, the same for the same commit, and mostly another for another', () => {
    const hash = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(hash, (digits) => {
        const seed = seedOf(digits.join(''));
        expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
        expect(seedOf(digits.join(''))).toBe(seed);
      }),
      runs(1_000, 10_000),
    );
    const first = 'a3f1c2d4'.padEnd(40, '0');
    expect(seedOf(first)).not.toBe(seedOf(`b${first.slice(1)}`));
  });

  it('is what properties run with when nobody names another', () => {
    const named = process.env.CUEBOOK_SEED;
    expect(named).toBeDefined();
    if (process.env.CUEBOOK_WHOLE !== '1') expect(SEED).toBe(Number(named));
    expect(Number.isInteger(commitSeed())).toBe(true);
  });
});

describe('a sample', () => {
  it('has the size that is asked for, keeps the order, and with other seeds gives each its turn', () => {
    const shape = fc.record({
      size: fc.integer({ min: 1, max: 60 }),
      count: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(shape, fc.nat(), ({ size, count }, seed) => {
        const items = Array.from({ length: size }, (_, index) => index);
        const sample = spread(items, count, seed);
        expect(sample).toHaveLength(Math.min(size, count));
        expect([...sample].sort((a, b) => a - b)).toEqual(sample);
        const seen = new Set(items.flatMap((step) => spread(items, count, seed + step)));
        expect(seen.size).toBe(size);
      }),
      runs(300, 5_000),
    );
  });
});

describe('a scenario that takes long', () => {
  it('has its turn with one of as many seeds that follow each other as there are turns, whatever its title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(2 ** 31 - 5), (title, seed) => {
        const steps = Array.from({ length: TURNS }, (_, step) => seed + step);
        expect(steps.filter((each) => isTurnOf(title, each))).toHaveLength(1);
      }),
      runs(1_000, 10_000),
    );
  });

  it('is a sixteenth of the rows of a table, each in its turn, whatever the table', () => {
    const table = fc.record({ title: fc.string({ unit: 'binary' }), rows: fc.nat(40) });
    fc.assert(
      fc.property(table, fc.nat(2 ** 31 - 60), ({ title, rows }, seed) => {
        const indexes = [...Array(rows).keys()];
        const turns = Array.from({ length: TURNS }, (_, step) =>
          indexes.filter((row) => isTurnOf(title, seed + step, row)),
        );
        expect(turns.flat().sort((one, other) => one - other)).toEqual(indexes);
        const sizes = turns.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
      runs(1_000, 10_000),
    );
  });
});

describe('the count of a property', () => {
  it.each([
    [100_000, 1_000_000, 250, 500],
    [1_000, 100_000, 50, 100],
    [105, 3_000, 6, 11],
    [60, 1_000, 3, 6],
    [8, 600, 2, 4],
    [1, 40, 1, 1],
  ])('of %i in a test and %i in a soak is %i in `npm test` and %i where the file is named', (...row) => {
    const [inTest, inSoak, inCommit, named] = row;
    expect(countAt('commit', inTest, inSoak)).toBe(inCommit);
    expect(countAt('test', inTest, inSoak)).toBe(named);
    expect(countAt('whole', inTest, inSoak)).toBe(inTest);
    expect(countAt('soak', inTest, inSoak)).toBe(inSoak);
  });
});
