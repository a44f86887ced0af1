import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { dueTimes, GRACE_MS, MISSED_RULES, nextTime, timesProblem } from './times.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 1, 26, 22, 0);

/** One field of a pattern, and which values fit it: told apart from the library that reads it. */
const field = (min: number, max: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ text: '*', fits: (_: number) => true }) },
    fc.integer({ min, max }).map((only) => ({ text: String(only), fits: (value: number) => value === only })),
    fc
      .integer({ min: 2, max: 9 })
      .map((step) => ({ text: `*/${step}`, fits: (value: number) => (value - min) % step === 0 })),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
      .map(([a, b]) => ({ text: `${a}-${b}`, fits: (value: number) => value >= a && value <= b })),
  );

describe('the times of a schedule', () => {
  it('for all patterns and stretches: each time is begun or left out as the rule says, and none is both', () => {
    fc.assert(
      fc.property(
        fc.record({ minute: field(0, 59), hour: field(0, 23) }),
        fc.constantFrom(...MISSED_RULES),
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: -30, max: 4_000 }),
        fc.nat(MINUTE - 1),
        ({ minute, hour }, missed, from, length, rest) => {
          const after = START + from * MINUTE + rest;
          const now = after + length * MINUTE;
          const all: number[] = [];
          for (let at = START; at <= now; at += MINUTE) {
            const date = new Date(at);
            if (at > after && minute.fits(date.getUTCMinutes()) && hour.fits(date.getUTCHours()))
              all.push(at);
          }
          const times = { cron: `${minute.text} ${hour.text} * * *`, zone: 'UTC', missed };
          const { begin, skipTo } = dueTimes(times, after, now);
          const fresh = all.filter((at) => at > now - GRACE_MS);
          const late = all.filter((at) => at <= now - GRACE_MS);
          const madeUp: readonly number[] = {
            skip: [],
            last: fresh.length > 0 ? [] : late.slice(-1),
            all: late.slice(-100),
          }[missed];
          expect(begin).toEqual([...madeUp, ...fresh]);
          const skipped = late.filter((at) => !madeUp.includes(at));
          expect(skipTo).toBe(skipped.at(-1));
          expect(nextTime(times, now) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
        },
      ),
      runs(150, 3_000),
    );
  });

  it('costs little after years in which nobody was there', () => {
    const now = START + 20 * 365 * 24 * 60 * MINUTE;
    const { begin } = dueTimes({ cron: '* * * * *', zone: 'UTC', missed: 'all' }, START, now);
    expect(begin.length).toBe(101);
    expect(begin.at(-1)).toBe(now);
  });

  it('follow the clocks of their zone, over a change of the hour too', () => {
    const times = { cron: '30 9 * * *', zone: 'Europe/Zurich' };
    const first = nextTime(times, Date.UTC(2026, 2, 27, 12)) ?? 0;
    const second = nextTime(times, first) ?? 0;
    expect([first, second].map((time) => new Date(time).toISOString())).toEqual([
      '2026-03-28T08:30:00.000Z',
      '2026-03-29T07:30:00.000Z',
    ]);
  });

  it.each([
    { cron: '* * * *', zone: 'UTC', why: 'five fields' },
    { cron: '* * * * * *', zone: 'UTC', why: 'five fields' },
    { cron: '61 * * * *', zone: 'UTC', why: 'five fields' },
    { cron: 'x', zone: 'UTC', why: 'five fields' },
    { cron: '', zone: 'UTC', why: 'five fields' },
    { cron: '0 0 30 2 *', zone: 'UTC', why: 'no time, ever' },
    { cron: '* * * * *', zone: 'Moon/Base', why: 'no time zone' },
    { cron: ' '.repeat(300), zone: 'UTC', why: 'too long' },
  ])('$cron in $zone has none: $why', ({ cron, zone, why }) => {
    expect(timesProblem({ cron, zone })).toContain(why);
  });
});
