import type { Clock } from '../src/timer/clock.js';
import { manualClock } from '../src/timer/manual-clock.js';

/** A machine's clock: time goes on evenly, what is measured is right, and the time of day can be set at any moment. */
export interface LeapingClock extends Required<Clock> {
  advance(ms: number): void;
  /** Sets the time of day by so much, forward or back. Whoever waits waits on, as with `setTimeout`. */
  leap(ms: number): void;
}

export function leapingClock(start = 1_700_000_000_000): LeapingClock {
  const even = manualClock();
  let offset = start;
  const now = () => even.now() + offset;
  return {
    now,
    ticks: even.now,
    at: (time, wake) => even.at(even.now() + Math.max(0, time - now()), wake),
    advance: even.advance,
    leap: (ms) => {
      offset += ms;
    },
  };
}
