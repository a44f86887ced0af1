import { guard } from '@cuebook/guard';
import type { StreamClock } from './clock.js';

export interface IdleClock {
  /** Something happened. */
  touch(): void;
  /** Does not count the time in which the caller itself is waited for. */
  hold<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** Fires once when nothing has happened for this long. One timer, however many events there are. */
export function createIdleClock(clock: StreamClock, idleMs: number, onIdle: () => void): IdleClock {
  let last = clock.now();
  let held = 0;
  let cancel = () => {};
  let isStopped = false;

  const touch = (): void => {
    last = clock.now();
  };
  const look = (): void => {
    const left = held > 0 ? idleMs : last + idleMs - clock.now();
    if (left > 0) cancel = clock.after(left, look);
    else if (guard('turn.idle', !isStopped)) onIdle();
  };
  cancel = clock.after(idleMs, look);

  return {
    touch,
    async hold(work) {
      held += 1;
      try {
        return await work;
      } finally {
        held -= 1;
        touch();
      }
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
