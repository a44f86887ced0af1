/** Wakes those who wait for a change. A change between looking and waiting is not missed. */
export interface Watch {
  /** When it is, in bumps. Taken before reading. */
  seen(): number;
  /** Something has changed: in one run, or, without a run, anywhere. */
  bump(run?: string): void;
  /** Resolves when there was a change after `seen` was taken, in that run if one is named, or with the signal. */
  changed(seen: number, signal: AbortSignal, run?: string): Promise<void>;
  /** How many wait now. */
  waiting(): number;
}

/** Runs whose last change is remembered. Of others it is known that they did not change since the oldest was forgotten. */
const REMEMBERED = 10_000;

/** `onWaiting` is told when the first begins to wait and when the last has ended. */
export function createWatch(
  onWaiting: (someone: boolean) => void = () => undefined,
  remembered = REMEMBERED,
): Watch {
  let now = 0;
  /** The last change of which nobody knows in which run it was. */
  let anywhere = 0;
  /** The last change of each run, the oldest first. */
  const last = new Map<string, number>();
  const wakers = new Set<{ readonly run: string | undefined; readonly wake: () => void }>();

  const lastOf = (run: string | undefined): number =>
    run === undefined ? now : Math.max(anywhere, last.get(run) ?? 0);
  const remember = (run: string): void => {
    last.delete(run);
    last.set(run, now);
    const [oldest] = last;
    if (last.size <= remembered || oldest === undefined) return;
    last.delete(oldest[0]);
    // Whoever looked before may have missed it.
    anywhere = Math.max(anywhere, oldest[1]);
  };

  return {
    seen: () => now,
    bump(run) {
      now += 1;
      if (run === undefined) anywhere = now;
      else remember(run);
      for (const waker of [...wakers]) {
        if (run === undefined || waker.run === undefined || waker.run === run) waker.wake();
      }
    },
    changed(seen, signal, run) {
      if (lastOf(run) > seen || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          wakers.delete(waker);
          signal.removeEventListener('abort', wake);
          if (wakers.size === 0) onWaiting(false);
          resolve();
        };
        const waker = { run, wake };
        wakers.add(waker);
        signal.addEventListener('abort', wake);
        if (wakers.size === 1) onWaiting(true);
      });
    },
    waiting: () => wakers.size,
  };
}
