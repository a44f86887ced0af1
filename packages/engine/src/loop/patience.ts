import type { Clock } from '../timer/clock.js';

const MAX_TRIES = 8;
const FIRST_PAUSE = 25;
/** A store that is back is used within this time: well before others may take over what is written here. */
const LONGEST_PAUSE = 500;

/** How long to wait before a write to a store that is away is tried again; undefined: it is given up. */
export function pauseAfter(tries: number, isPatient: boolean): number | undefined {
  if (tries >= MAX_TRIES && !isPatient) return undefined;
  if (tries <= 1) return 0;
  return Math.min(isPatient ? LONGEST_PAUSE : Number.POSITIVE_INFINITY, FIRST_PAUSE * 2 ** tries);
}

/** Waits, at most until the signal. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0 || signal.aborted) return resolve();
    const cancel = clock.at(clock.now() + ms, () => done());
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
  });
}
