import type { KitClock } from '../src/clock.js';

/** A clock that a test moves by hand. */
export interface HandClock extends KitClock {
  /** Calls back all that is due by then, in order. */
  forward(ms: number): void;
}

export function handClock(): HandClock {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  return {
    now: () => now,
    date: () => new Date(now),
    after(ms, call) {
      const timer = { at: now + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    forward(ms) {
      const end = now + ms;
      for (;;) {
        const [due] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (due === undefined) break;
        now = Math.max(now, due.at);
        timers.delete(due);
        due.call();
      }
      now = end;
    },
  };
}
