import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { lastMorning } from './last-morning.js';

it('the last morning is six, and its hours are over at every hour of every day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 48 }), (now, hours) => {
      const start = lastMorning(now, hours);
      expect(new Date(start).toISOString()).toMatch(/T06:00:00\.000Z$/);
      const passed = (now - start) / 3_600_000 - hours;
      expect(passed >= 0 && passed < 24).toBe(true);
    }),
    runs(1_000, 10_000),
  );
});
