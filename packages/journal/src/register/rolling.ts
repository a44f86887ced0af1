import { randomUUID } from 'node:crypto';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { NewEvent, Store, StoredEvent } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { registerWriter } from './proof.js';
import { MAX_TRIES, type Register, type RegisterOptions, requireKnown } from './register.js';
import { type RollingName, type Volume, volumeName, volumeRun } from './register-run.js';
import { CLOSED, closedEvent, OPENED, openedEvent, openingOf } from './volume.js';

/**
 * A register that grows with every run. It is a row of volumes: a full one is closed, the next one begins with its
 * state, and then it is removed, which leaves a tombstone with the head that the next one names. Each step is a write
 * of its own, and whoever changes the register does what is left to do. It remembers no commands: decide by the state.
 */
export type RollingRegister<State> = Pick<Register<State>, 'read'> & {
  change<Answer extends JsonValue, Refusal>(
    decide: (
      state: State,
    ) => Result<{ readonly events: readonly NewEvent[]; readonly answer: Answer }, Refusal>,
  ): Promise<Result<Answer, Refusal | JournalError>>;
};

export interface RollingOptions<State> extends RegisterOptions<State> {
  /** The state as the beginning of a volume. `read(write(state))` is the state. */
  readonly fold: {
    readonly write: (state: State) => JsonValue;
    readonly read: (data: JsonValue) => State;
  };
  /** Events of a volume; left out: 1,000. */
  readonly every?: number;
}

export type RollingStore = Pick<Store, 'append' | 'read' | 'standing' | 'removeRun' | 'registerProof'>;

export function openRollingRegister<State>(
  store: RollingStore,
  name: RollingName,
  { initial, project, knows = () => true, fold, every = EVENTS_OF_A_VOLUME }: RollingOptions<State>,
): RollingRegister<State> {
  const start = (number: number): Known<State> => ({
    ...{ number, seq: 0, hash: '', state: initial, isOpened: number === 1, isClosed: false, isClean: true },
  });
  const writerOf = (volume: Volume) => registerWriter(store.registerProof, volumeName(volume));
  let known = start(1);

  const afterIn = (volume: Volume) => {
    const { ownOf } = writerOf(volume);
    return (before: Known<State>, event: StoredEvent): Known<State> => {
      const { seq, hash } = event;
      const after = { ...before, seq, hash };
      const own = before.isClosed ? undefined : ownOf(event);
      if (own === undefined) return { ...after, isClean: false };
      if (own.type === CLOSED) return { ...after, isClosed: true };
      if (before.isOpened) {
        requireKnown(own, { knows, name });
        return { ...after, state: project(before.state, own) };
      }
      return own.type === OPENED
        ? { ...after, isOpened: true, state: fold.read(openingOf(own).state) }
        : after;
    };
  };

  /** Reads a volume on; undefined: it was removed. */
  async function readVolume(from: Known<State>): Promise<Known<State> | undefined> {
    const volume = { name, number: from.number };
    const run = volumeRun(volume);
    const after = afterIn(volume);
    const found = await store.standing(run);
    if (found?.removedAt !== undefined) return undefined;
    const head = found?.seq ?? 0;
    let now = from;
    while (now.seq < head) {
      const events = await store.read(run, { after: now.seq });
      if (events.length === 0) {
        if ((await store.standing(run))?.removedAt !== undefined) return undefined;
        throw new JournalFailure({
          code: 'E_JOURNAL_CORRUPT',
          what: `the register of ${volumeName(volume)}`,
        });
      }
      now = events.reduce(after, now);
    }
    return now;
  }

  /** The newest volume behind one that was removed. */
  async function newestAfter(removed: number): Promise<Known<State>> {
    const isThere = async (number: number): Promise<boolean> =>
      (await store.standing(volumeRun({ name, number }))) !== undefined;
    let last = removed;
    let step = 1;
    for (; await isThere(last + step); step *= 2) last += step;
    for (let none = last + step; none - last > 1; ) {
      const middle = Math.floor((last + none) / 2);
      if (await isThere(middle)) last = middle;
      else none = middle;
    }
    // Somebody without the key may have begun one that counts for nothing.
    for (let number = last; number > removed; number -= 1) {
      const read = await readVolume(start(number));
      if (read === undefined) return newestAfter(number);
      if (read.isOpened) return read;
    }
    throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: `the register of ${name}` });
  }

  /** Reads on from what is known, into the newest volume. The one of several that came furthest is kept. */
  async function readOn(): Promise<Known<State>> {
    // Others go on with what is known while this one waits.
    const from = known;
    let now = (await readVolume(from)) ?? (await newestAfter(from.number));
    while (now.isClosed) {
      const next = await readVolume(start(now.number + 1));
      if (next?.isOpened === false) break;
      now = next ?? (await newestAfter(now.number + 1));
    }
    if (now.number > known.number || (now.number === known.number && now.seq > known.seq)) known = now;
    return now;
  }

  const write = (number: number, seq: number, events: readonly NewEvent[], answer: JsonValue) => {
    const volume = { name, number };
    return store.append({
      ...{ run: volumeRun(volume), command: `register_${randomUUID()}`, target: name, answer },
      ...{ expectedSeq: seq, events: writerOf(volume).sealed(seq, events) },
    });
  };

  /** The next step from a full volume to a new one. */
  async function roll(full: Known<State>): Promise<JournalError | undefined> {
    const { number, seq, hash, state, isClosed } = full;
    if (!isClosed) return failureOf(await write(number, seq, [closedEvent({ name, number })], null));
    const next = { name, number: number + 1 };
    const begun = await readVolume(start(next.number));
    if (begun === undefined || begun.isOpened) return undefined; // Somebody else did.
    const opening = openedEvent(next, { state: fold.write(state), from: { seq, hash } });
    const failed = failureOf(await write(next.number, begun.seq, [opening], null));
    if (failed === undefined) await removeUpTo(full);
    return failed;
  }

  /** Removes a volume that is over, and before it those that somebody left who was killed here. */
  async function removeUpTo(last: Known<State>): Promise<void> {
    if (last.number > 1) {
      const before = await readVolume(start(last.number - 1));
      if (before !== undefined) await removeUpTo(before);
    }
    // What somebody wrote without the key stays for `verify` to find.
    if (last.isClean) await store.removeRun(volumeRun({ name, number: last.number }));
  }

  return {
    read: async () => (await readOn()).state,
    async change(decide) {
      try {
        for (let tries = 0; tries < MAX_TRIES; tries += 1) {
          const now = await readOn();
          let failed: JournalError | undefined;
          if (now.isClosed || now.seq >= every) failed = await roll(now);
          else {
            const decided = decide(now.state);
            if (!decided.ok) return decided;
            const { events, answer } = decided.value;
            if (events.length === 0) return ok(answer);
            const appended = await write(now.number, now.seq, events, answer);
            if (appended.ok) return ok(appended.value.answer as typeof answer);
            failed = appended.error;
          }
          if (failed !== undefined && !GONE_ON.has(failed.code)) return fail(failed);
        }
        return fail<JournalError>({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy' });
      } catch (thrown) {
        if (thrown instanceof JournalFailure) return fail(thrown.error);
        throw thrown;
      }
    },
  };
}

/** What was read of a volume: how far, and what follows from it. */
interface Known<State> {
  readonly number: number;
  readonly seq: number;
  readonly hash: string;
  readonly state: State;
  readonly isOpened: boolean;
  readonly isClosed: boolean;
  /** Whether every event counts. */
  readonly isClean: boolean;
}

const EVENTS_OF_A_VOLUME = 1000;

/** Somebody else went on in between. */
const GONE_ON: ReadonlySet<JournalError['code']> = new Set(['E_JOURNAL_MOVED', 'E_JOURNAL_REMOVED']);

const failureOf = (done: Result<unknown, JournalError>): JournalError | undefined =>
  done.ok ? undefined : done.error;
