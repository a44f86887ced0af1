import { guarded } from '@cuebook/guard';
import { asJson } from '@cuebook/journal/json';
import { createLiveWords, type LiveWords, type Redactor } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';

/** The events of one turn as watchers may see them. */
export interface WatchedTurn {
  /** What can be told now: words come a little later than they were said, never sooner than it is sure what they are. */
  take(event: TurnEvent): readonly TurnEvent[];
}

type WordsEvent = Extract<TurnEvent, { readonly type: 'text.delta' | 'reasoning.delta' | 'tool.delta' }>;

interface Held {
  readonly words: LiveWords;
  /** The last piece that came: what is left is told like it. */
  last: WordsEvent;
}

/**
 * One mask for the live words of every kind of run: whatever a redactor would take out of the whole text never reaches
 * a watcher, however the text was cut and whatever came in between. A block ends when another of its kind begins, as
 * with every provider; arguments end with their call, and everything ends with the turn.
 */
export function createLiveTurn(redactor: Redactor): WatchedTurn {
  const held = new Map<string, Held>();
  /** Counts that wait for the words before them. */
  let counts: TurnEvent[] = [];
  const clean = (event: TurnEvent): TurnEvent =>
    redactor.redactValue(asJson(event)).value as unknown as TurnEvent;
  const end = (isOver: (key: string) => boolean): readonly TurnEvent[] =>
    [...held.keys()].filter(isOver).flatMap((key) => {
      const { words, last } = held.get(key) as Held;
      held.delete(key);
      return piece(last, words.flush());
    });
  const add = (event: WordsEvent): readonly TurnEvent[] => {
    const key = keyOf(event);
    const ended = event.type === 'tool.delta' ? [] : end((other) => other !== key && isOfKind(other, event));
    const known = held.get(key) ?? { words: createLiveWords(redactor), last: event };
    held.set(key, known);
    known.last = event;
    const text = event.type === 'tool.delta' ? event.json : event.text;
    return [
      ...ended,
      ...piece(
        event,
        guarded('seal.live', (words) => known.words.feed(words), text),
      ),
    ];
  };
  return {
    take(event) {
      switch (event.type) {
        case 'text.delta':
        case 'reasoning.delta':
        case 'tool.delta':
          return add(event);
        case 'tool.end':
          return [...end((key) => key === `tool.delta ${event.id}`), clean(event)];
        case 'usage': {
          const isHeld = [...held.values()].some(({ words }) => words.isHolding);
          if (!isHeld) return [event];
          counts.push(event);
          return [];
        }
        case 'turn.end': {
          const waiting = counts;
          counts = [];
          return [...end(() => true), ...waiting, clean(event)];
        }
        default:
          return [clean(event)];
      }
    },
  };
}

const keyOf = (event: WordsEvent): string =>
  `${event.type} ${event.type === 'tool.delta' ? event.id : event.block}`;

const isOfKind = (key: string, { type }: WordsEvent): boolean => key.startsWith(`${type} `);

function piece(like: WordsEvent, text: string): readonly TurnEvent[] {
  if (text === '') return [];
  return [like.type === 'tool.delta' ? { ...like, json: text } : { ...like, text }];
}
