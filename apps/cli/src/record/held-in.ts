import type { StoredEvent } from '@cuebook/journal';
import type { JsonValue, Origin } from '@cuebook/prompt';

/** An event of a run that words of a prompt may come from. */
export interface HeldEvent {
  readonly seq: number;
  readonly type: string;
  /** What an origin names it by: `RUN#SEQ`, or the turn or the call whose outcome it is. */
  readonly ref: string;
}

interface Leaf {
  readonly event: HeldEvent;
  readonly key: string;
  readonly text: string;
  readonly isWords: boolean;
}

/** What the events of a run hold, oldest first. */
export interface HeldIn {
  readonly events: HeldEvent[];
  readonly leaves: Leaf[];
  /** The leaves by their text. */
  readonly byText: Map<string, Leaf[]>;
  /** The events by the noun of their type: `budget` of `budget.spent`. */
  readonly byNoun: Map<string, HeldEvent[]>;
  /** The events that hold a part, for parts that were looked for. */
  readonly byPart: Map<string, readonly HeldEvent[]>;
}

export const emptyHeld = (): HeldIn => ({
  events: [],
  leaves: [],
  byText: new Map(),
  byNoun: new Map(),
  byPart: new Map(),
});

/** Adds the next event. */
export function holdEvent(held: HeldIn, { seq, type, data }: StoredEvent, ref: string): void {
  const event = { seq, type, ref };
  held.events.push(event);
  listAt(held.byNoun, type.split('.', 1)[0] ?? '').push(event);
  const visit = (value: JsonValue | undefined, key: string): void => {
    if (value === null || value === undefined) return;
    if (typeof value === 'object') {
      for (const [name, item] of Object.entries(value)) visit(item, Array.isArray(value) ? key : name);
      return;
    }
    const leaf = { event, key, text: String(value).trim(), isWords: typeof value === 'string' };
    held.leaves.push(leaf);
    listAt(held.byText, leaf.text).push(leaf);
  };
  visit(data, '');
}

/** Who caused an event, where it names them. */
export function whoCaused({ data }: StoredEvent): string | undefined {
  const { by, message } = (data ?? {}) as Fields;
  const who = by ?? ((message ?? {}) as Fields).from;
  return typeof who === 'string' ? who : undefined;
}

type Fields = { readonly [key: string]: JsonValue | undefined };

function listAt<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Whether a text was handed to a run or is a fact of it: it has no place in a file. */
export const isHeldInRun = ({ kind, line }: Origin): boolean =>
  line === undefined && (kind === 'input' || kind === 'variable' || kind === 'value' || kind === 'result');

export interface HeldQuestion {
  readonly origin: Origin;
  /** All of the text that the origin is of. */
  readonly text: string;
  /** Events from this number on are later than the text. */
  readonly before: number;
  /** How many later blocks of the prompt say the same: as many of the last events that say it are theirs. */
  readonly repeats: number;
}

/** An event, and why it may be another one. */
export interface Holder {
  readonly event: HeldEvent;
  readonly guess?: string;
}

/**
 * The event that a text was handed in by, or that last changed the fact that the text tells. It is certain where an
 * event holds the text under or beside the name that the origin has, where it made an id, or where it alone holds the text. Else it is a
 * guess: one of several events that hold the text, then one that holds a part of it, then the last one about the thing
 * that the origin names.
 */
export function findHolder(
  held: HeldIn,
  { origin, text, before, repeats }: HeldQuestion,
): Holder | undefined {
  const words = text.trim();
  const isBefore = ({ seq }: HeldEvent): boolean => seq < before;
  const same = (held.byText.get(words) ?? []).filter(({ event }) => isBefore(event));
  const key = origin.ref.split(' ').at(-1);
  const beside = new Set(held.byText.get(origin.ref)?.map(({ event }) => event));
  const named = same.findLast((leaf) => leaf.key === key || beside.has(leaf.event))?.event;
  if (named !== undefined) return { event: named };
  const whole = [
    ...new Set(words === '' ? [] : same.filter((leaf) => leaf.isWords).map((leaf) => leaf.event)),
  ];
  const [first] = whole;
  if (first !== undefined) {
    const told = whole.filter(({ type }) => type === first.type);
    const isMade = origin.kind !== 'input' && isTelling(words);
    const event = isMade ? first : (told.at(-1 - repeats) ?? first);
    // An id is made once: what holds it later repeats it.
    if (isMade && ID.test(words)) return { event };
    if (whole.length > 1) return { event, guess: `${whole.length} events of the run say the same` };
    return isTelling(words) ? { event } : { event, guess: 'so short a text may stand there by chance' };
  }
  const parts = [words, ...(words.match(/\w{16,}/g) ?? [])].filter(isTelling);
  for (const part of parts) {
    const found = holdersOf(held, part).filter(isBefore);
    const [event] = found;
    if (event === undefined) continue;
    if (part !== words) return { event, guess: 'the event holds a part of the text' };
    return found.length === 1
      ? { event }
      : { event, guess: `${found.length} events of the run hold these words` };
  }
  const nouns = origin.ref.match(/[a-z]+/gi)?.flatMap((noun) => [noun, noun.replace(/s$/, '')]) ?? [];
  const [about] = nouns.flatMap((noun) => held.byNoun.get(noun)?.findLast(isBefore) ?? []);
  if (about !== undefined)
    return { event: about, guess: 'no event holds the text: this is the last one about it' };
  // What a caller hands in and no event repeats is part of what the run began with.
  const begun = held.events.slice(0, 1).find(isBefore);
  if (origin.kind !== 'input' || begun === undefined) return undefined;
  return { event: begun, guess: 'no event holds the text: the run may have begun with it' };
}

const ID = /^\w{16,}$/;

/** Fewer characters stand in any text by chance. */
const isTelling = (words: string): boolean => words.length >= 6;

/** The events that hold words with a part in them, oldest first. */
function holdersOf({ byPart, leaves }: HeldIn, part: string): readonly HeldEvent[] {
  const known = byPart.get(part);
  if (known !== undefined) return known;
  const found = leaves
    .filter(({ isWords, text }) => isWords && text.includes(part))
    .map(({ event }) => event);
  const events = [...new Set(found)];
  byPart.set(part, events);
  return events;
}
