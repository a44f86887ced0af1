import { randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { NewEvent, Store, StoredEvent } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { registerWriter } from './proof.js';
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
  /**
   * Whether this version knows what an event says. Behind one that it does not know nothing is read or changed: what a
   * newer version took away would still be there. Left out: it knows all.
   */
  readonly knows?: (event: Pick<StoredEvent, 'type' | 'data'>) => boolean;
}

export type RegisterStore = Pick<
  Store,
  'append' | 'read' | 'head' | 'subscribe' | 'findCommand' | 'registerProof' | 'clock'
>;

export function openRegister<State>(
  store: RegisterStore,
  name: RegisterName,
  { initial, project, knows = () => true }: RegisterOptions<State>,
): Register<State> {
  const run = registerRun(name);
  const { ownOf, sealed } = registerWriter(store.registerProof, name);
  let known: Known<State> = { seq: 0, state: initial };

  const after = ({ state }: Known<State>, event: StoredEvent): Known<State> => {
    const own = ownOf(event);
    requireKnown(own, { knows, name });
    return { seq: event.seq, state: own === undefined ? state : project(state, own) };
  };
  /** Reads on from what is known. Two at once read the same, and the one that came further is kept. */
  async function readOn(): Promise<Known<State>> {
    const head = (await store.head(run))?.seq ?? 0;
    let now = known;
    while (now.seq < head) {
      const events = await store.read(run, { after: now.seq });
      now = events.reduce(after, now);
      if (events.length === 0) now = { ...now, seq: head };
    }
    if (now.seq > known.seq) known = now;
    return now;
  }

  return {
    read: async () => (await readOn()).state,
    async change(decide, command) {
      try {
        for (let tries = 0; tries < MAX_TRIES; tries += 1) {
          const { seq, state } = await readOn();
          const done = command === undefined ? undefined : await store.findCommand(run, command);
          if (done !== undefined) return ok(done.answer as never);
          const decided = decide(state);
          if (!decided.ok) return decided;
          const { events, answer, blobs = [] } = decided.value;
          if (events.length === 0) return ok(answer);
          const appended = await store.append({
            ...{ run, command: command ?? `register_${randomUUID()}`, target: name },
            ...{ answer, blobs, expectedSeq: seq, events: sealed(seq, events) },
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

/** Throws for an event that only a newer version knows. */
export function requireKnown(
  own: StoredEvent | undefined,
  { knows, name }: { readonly knows: (event: StoredEvent) => boolean; readonly name: string },
): void {
  if (own !== undefined && guard('register.newer', !knows(own)))
    throw new JournalFailure({ code: 'E_JOURNAL_NEWER', what: own.type, place: `the register ${name}` });
}

/** What was read of a log: how far, and what follows from it. */
interface Known<State> {
  readonly seq: number;
  readonly state: State;
}

/** Each try that fails is one in which somebody else went on: who has the bad luck waits behind many changes. */
export const MAX_TRIES = 500;
