import type { RunId } from '@cuebook/journal';
import type { Redactor } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import type { LiveEvent } from './contract.js';

/** Who watches which run. */
export interface Live {
  watch(run: RunId, listener: (live: LiveEvent) => void): () => void;
  publish(place: Omit<LiveEvent, 'event'>, event: TurnEvent): void;
}

/** Events are cleaned before anybody sees them. A word that comes in pieces is cleaned piece by piece: the log has the whole. */
export function createLive(redactor: Redactor, onProblem: (error: unknown) => void): Live {
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
      const all = listeners.get(place.run);
      if (all === undefined) return;
      const live = { ...place, event: cleaned(event, redactor) };
      for (const listener of all) {
        try {
          listener(live);
        } catch (thrown) {
          onProblem(thrown); // A watcher that throws is a watcher's trouble.
        }
      }
    },
  };
}

function cleaned(event: TurnEvent, redactor: Redactor): TurnEvent {
  const clean = (text: string): string => redactor.redactText(text).text;
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
    case 'log':
      return { ...event, text: clean(event.text) };
    case 'tool.end':
      return event.output === undefined ? event : { ...event, output: clean(event.output) };
    case 'turn.end':
      return event.error
        ? { ...event, error: { ...event.error, message: clean(event.error.message) } }
        : event;
    default:
      return event;
  }
}
