import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soakFiles } from '../../scripts/soak/files.mjs';
import { shareOf } from '../../scripts/soak/run-slice.mjs';
import { SLICES, sliceOf } from '../../scripts/soak/slice.mjs';
import { runs } from '../runs.js';

const hash = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
  .map((digits) => digits.join(''));

describe('the slice of the soak that a commit chooses', () => {
  it('is always the same for a commit, and holds no file that is not soaked', () => {
    const files = soakFiles();
    fc.assert(
      fc.property(hash, (commit) => {
        const slice = sliceOf(files, commit);
        expect(sliceOf(files, commit)).toEqual(slice);
        expect(slice.filter((file) => !files.includes(file))).toEqual([]);
        expect(new Set(slice).size).toBe(slice.length);
      }),
      runs(100, 1_000),
    );
  });

  it('gives every file its turn', () => {
    const files = soakFiles();
    const seen = new Set<string>();
    for (let commit = 0; commit < SLICES * 20; commit += 1) {
      for (const file of sliceOf(files, `commit ${commit}`)) seen.add(file);
    }
    expect(files.filter((file) => !seen.has(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(50);
  });
});

describe('the time of a file', () => {
  it('is never more than is left, and all of them together fit', () => {
    const state = fc.record({
      budget: fc.integer({ min: 1, max: 1_500_000 }),
      files: fc.integer({ min: 1, max: 40 }),
      lanes: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(state, ({ budget, files, lanes }) => {
        // Every file takes all that it gets.
        const busy = Array.from({ length: lanes }, () => 0);
        for (let left = files; left > 0; left -= 1) {
          const lane = busy.indexOf(Math.min(...busy));
          const now = busy[lane] ?? 0;
          const share = shareOf({ leftMs: budget - now, files: left, lanes, leastMs: 60_000 });
          expect(share).toBeLessThanOrEqual(Math.max(0, budget - now));
          busy[lane] = now + share;
        }
        expect(Math.max(...busy)).toBeLessThanOrEqual(budget + 1e-6);
      }),
      runs(500, 20_000),
    );
  });
});
