/** Time as the kit sees it. Tests hand in one of their own. */
export interface KitClock {
  /** Milliseconds that only ever grow: how long something lasts does not depend on what the time of day is set to. */
  now(): number;
  /** The time of day, for what others read. */
  date(): Date;
  /** Calls back once; answers how to call it off. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: KitClock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Node takes a longer one for none at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits, or until it is called off. */
export function pause(clock: KitClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      signal.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** What comes of work, or a stand-in when that takes too long. */
export function within<Value>(
  clock: KitClock,
  ms: number,
  work: Promise<Value>,
  late: Value,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(late));
    work.then(resolve, reject).finally(cancel);
  });
}
