import type { Clock } from '../timer/clock.js';

const MAX_TRIES = 8;
const FIRST_PAUSE = 25;
/** A store that is back is used within this time: well before others may take over what is written here. */
const LONGEST_PAUSE = 500;

/**
 * Rests before what a store that is away did not take is tried again, at most until the signal. False: it is given up,
 * after a number of tries that only who is patient goes past.
 */
export async function rest(
  clock: Clock,
  tries: number,
  { isPatient, signal }: { readonly isPatient: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  if (tries >= MAX_TRIES && !isPatient) return false;
  const ms = FIRST_PAUSE * 2 ** tries;
  if (tries > 1) await pause(clock, isPatient ? Math.min(LONGEST_PAUSE, ms) : ms, signal);
  return true;
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = clock.at(clock.now() + ms, () => done());
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
  });
}
