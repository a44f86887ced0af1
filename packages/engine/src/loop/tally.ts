/** Counts what is in flight. */
export interface Tally {
  /** Something has begun; the answer, called once, says that it is over. */
  enter(): () => void;
  readonly count: number;
  /** Resolves when nothing is in flight; at once if nothing is. */
  empty(): Promise<void>;
}

export function createTally(): Tally {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    enter() {
      count += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        count -= 1;
        if (count > 0) return;
        const wake = waiting;
        waiting = [];
        for (const resolve of wake) resolve();
      };
    },
    get count() {
      return count;
    },
    empty: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
