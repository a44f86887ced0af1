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

/** One thing that the platform keeps: its newest state as a read model, its history as a run of its own. */
export interface LedgerSubject {
  readonly name: `platform.${'agent' | 'place' | 'token' | 'experiment' | 'outcome' | 'feed' | 'event' | 'topic' | 'group' | 'job' | 'fact' | 'published' | 'library'}`;
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
        ...(next === undefined ? {} : { projections: [{ ...subject, value: next as unknown as JsonValue }] }),
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

/**
 * Writes an event and a state for each of many keys, in as few transactions as may be. Who calls it keeps everybody else
 * from writing them meanwhile, by a lease.
 */
export async function changeMany(
  store: Store,
  name: LedgerSubject['name'],
  changes: readonly { readonly key: string; readonly event: NewEvent; readonly state: unknown }[],
): Promise<Result<void, RecordError>> {
  const run = runOf({ name, key: '' });
  try {
    for (let from = 0; from < changes.length; from += TOGETHER) {
      const some = changes.slice(from, from + TOGETHER);
      const appended = await store.append({
        ...{ run, command: `platform_${randomUUID()}`, target: name },
        expectedSeq: (await store.head(run))?.seq ?? 0,
        events: some.map(({ event }) => event),
        projections: some.map(({ key, state }) => ({ name, key, value: state as JsonValue })),
      });
      if (!appended.ok) return unavailable(appended.error);
    }
    return ok(undefined);
  } catch (error) {
    if (error instanceof JournalFailure) return unavailable(error.error);
    throw error;
  }
}

const TOGETHER = 256;

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
