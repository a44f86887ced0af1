/** Wakes those who wait for a change. A change between looking and waiting is not missed. */
export interface Watch {
  seen(): number;
  bump(): void;
  /** Resolves when `bump` was called after `seen` was taken, or with the signal. */
  changed(seen: number, signal: AbortSignal): Promise<void>;
  /** How many wait now. */
  waiting(): number;
}

/** `onWaiting` is told when the first begins to wait and when the last has ended. */
export function createWatch(onWaiting: (someone: boolean) => void = () => undefined): Watch {
  let version = 0;
  const wakers = new Set<() => void>();
  return {
    seen: () => version,
    bump() {
      version += 1;
      for (const wake of [...wakers]) wake();
    },
    changed(seen, signal) {
      if (version !== seen || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          wakers.delete(wake);
          signal.removeEventListener('abort', wake);
          if (wakers.size === 0) onWaiting(false);
          resolve();
        };
        wakers.add(wake);
        signal.addEventListener('abort', wake);
        if (wakers.size === 1) onWaiting(true);
      });
    },
    waiting: () => wakers.size,
  };
}
