import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { ticksOf, tickWords } from './time-axis.js';

describe('ticksOf', () => {
  it('has few marks within any length, the same distance apart, with words that differ', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (length) => {
        const ticks = ticksOf(length);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeLessThanOrEqual(length);
        const [, step = 0] = ticks;
        ticks.forEach((tick, at) => {
          expect(tick).toBeCloseTo(at * step, -1);
        });
        expect(new Set(ticks.map(tickWords)).size).toBe(ticks.length);
        // Not so few that nobody can tell how long a bar is.
        if (length >= 500) expect(ticks.length).toBeGreaterThanOrEqual(3);
      }),
      runs(200, 5_000),
    );
  });

  it('counts as people do', () => {
    expect(ticksOf(5_300).map(tickWords)).toEqual(['0', '1 s', '2 s', '3 s', '4 s', '5 s']);
    expect(ticksOf(20 * 60_000).map(tickWords)).toEqual(['0', '5 min', '10 min', '15 min', '20 min']);
  });
});
