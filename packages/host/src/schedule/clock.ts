import { Cron } from 'croner';

/** A pattern in a time zone. */
export interface ZonedPattern {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** A time zone such as `Europe/Zurich`. */
  readonly zone: string;
}

/**
 * The times of a pattern, one after the other. Throws for what is no pattern.
 *
 * Where the hours are named, a time that clocks show twice counts once, and one that they skip counts after the change.
 * A pattern of every hour counts whenever the clocks of its zone fit it, so no hour is left out when they are set back.
 */
export function timesAfter({ cron, zone }: ZonedPattern): TimesAfter {
  const key = JSON.stringify([zone, cron]);
  const times = known.get(key) ?? readTimes({ cron, zone });
  known.delete(key);
  known.set(key, times);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return times;
}

type TimesAfter = (after: number) => number | undefined;

/** What was read of the patterns that were asked for last: to read one takes longer than to find a time of it. */
const known = new Map<string, TimesAfter>();
const KEPT = 100;

function readTimes({ cron, zone }: ZonedPattern): TimesAfter {
  if (cron.includes('?')) throw new RangeError('`?` means another thing in each program');
  const zoned = new Cron(cron, { timezone: zone, ...OPTIONS });
  if (!isEveryHour(cron)) return (after) => zoned.nextRun(new Date(after))?.getTime();
  const plain = new Cron(cron, { timezone: 'UTC', ...OPTIONS });
  const offsetAt = offsetsOf(zone);
  return (after) => {
    for (let from = after; ; ) {
      const offset = offsetAt(from);
      const found = plain.nextRun(new Date(from + offset))?.getTime();
      if (found === undefined) return undefined;
      const time = found - offset;
      const change = nextChange(offsetAt, from, time);
      if (change === undefined) return time;
      // Up to the change nothing fits: on from the moment before it, with the clocks as they are then.
      const first = plain.nextRun(new Date(change + offsetAt(change) - 1))?.getTime();
      if (first === change + offsetAt(change)) return change;
      from = change;
    }
  };
}

/** Whether the hours of a pattern are all of them, however they are written: a star, steps of one, `0-23`. */
function isEveryHour(cron: string): boolean {
  const [, hours = '*'] = cron.trim().split(/\s+/);
  const fits = new Cron(`0 ${hours} * * *`, { timezone: 'UTC', ...OPTIONS });
  return fits.nextRuns(24, new Date(-1)).at(-1)?.getTime() === 23 * HOUR_MS;
}

/** The first moment behind one time, and up to another, at which the clocks are set to another offset. */
function nextChange(offsetAt: (at: number) => number, after: number, until: number): number | undefined {
  const offset = offsetAt(after);
  for (let low = after; low < until; ) {
    const high = Math.min(until, low + STEP_MS);
    if (offsetAt(high) !== offset) return border(low, high, (at) => offsetAt(at) !== offset);
    low = high;
  }
  return undefined;
}

/** The first whole number up to `high` of which something holds that does not hold of `low`. */
function border(low: number, high: number, holds: (at: number) => boolean): number {
  let [not, is] = [low, high];
  while (is - not > 1) {
    const middle = Math.floor((not + is) / 2);
    if (holds(middle)) is = middle;
    else not = middle;
  }
  return is;
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetsOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return shown - Math.floor(at / 1_000) * 1_000;
  };
}

const HOUR_MS = 3_600_000;
/** No zone has set its clocks twice within this. */
const STEP_MS = 7 * 24 * HOUR_MS;
const OPTIONS = { mode: '5-part', paused: true } as const;
