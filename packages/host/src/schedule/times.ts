import { timesAfter, type ZonedPattern } from './clock.js';

/** Which of the times that nobody was there for are made up: none, the last one, or all of them. */
export const MISSED_RULES = ['skip', 'last', 'all'] as const;
export type MissedRule = (typeof MISSED_RULES)[number];

/** When a schedule is due. */
export interface ScheduleTimes extends ZonedPattern {
  readonly missed: MissedRule;
}

/** What is to be done about the times of a schedule behind one time and up to now. */
export interface DueTimes {
  /** In order. */
  readonly begin: readonly number[];
  /** The last of the times that are left out, if any are. */
  readonly skipTo?: number;
}

/** Why times cannot be had; undefined: they can. */
export function timesProblem({ cron, zone }: ZonedPattern): string | undefined {
  if (cron.length > 200) return 'it is too long';
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    return `${JSON.stringify(zone.slice(0, 60))} is no time zone; there are Europe/Zurich, America/New_York, UTC`;
  }
  try {
    return nextTime({ cron, zone }, Date.UTC(2000, 0, 1)) === undefined ? 'it has no time, ever' : undefined;
  } catch {
    const count = cron.trim().split(/\s+/).filter(Boolean).length;
    return count === 5
      ? 'one of its fields is not valid: minute 0-59, hour 0-23, day of the month 1-31, month 1-12, day of the week 0-7'
      : `it needs five fields, minute, hour, day of the month, month and day of the week, and has ${count}`;
  }
}

/** The first time behind a time. */
export const nextTime = (times: ZonedPattern, after: number): number | undefined => timesAfter(times)(after);

/** What is due behind `after` and up to `now`. Pure. A time is missed when it is longer ago than `GRACE_MS`. */
export function dueTimes(times: ScheduleTimes, after: number, now: number): DueTimes {
  const first = nextTime(times, after);
  if (first === undefined || first > now) return { begin: [] };
  const fresh = timesIn(times, Math.max(after, now - GRACE_MS), now);
  const border = now - GRACE_MS;
  if (first > border) return { begin: fresh };
  // Some were missed: those up to the border.
  const wanted =
    times.missed === 'all' ? MOST_MADE_UP : times.missed === 'last' && fresh.length === 0 ? 1 : 0;
  const late = wanted === 0 ? [] : lastTimes(times, { after, until: border, count: wanted });
  const begin = [...late, ...fresh];
  const skipTo = skippedTo(times, { after, until: border, first: late[0] });
  return { begin, ...(skipTo === undefined ? {} : { skipTo }) };
}

/** A time that nobody began for so long is missed. */
export const GRACE_MS = 60_000;
/** However long nobody was there. */
const MOST_MADE_UP = 100;

interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** The last of the times that are left out: those of a stretch before the first that is made up. */
function skippedTo(
  times: ScheduleTimes,
  { after, until, first }: Stretch & { readonly first?: number | undefined },
) {
  const end = first === undefined ? until : first - 1;
  return lastTimes(times, { after, until: end, count: 1 })[0];
}

/** The last times of a stretch, as many as are wanted, without counting all of them. */
function lastTimes(
  times: ScheduleTimes,
  { after, until, count }: Stretch & { readonly count: number },
): number[] {
  for (let width = HOUR_MS; ; width *= 2) {
    const from = Math.max(after, until - width);
    const found = timesIn(times, from, until);
    if (found.length >= count || from === after) return found.slice(-count);
  }
}

/** The times behind `from` and up to `until`. */
function timesIn(times: ZonedPattern, from: number, until: number): number[] {
  const next = timesAfter(times);
  const found: number[] = [];
  for (let at = next(from); at !== undefined && at <= until; at = next(at)) found.push(at);
  return found;
}

const HOUR_MS = 3_600_000;
