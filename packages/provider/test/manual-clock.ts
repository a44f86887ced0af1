import type { StreamClock } from '../src/stream/clock.js';

/** A clock that stands still until it is told. */
export interface ManualClock extends StreamClock {
  /** Lets time pass; what falls due runs in order. */
  pass(ms: number): void;
  /** Timers that are set. */
  readonly pending: number;
}

export function manualClock(): ManualClock {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((each) => each !== due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = until;
    },
    get pending() {
      return timers.length;
    },
  };
}
