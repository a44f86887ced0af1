import type { Store } from '@cuebook/journal';
import { type Clock, systemClock } from './clock.js';

/** The clock of whoever works with a store: that of its database, or else of the machine. */
export function clockOf(store: Partial<Pick<Store, 'clock'>>): Clock {
  const { clock } = store;
  if (clock === undefined) return systemClock;
  const { now, ticks } = clock;
  return {
    now,
    ticks,
    at(time, wake) {
      // A machine whose clock runs fast or slow waits in short parts, each by what the database says then. Who set the
      // clock of the database back makes nobody wait longer than twice.
      const latest = ticks() + 2 * Math.max(0, time - now());
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const left = Math.min(time - now(), latest - ticks());
        timer = left <= 0 ? setTimeout(wake, 0) : setTimeout(arm, Math.min(left, PART_MS));
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}

const PART_MS = 60_000;
