import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import { createOthers, type LiveBetween } from './live-between.js';
import type { LiveEvent } from './live-event.js';

/** Who watches which run. */
export interface Live {
  watch(run: RunId, listener: (live: LiveEvent) => void): () => void;
  /** Events that come here are masked already: turns publish nothing else. */
  publish(place: Omit<LiveEvent, 'event'>, event: TurnEvent): void;
  close(): void;
}

/**
 * `between`: the other processes of the project. Each says which runs are watched in it; words of those runs are sent to
 * it, some milliseconds of them at a time.
 */
export function createLive(onProblem: (error: unknown) => void, between?: LiveBetween): Live {
  const listeners = new Map<RunId, Set<(live: LiveEvent) => void>>();
  const tell = (live: LiveEvent): void => {
    for (const listener of listeners.get(live.run) ?? []) {
      try {
        listener(live);
      } catch (thrown) {
        onProblem(thrown); // A watcher that throws is a watcher's trouble.
      }
    }
  };
  const others = between && createOthers(between, { tell, watched: () => [...listeners.keys()] });
  return {
    watch(run, listener) {
      const all = listeners.get(run) ?? new Set();
      listeners.set(run, all.add(listener));
      others?.watching(run);
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(run) === all) listeners.delete(run);
      };
    },
    publish(place, event) {
      tell({ ...place, event });
      others?.publish({ ...place, event });
    },
    close: () => others?.close(),
  };
}
