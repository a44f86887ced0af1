import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';

/** A live event of a turn. */
export interface LiveEvent {
  readonly run: RunId;
  /** Who speaks: the id of a node of a team or of a frame of a thread, or the name of the only lane. */
  readonly node: string;
  readonly effect: string;
  readonly event: TurnEvent;
}

/** Who watches which run. */
export interface Live {
  watch(run: RunId, listener: (live: LiveEvent) => void): () => void;
  /** Events that come here are masked already: turns publish nothing else. */
  publish(place: Omit<LiveEvent, 'event'>, event: TurnEvent): void;
}

export function createLive(onProblem: (error: unknown) => void): Live {
  const listeners = new Map<RunId, Set<(live: LiveEvent) => void>>();
  return {
    watch(run, listener) {
      const all = listeners.get(run) ?? new Set();
      listeners.set(run, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(run) === all) listeners.delete(run);
      };
    },
    publish(place, event) {
      for (const listener of listeners.get(place.run) ?? []) {
        try {
          listener({ ...place, event });
        } catch (thrown) {
          onProblem(thrown); // A watcher that throws is a watcher's trouble.
        }
      }
    },
  };
}
