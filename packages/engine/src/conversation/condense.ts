import { guard } from '@cuebook/guard';

/** A message of a history, by its size as it would be told. */
export interface SizedMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** Bytes of all of it. */
  readonly whole: number;
  /** Bytes of a reference in its place; left out where one would not help. */
  readonly reference?: number;
  /** Bytes below which it cannot be cut; left out: as for any message. */
  readonly least?: number;
  /** Words of a person: the latest of them are told as long as there is room for them. */
  readonly isPerson?: boolean;
}

/** How a message is told. */
export type ToldAs =
  | { readonly kind: 'whole' }
  | { readonly kind: 'reference' }
  /** No more than so many bytes of it, with a word on how much there is. */
  | { readonly kind: 'clipped'; readonly bytes: number }
  | { readonly kind: 'left-out' };

/** About three bytes a token: rather too early than too late. */
export const BYTES_PER_TOKEN = 3;
/** What a model takes that nothing is said of. */
export const DEFAULT_CONTEXT_TOKENS = 120_000;

/** The newest messages stay whole while that is enough: they are what the next turn is about. */
const KEPT = 6;
/** Bytes of the one sentence that stands for what is left out. */
export const LEFT_OUT_BYTES = 200;
/** A message that is told at all has at least so many bytes. */
export const LEAST_TOLD = 400;

/**
 * Makes a history fit a room, whatever is in it. First older results are told by reference, oldest first; then all
 * but those of the newest answer; then the oldest messages are left out, an answer always with all its results; at
 * last the newest are cut. What is freed grows in steps of a quarter of the room, so that the same messages stay
 * cut for several turns and the beginning of the prompt stays the same. Undefined when not even the newest message
 * has room. Pure: the same sizes, the same plan; the record keeps all.
 */
export function condenseHistory(
  messages: readonly SizedMessage[],
  room: number,
): readonly ToldAs[] | undefined {
  const over = sum(messages.map(({ whole }) => whole)) - room;
  if (!guard('history.room', over > 0)) return messages.map(() => WHOLE);
  const step = Math.max(1, Math.floor(room / 4));
  const newest = newestUnit(messages);
  return (
    byReference(messages, { over, step, until: messages.length - KEPT }) ??
    byReference(messages, { over, step, until: newest }) ??
    leaveOut(messages, { room, step, newest }) ??
    cutNewest(messages, room, newest)
  );
}

const WHOLE: ToldAs = { kind: 'whole' };
const REFERENCE: ToldAs = { kind: 'reference' };
const LEFT_OUT: ToldAs = { kind: 'left-out' };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Where the newest message begins: an answer with its results is one. */
const newestUnit = (messages: readonly SizedMessage[]): number =>
  Math.max(
    0,
    messages.findLastIndex(({ role }) => role !== 'tool'),
  );

function byReference(
  messages: readonly SizedMessage[],
  { over, step, until }: { readonly over: number; readonly step: number; readonly until: number },
): readonly ToldAs[] | undefined {
  const wanted = Math.ceil(over / step) * step;
  let freed = 0;
  const told = messages.map(({ whole, reference }, index): ToldAs => {
    if (freed >= wanted || index >= until || reference === undefined || reference >= whole) return WHOLE;
    freed += whole - reference;
    return REFERENCE;
  });
  return freed >= over ? told : undefined;
}

/** Results of what stays are told by reference, but for those of the newest answer. */
function leaveOut(
  messages: readonly SizedMessage[],
  { room, step, newest }: { readonly room: number; readonly step: number; readonly newest: number },
): readonly ToldAs[] | undefined {
  const sizes = messages.map(({ whole, reference }, index) =>
    index >= newest ? whole : Math.min(whole, reference ?? whole),
  );
  const person = latestPerson(messages, newest);
  const needed = LEFT_OUT_BYTES + sum(sizes) - room;
  const wanted = Math.ceil(needed / step) * step;
  let freed = 0;
  let isGone = false;
  const told = messages.map(({ role, whole }, index): ToldAs => {
    // The results of an answer go with it, and those of one that stays stay.
    if (role !== 'tool') isGone = freed < wanted && index < newest && index !== person;
    if (isGone) freed += sizes[index] as number;
    if (isGone) return LEFT_OUT;
    return (sizes[index] as number) < whole ? REFERENCE : WHOLE;
  });
  return freed >= needed ? told : undefined;
}

const latestPerson = (messages: readonly SizedMessage[], before: number): number =>
  messages.findLastIndex(({ isPerson }, index) => isPerson === true && index < before);

/** The newest message, and the latest words of a person beside it while both have room, each cut to an equal share. */
function cutNewest(
  messages: readonly SizedMessage[],
  room: number,
  newest: number,
): readonly ToldAs[] | undefined {
  const unit = messages.flatMap((_, index) => (index >= newest ? [index] : []));
  const person = latestPerson(messages, newest);
  const left = room - (newest > 0 ? LEFT_OUT_BYTES : 0);
  const share = (kept: readonly number[]) =>
    levelFor(
      kept.map((index) => messages[index] as SizedMessage),
      left,
    );
  const withPerson = person < 0 ? unit : [person, ...unit];
  const both = share(withPerson);
  const level = both ?? share(unit);
  if (level === undefined) return undefined;
  const kept = new Set(both === undefined ? unit : withPerson);
  return messages.map((message, index): ToldAs => {
    if (!kept.has(index)) return LEFT_OUT;
    const bytes = cutTo(message, level);
    return bytes === message.whole ? WHOLE : { kind: 'clipped', bytes };
  });
}

/** What is left of a message that may have so many bytes. */
const cutTo = ({ whole, least = LEAST_TOLD }: SizedMessage, level: number): number =>
  Math.min(whole, Math.max(level, least));

/** The most that each may have so that all have room: small ones stay whole and leave the rest to the others. */
function levelFor(kept: readonly SizedMessage[], room: number): number | undefined {
  const fits = (level: number): boolean => sum(kept.map((message) => cutTo(message, level))) <= room;
  if (!fits(LEAST_TOLD)) return undefined;
  let low = LEAST_TOLD;
  let high = Math.max(LEAST_TOLD, ...kept.map(({ whole }) => whole));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
