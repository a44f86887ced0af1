import { randomUUID } from 'node:crypto';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { NewEvent, Store, StoredEvent } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { proved, withProof } from './proof.js';
import { type RegisterName, registerRun } from './register-run.js';

/**
 * State that a project keeps in the journal beside its runs. The log is the truth: no read model is believed. Where
 * machines share a database, an event counts only with a proof that its writer had the key of the project.
 */
export interface Register<State> {
  /** The state of now, whoever changed it. Rejects while the store is away. */
  read(): Promise<State>;
  /**
   * Decides on the state of now and writes the events of the decision, or nothing if somebody else wrote in between:
   * then it decides again. A command that was done before answers what it answered, and nothing is decided.
   */
  change<Answer extends JsonValue, Refusal>(
    decide: (state: State) => Result<RegisterChange<Answer>, Refusal>,
    command?: string,
  ): Promise<Result<Answer, Refusal | JournalError>>;
  /** Events behind what was read last, and then as they come, until the signal fires. */
  follow(signal: AbortSignal): AsyncIterable<StoredEvent>;
}

/** What a decision writes. */
export interface RegisterChange<Answer> {
  readonly events: readonly NewEvent[];
  readonly answer: Answer;
  /** Stored with the events. */
  readonly blobs?: readonly Uint8Array[];
}

export interface RegisterOptions<State> {
  readonly initial: State;
  /** Pure. Events that it does not know change nothing. */
  readonly project: (state: State, event: StoredEvent) => State;
  /** For a register that grows with every run: its state as an event, now and then, from which a process reads on. */
  readonly fold?: Fold<State>;
}

/** A state as an event of the log. `read(write(state))` is the state. */
export interface Fold<State> {
  readonly type: string;
  readonly write: (state: State) => JsonValue;
  readonly read: (data: JsonValue) => State;
  /** Events between two; left out: 500. */
  readonly every?: number;
}

export type RegisterStore = Pick<
  Store,
  'append' | 'read' | 'head' | 'subscribe' | 'findCommand' | 'registerProof'
>;

export function openRegister<State>(
  store: RegisterStore,
  name: RegisterName,
  { initial, project, fold }: RegisterOptions<State>,
): Register<State> {
  const run = registerRun(name);
  const { registerProof: proof } = store;
  const every = fold?.every ?? FOLD_EVERY;
  let known: Known<State> = { seq: 0, state: initial, folded: 0 };

  /** An event that counts: its writer had the key of the project. */
  const ownOf = (event: StoredEvent): StoredEvent | undefined => {
    const own = proof === undefined ? event : proved(proof, name, event);
    return own && { ...event, ...own };
  };
  const after = (before: Known<State>, event: StoredEvent): Known<State> => {
    const { seq } = event;
    const own = ownOf(event);
    if (own === undefined) return { ...before, seq };
    if (own.type === fold?.type) return { seq, state: fold.read(own.data), folded: seq };
    return { ...before, seq, state: project(before.state, own) };
  };
  /** Where a process that knows nothing begins: behind the newest fold, if there is one near the end. */
  async function newestFold(head: number): Promise<Known<State>> {
    if (fold === undefined || head <= 2 * every) return known;
    const events = await store.read(run, { after: head - 2 * every, limit: 2 * every });
    const found = events.findLast((event) => ownOf(event)?.type === fold.type);
    return found === undefined ? known : after(known, found);
  }
  /** Reads on from what is known. Two at once read the same, and the one that came further is kept. */
  async function readOn(): Promise<Known<State>> {
    const head = (await store.head(run))?.seq ?? 0;
    let now = known.seq === 0 ? await newestFold(head) : known;
    while (now.seq < head) {
      const events = await store.read(run, { after: now.seq });
      now = events.reduce(after, now);
      if (events.length === 0) now = { ...now, seq: head };
    }
    if (now.seq > known.seq) known = now;
    return now;
  }
  /** Events with the state behind them, where it is time for that. */
  function folding({ seq, state, folded }: Known<State>, events: readonly NewEvent[]): readonly NewEvent[] {
    if (fold === undefined || seq + events.length - folded < every) return events;
    const behind = events.reduce<State>((before, event) => project(before, event as StoredEvent), state);
    return [...events, { type: fold.type, data: fold.write(behind) }];
  }

  return {
    read: async () => (await readOn()).state,
    async change(decide, command) {
      try {
        for (let tries = 0; tries < MAX_TRIES; tries += 1) {
          const now = await readOn();
          const { seq, state } = now;
          const done = command === undefined ? undefined : await store.findCommand(run, command);
          if (done !== undefined) return ok(done.answer as never);
          const decided = decide(state);
          if (!decided.ok) return decided;
          const { answer, blobs = [] } = decided.value;
          if (decided.value.events.length === 0) return ok(answer);
          const events = folding(now, decided.value.events);
          const appended = await store.append({
            ...{ run, command: command ?? `register_${randomUUID()}`, target: name },
            ...{ answer, blobs, expectedSeq: seq },
            events:
              proof === undefined
                ? events
                : events.map((each, at) => withProof(proof, name, seq + at + 1, each)),
          });
          if (appended.ok) return ok(appended.value.answer as typeof answer);
          if (appended.error.code !== 'E_JOURNAL_MOVED') return fail(appended.error);
        }
        return fail<JournalError>({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy' });
      } catch (thrown) {
        if (thrown instanceof JournalFailure) return fail(thrown.error);
        throw thrown;
      }
    },
    follow: (signal) => store.subscribe({ run, after: known.seq, signal }),
  };
}

/** What was read of a log: how far, what follows from it, and where its newest fold is. */
interface Known<State> {
  readonly seq: number;
  readonly state: State;
  readonly folded: number;
}

const FOLD_EVERY = 500;

/** Each try that fails is one in which somebody else went on. */
const MAX_TRIES = 50;
