import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { dueTimes, GRACE_MS, MISSED_RULES, nextTime, timesProblem } from './times.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 1, 26, 22, 0);

const ZONES = [
  'Europe/Zurich',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
];
/** Around them the clocks of one of the zones are set: forward and back, at a day's end, in Ramadan. */
const CHANGES = [
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-04-04T15:00Z',
  '2026-10-03T15:30Z',
  '2026-02-15T02:00Z',
  '2026-02-28T23:00Z',
].map((at) => Date.parse(at));

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

  it('of every hour are all moments at which the clocks of the zone fit, in each zone, over every change', () => {
    fc.assert(
      fc.property(
        fc.record({ minute: field(0, 59), day: field(1, 28) }),
        fc.constantFrom(...ZONES),
        fc.constantFrom(...CHANGES),
        fc.integer({ min: -4, max: 2 }),
        fc.constantFrom('*', '*/1', '0-23', '0-11,12-23', '0-23/1'),
        ({ minute, day }, zone, change, hours, every) => {
          const cron = `${minute.text} ${every} ${day.text} * *`;
          const from = change + hours * 60 * MINUTE;
          const shown = new Intl.DateTimeFormat('en-US', {
            ...{ timeZone: zone, day: 'numeric', minute: 'numeric' },
          });
          const fits = (at: number): boolean => {
            const parts = new Map(shown.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
            return minute.fits(parts.get('minute') ?? -1) && day.fits(parts.get('day') ?? -1);
          };
          const until = from + 6 * 60 * MINUTE;
          const all: number[] = [];
          for (let at = from + MINUTE; at <= until; at += MINUTE) if (fits(at)) all.push(at);
          const found: number[] = [];
          for (let at = nextTime({ cron, zone }, from); at !== undefined && at <= until; ) {
            found.push(at);
            at = nextTime({ cron, zone }, at);
          }
          expect(found).toEqual(all);
        },
      ),
      runs(30, 600),
    );
  });

  it('are the same whatever patterns were asked for before, also more of them than are remembered', () => {
    const patterns = ZONES.slice(0, 2).flatMap((zone) =>
      Array.from({ length: 55 }, (_, minute) => ({ cron: `${minute} ${minute % 8 ? 9 : '*'} * * *`, zone })),
    );
    const ask = (each: (typeof patterns)[number]) => nextTime(each, START);
    const first = patterns.map(ask);
    expect([...patterns].reverse().map(ask).reverse()).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(90);
    expect(nextTime({ cron: '* * * * *', zone: 'UTC' }, START)).toBe(START + MINUTE);
    expect(() => nextTime({ cron: '* * *', zone: 'UTC * *' }, START)).toThrow();
  });

  it('of one time a day come once on each day, in each zone, over every change of the clocks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom(...ZONES),
        fc.constantFrom(...CHANGES),
        fc.integer({ min: 0, max: 3_000 }),
        (hour, minute, zone, change, before) => {
          const times = { cron: `${minute} ${hour} * * *`, zone };
          const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
          const from = change - 2 * 24 * 60 * MINUTE - before * MINUTE;
          const until = from + 6 * 24 * 60 * MINUTE;
          const days: string[] = [];
          for (let at = nextTime(times, from) ?? until; at < until; at = nextTime(times, at) ?? until)
            days.push(day.format(at));
          // The first and the last day may be left out: the stretch begins and ends in the middle of them.
          const whole = new Set<string>();
          for (let at = from; at < until; at += 6 * 60 * MINUTE) whole.add(day.format(at));
          const wanted = [...whole].slice(1, -1);
          expect(days.filter((each) => wanted.includes(each))).toEqual(wanted);
        },
      ),
      runs(60, 600),
    );
  });

  it.each([
    // Clocks are set from 02:00 to 03:00, and from 03:00 to 02:00.
    ['30 2 * * *', '2026-03-28T12:00Z', ['29T01:30', '30T00:30']],
    ['30 2 * * *', '2026-10-24T12:00Z', ['25T00:30', '26T01:30']],
    ['0 * * * *', '2026-10-24T23:00Z', ['25T00:00', '25T01:00', '25T02:00']],
    ['0 * * * *', '2026-03-29T00:00Z', ['29T01:00', '29T02:00']],
    ['*/30 * * * *', '2026-10-25T00:10Z', ['25T00:30', '25T01:00', '25T01:30', '25T02:00']],
    ['0 12 29 2 *', '2026-01-01T00:00Z', ['29T11:00']],
    // Where both days are named, a day that fits either counts.
    ['0 12 13 * 5', '2026-02-01T00:00Z', ['06T11:00', '13T11:00', '20T11:00']],
  ] as const)('%s in Zurich after %s', (cron, after, expected) => {
    const found: string[] = [];
    for (let at = Date.parse(after); found.length < expected.length; ) {
      at = nextTime({ cron, zone: 'Europe/Zurich' }, at) ?? Number.NaN;
      found.push(new Date(at).toISOString().slice(8, 16));
    }
    expect(found).toEqual(expected);
  });

  it.each([
    { cron: '0 9 ? * 1', zone: 'UTC', why: 'not valid' },
    {
      cron: '* * * *',
      zone: 'UTC',
      why: 'five fields, minute, hour, day of the month, month and day of the week, and has 4',
    },
    { cron: '* * * * * *', zone: 'UTC', why: 'five fields' },
    { cron: '61 * * * *', zone: 'UTC', why: 'minute 0-59' },
    { cron: 'x', zone: 'UTC', why: 'five fields' },
    { cron: '', zone: 'UTC', why: 'and has 0' },
    { cron: '0 0 30 2 *', zone: 'UTC', why: 'no time, ever' },
    { cron: '* * * * *', zone: 'Moon/Base', why: 'no time zone' },
    { cron: ' '.repeat(300), zone: 'UTC', why: 'too long' },
  ])('$cron in $zone has none: $why', ({ cron, zone, why }) => {
    expect(timesProblem({ cron, zone })).toContain(why);
  });
});
