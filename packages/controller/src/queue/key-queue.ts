import { type BackoffOptions, backoffMs } from '../backoff.js';
import type { KitClock } from '../clock.js';

/**
 * Keys of work. A key waits at most once, however often it is added; one that is added while it is at work waits until
 * that is done; no key is at work twice.
 */
export interface KeyQueue {
  add(key: string): void;
  addAfter(key: string, ms: number): void;
  /** Adds it after a time that grows with each failure since `forget`. */
  retry(key: string): void;
  /** Its failures are over. */
  forget(key: string): void;
  failures(key: string): number;
  /** The key that waits longest, once there is one. Undefined: the queue is closed. */
  take(): Promise<string | undefined>;
  /** What was taken is not at work any more. */
  done(key: string): void;
  /** Nothing more is taken; what is at work goes on. */
  close(): void;
  /** Once nothing is at work. */
  idle(): Promise<void>;
  readonly waiting: number;
  readonly atWork: number;
}

export interface KeyQueueOptions {
  readonly clock: KitClock;
  readonly backoff?: BackoffOptions;
}

const BACKOFF: BackoffOptions = { firstMs: 200, maxMs: 5 * 60_000 };

export function createKeyQueue({ clock, backoff = BACKOFF }: KeyQueueOptions): KeyQueue {
  /** In the order in which they were added. */
  const waiting = new Set<string>();
  const atWork = new Set<string>();
  /** Added while at work. */
  const again = new Set<string>();
  const failed = new Map<string, number>();
  /** When a key comes by itself, and how that is called off. */
  const later = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  const takers: ((key: string | undefined) => void)[] = [];
  const idlers: (() => void)[] = [];
  let isClosed = false;

  const hand = (): void => {
    for (const key of waiting) {
      const taker = takers.shift();
      if (taker === undefined) return;
      waiting.delete(key);
      atWork.add(key);
      taker(key);
    }
  };
  const forgetLater = (key: string): void => {
    later.get(key)?.cancel();
    later.delete(key);
  };
  const add = (key: string): void => {
    if (isClosed) return;
    forgetLater(key);
    if (atWork.has(key)) again.add(key);
    else waiting.add(key);
    hand();
  };
  const addAfter = (key: string, ms: number): void => {
    if (isClosed) return;
    if (ms <= 0) {
      add(key);
      return;
    }
    const at = clock.now() + ms;
    const known = later.get(key);
    // The earlier of two times counts: the later one would only find what the earlier saw.
    if (known !== undefined && known.at <= at) return;
    known?.cancel();
    const cancel = clock.after(ms, () => {
      later.delete(key);
      add(key);
    });
    later.set(key, { at, cancel });
  };
  return {
    add,
    addAfter,
    retry(key) {
      const failures = failed.get(key) ?? 0;
      failed.set(key, failures + 1);
      addAfter(key, backoffMs(failures, backoff));
    },
    forget: (key) => void failed.delete(key),
    failures: (key) => failed.get(key) ?? 0,
    take() {
      if (isClosed) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        takers.push(resolve);
        hand();
      });
    },
    done(key) {
      atWork.delete(key);
      if (again.delete(key) && !isClosed) waiting.add(key);
      hand();
      if (atWork.size === 0) for (const resolve of idlers.splice(0)) resolve();
    },
    close() {
      isClosed = true;
      for (const key of [...later.keys()]) forgetLater(key);
      waiting.clear();
      again.clear();
      for (const taker of takers.splice(0)) taker(undefined);
    },
    idle: () => (atWork.size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    get waiting() {
      return waiting.size;
    },
    get atWork() {
      return atWork.size;
    },
  };
}
