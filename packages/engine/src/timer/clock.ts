/** Time as the engine knows it. Nothing of the engine reads another clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `wake` once, at that time or soon after it; the answer cancels it. `wake` does not throw. */
  at(time: number, wake: () => void): () => void;
  /** Milliseconds on a clock that never leaps, for what is measured and not named; left out, `now` is one. */
  ticks?(): number;
}

/** The clock of the machine. `setTimeout` takes at most 2^31 - 1 ms and a longer wait is made of several. */
export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  at(time, wake) {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const left = time - Date.now();
      if (left <= LONGEST_WAIT) timer = setTimeout(wake, Math.max(0, left));
      else timer = setTimeout(arm, LONGEST_WAIT);
    };
    arm();
    return () => clearTimeout(timer);
  },
};

const LONGEST_WAIT = 2 ** 31 - 1;
