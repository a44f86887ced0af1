import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createSharedClock } from './shared-clock.js';

/** What happens next: time passes, or the database is asked over a line of which each way takes its time. */
const step = fc.oneof(
  fc.record({ does: fc.constant('pass' as const), ms: fc.nat(20_000) }),
  fc.record({
    does: fc.constant('ask' as const),
    there: fc.oneof(fc.nat(3), fc.nat(2_000)),
    back: fc.oneof(fc.nat(3), fc.nat(2_000)),
  }),
);

it('is the time of the database but for the time on the way and what the machine measures wrong', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.integer({ min: -1e12, max: 1e12 }),
      fc.array(step, { minLength: 1, maxLength: 20 }),
      async (rate, ahead, steps) => {
        let real = 0;
        let way = { there: 0, back: 0 };
        const database = () => Math.floor(1_700_000_000_000 + real);
        const clock = createSharedClock({
          ticks: () => ahead + real * rate,
          everyMs: 1e9,
          ask: async () => {
            real += way.there;
            const time = database();
            real += way.back;
            return time;
          },
        });
        await clock.sync();
        let error = 1;
        for (const next of steps) {
          if (next.does === 'pass') {
            real += next.ms;
            error += next.ms * Math.abs(rate - 1);
          } else {
            const trip = next.there + next.back;
            error += trip * Math.abs(rate - 1);
            way = next;
            await clock.sync();
            // What it measures of the way is wrong by its rate; an answer never makes it worse.
            error = Math.min(error, trip * Math.max(1, rate)) + trip * Math.abs(rate - 1) + 2;
          }
          expect(Math.abs(clock.now() - database())).toBeLessThanOrEqual(Math.ceil(error) + 1);
        }
        clock.stop();
      },
    ),
    runs(300, 20_000),
  );
});

it('asks again by itself, also after the database was away, until it is stopped', async () => {
  const asked: (() => void)[] = [];
  const waits = [new Promise<void>((resolve) => asked.push(resolve))];
  let count = 0;
  const clock = createSharedClock({
    everyMs: 1,
    ask: async () => {
      count += 1;
      if (count === 4) asked[0]?.();
      if (count === 2) throw new Error('away');
      return 5_000_000 * count;
    },
  });
  await clock.sync();
  await Promise.all(waits);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBeGreaterThanOrEqual(20_000_000);
  clock.stop();
});
