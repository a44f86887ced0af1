import { createHash, randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import {
  describeJournalError,
  type JournalError,
  JournalFailure,
  type NewEvent,
  type RunId,
  type Store,
} from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { ENDS, endsOf } from './ends.js';

/** One thing that the platform keeps: its newest state as a read model, its history as a run of its own. */
export interface LedgerSubject {
  readonly name: `platform.${'agent' | 'place' | 'token' | 'experiment' | 'outcome' | 'feed' | 'event' | 'topic' | 'group' | 'job' | 'fact' | 'published' | 'library' | 'ends'}`;
  readonly key: string;
}

/** What a decision writes. Without `state` the read model stays as it is; the events are kept all the same. */
export interface LedgerChange<State, Answer> {
  readonly events: readonly NewEvent[];
  readonly state?: State;
  readonly answer: Answer;
}

/** `E_PLATFORM`: the platform's record could not be read or written. */
export interface RecordError {
  readonly code: 'E_PLATFORM';
  readonly reason: 'unavailable' | 'busy';
  readonly detail: string;
}

/**
 * Reads the state, decides, and writes events and state in one transaction. Of several at once on one subject each
 * decides on what the others left: one that was overtaken decides again. A refusal may keep events too. With a
 * `command` that wrote something before, its answer of then, which is plain JSON, is given again and nothing is decided.
 */
export async function change<State, Answer, Refusal>(
  store: Store,
  subject: LedgerSubject,
  decide: (
    state: State | undefined,
  ) => Result<LedgerChange<State, Answer>, Refusal> | Promise<Result<LedgerChange<State, Answer>, Refusal>>,
  command?: string,
): Promise<Result<Answer, Refusal | RecordError>> {
  const run = runOf(subject);
  return inTurn(store, run, () => changeNow(store, run, subject, decide, command));
}

async function changeNow<State, Answer, Refusal>(
  store: Store,
  run: RunId,
  subject: LedgerSubject,
  decide: Parameters<typeof change<State, Answer, Refusal>>[2],
  command: string | undefined,
): Promise<Result<Answer, Refusal | RecordError>> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const done = command === undefined ? undefined : await store.findCommand(run, command);
      if (guard('platform.repeated', done !== undefined)) return ok(done?.answer as Answer);
      // The head first: a write between the two makes the append fail, and never be made on an older state.
      const head = await store.head(run);
      const state = (await store.projection(subject.name, subject.key)) as State | undefined;
      const decided = await decide(state);
      if (!decided.ok) return decided;
      const { events, state: next, answer } = decided.value;
      if (events.length === 0) return ok(answer);
      const appended = await store.append({
        run,
        command: command ?? `platform_${randomUUID()}`,
        target: subject.key,
        expectedSeq: head?.seq ?? 0,
        events,
        ...(command === undefined ? {} : { answer: answer as unknown as JsonValue }),
        ...(next === undefined ? {} : { projections: projectionsOf(subject, next as unknown as JsonValue) }),
      });
      // Another process may have done the same command in between: then its answer counts.
      if (appended.ok) return ok(appended.value.repeated ? (appended.value.answer as Answer) : answer);
      if (appended.error.code !== 'E_JOURNAL_MOVED') return unavailable(appended.error);
    }
    return fail({ code: 'E_PLATFORM', reason: 'busy', detail: 'E_JOURNAL_MOVED' });
  } catch (error) {
    if (error instanceof JournalFailure) return unavailable(error.error);
    throw error;
  }
}

/** What is written with the state of a subject, beside it: short enough to be read for every subject at once. */
const SUMMARIES: Readonly<Record<string, (state: JsonValue) => JsonValue>> = {
  'platform.agent': (state) => endsOf(state as Parameters<typeof endsOf>[0]),
};

function projectionsOf(subject: LedgerSubject, value: JsonValue) {
  const summary = SUMMARIES[subject.name]?.(value);
  const short = summary === undefined ? [] : [{ name: ENDS, key: subject.key, value: summary }];
  return [{ ...subject, value }, ...short];
}

/**
 * Writes an event and a state for each of many keys, in as few transactions and rows as may be: those of a shelf are in
 * one row. Who calls it keeps everybody else from writing them meanwhile, by a lease.
 */
export async function changeMany(
  store: Store,
  name: LedgerSubject['name'],
  changes: readonly { readonly key: string; readonly event: NewEvent; readonly state: unknown }[],
): Promise<Result<void, RecordError>> {
  const run = runOf({ name, key: '' });
  try {
    const shelves = new Map<string, (typeof changes)[number][]>();
    for (const each of changes) {
      const shelf = shelfOf(each.key);
      shelves.set(shelf, [...(shelves.get(shelf) ?? []), each]);
    }
    for (const some of batchesOf([...shelves])) {
      const written = await writeShelves(store, { run, name }, some);
      if (!written.ok) return written;
    }
    return ok(undefined);
  } catch (error) {
    if (error instanceof JournalFailure) return unavailable(error.error);
    throw error;
  }
}

/** Writes what is new on some shelves, beside what others have put there, also while this one looked. */
async function writeShelves(
  store: Store,
  { run, name }: { readonly run: RunId; readonly name: LedgerSubject['name'] },
  some: readonly (readonly [string, Parameters<typeof changeMany>[2]])[],
): Promise<Result<void, RecordError>> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // The head first, as for a subject alone.
    const head = await store.head(run);
    const projections = [];
    for (const [shelf, of] of some) {
      const before = (await store.projection(name, shelf)) as Shelf | undefined;
      const value = { ...before, ...Object.fromEntries(of.map(({ key, state }) => [key, state])) };
      projections.push({ name, key: shelf, value: value as unknown as JsonValue });
    }
    const appended = await store.append({
      ...{ run, command: `platform_${randomUUID()}`, target: name },
      expectedSeq: head?.seq ?? 0,
      events: some.flatMap(([, of]) => of.map(({ event }) => event)),
      projections,
    });
    if (appended.ok) return ok(undefined);
    if (appended.error.code !== 'E_JOURNAL_MOVED') return unavailable(appended.error);
  }
  return fail({ code: 'E_PLATFORM', reason: 'busy', detail: 'E_JOURNAL_MOVED' });
}

/** States of many keys, by key. */
type Shelf = Readonly<Record<string, unknown>>;

/** Shelves whose events are written together: about as many as a transaction should have. */
function batchesOf<Item>(
  shelves: readonly (readonly [string, readonly Item[]])[],
): readonly (readonly (readonly [string, readonly Item[]])[])[] {
  const batches: (readonly [string, readonly Item[]])[][] = [];
  let size = TOGETHER;
  for (const shelf of shelves) {
    if (size >= TOGETHER) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(shelf);
    size += shelf[1].length;
  }
  return batches;
}

const TOGETHER = 256;

/** The row that a key is in. No key of ours has a slash. */
const shelfOf = (key: string): string =>
  `shelf/${createHash('sha256').update(key).digest('hex').slice(0, 2)}`;

/** What `changeMany` wrote for one key. */
export async function shelvedState<State>(
  store: Store,
  { name, key }: LedgerSubject,
): Promise<State | undefined> {
  const shelf = (await store.projection(name, shelfOf(key))) as Shelf | undefined;
  if (shelf !== undefined && Object.hasOwn(shelf, key)) return shelf[key] as State;
  // A row of its own, as an earlier Cuebook wrote it.
  return stateOf<State>(store, { name, key });
}

/** What `changeMany` wrote, by key. */
export async function shelvedStates<State>(
  store: Store,
  name: LedgerSubject['name'],
): Promise<ReadonlyMap<string, State>> {
  const rows = [...(await store.projections(name))];
  const isShelf = ([key]: readonly [string, unknown]) => key.includes('/');
  return new Map([
    ...rows.filter((row) => !isShelf(row)),
    ...rows.filter(isShelf).flatMap(([, shelf]) => Object.entries(shelf as Shelf)),
  ] as [string, State][]);
}

/** One after the other within this process; between processes the journal decides. */
async function inTurn<Value>(store: Store, run: RunId, work: () => Promise<Value>): Promise<Value> {
  const lines = LINES.get(store) ?? new Map<RunId, Promise<unknown>>();
  LINES.set(store, lines);
  const turn = (lines.get(run) ?? Promise.resolve()).then(work, work);
  lines.set(run, turn);
  try {
    return await turn;
  } finally {
    if (lines.get(run) === turn) lines.delete(run);
  }
}

const LINES = new WeakMap<Store, Map<RunId, Promise<unknown>>>();

/** The newest state of a subject. */
export const stateOf = async <State>(
  store: Store,
  { name, key }: LedgerSubject,
): Promise<State | undefined> => (await store.projection(name, key)) as State | undefined;

/** The run that keeps the history of a subject. */
export const runOf = ({ name, key }: LedgerSubject): RunId =>
  `run_${createHash('sha256').update(`${name}/${key}`).digest('hex').slice(0, 32)}` as RunId;

const unavailable = (error: JournalError): Result<never, RecordError> =>
  fail({ code: 'E_PLATFORM', reason: 'unavailable', detail: describeJournalError(error) });

/** Against other processes: each try that fails is one in which somebody else went on. */
const MAX_TRIES = 50;
