/** Time as the stream sees it, so that tests own it. */
export interface StreamClock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Runs something once, later; the answer cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The longest wait that a timer takes; a longer one would fire at once. */
export const MAX_WAIT_MS = 2 ** 31 - 1;

export const systemClock: StreamClock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, MAX_WAIT_MS));
    return () => clearTimeout(timer);
  },
};
