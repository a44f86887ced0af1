const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Six in the morning, UTC, of the last day from which so many hours have passed. */
export function lastMorning(now: number, hours: number): number {
  return Math.floor((now - (hours + 6) * HOUR_MS) / DAY_MS) * DAY_MS + 6 * HOUR_MS;
}
