import type { Clock } from './clock.js';

/** A clock that stands still until it is told to go on: for tests and rehearsals. */
export interface ManualClock extends Clock {
  /** Goes on by so many milliseconds and wakes, in order of time, whoever waited for a moment passed on the way. */
  advance(ms: number): void;
  /** The next time that somebody waits for. */
  next(): number | undefined;
}

export function manualClock(start = 0): ManualClock {
  let now = start;
  const waiting = new Set<Waiting>();
  const next = () => earliest(waiting);
  return {
    now: () => now,
    at(time, wake) {
      const entry = { time, wake };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    next: () => next()?.time,
    advance(ms) {
      const end = now + ms;
      for (let entry = next(); entry !== undefined && entry.time <= end; entry = next()) {
        waiting.delete(entry);
        now = Math.max(now, entry.time);
        entry.wake();
      }
      now = end;
    },
  };
}

interface Waiting {
  readonly time: number;
  readonly wake: () => void;
}

function earliest(waiting: ReadonlySet<Waiting>): Waiting | undefined {
  let first: Waiting | undefined;
  for (const entry of waiting) if (first === undefined || entry.time < first.time) first = entry;
  return first;
}
