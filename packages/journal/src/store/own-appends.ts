import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Appended, OwnEvent, RunId, StoredEvent } from '../contract.js';
import type { KeptCommit } from './commit.js';
import { type EventText, shownHash } from './row/chain.js';

/** The events that this process itself has appended of late, by run. */
export interface OwnAppends {
  /** What was appended to a database that tells nobody where its commits stand. */
  note(run: RunId, events: readonly EventText[], appended: Appended): void;
  /** A commit, at the moment from which on others may read it. */
  keep(commit: KeptCommit): void;
  /** Those behind a seq, without a gap; none where nothing is remembered. */
  after(run: RunId, seq: number): readonly OwnEvent[];
  /**
   * All that the log of a run has behind a seq. Undefined: it has to be read, because somebody else may have written to it
   * or because not all is remembered.
   */
  restOf(run: RunId, seq: number): readonly StoredEvent[] | undefined;
}

/** Events of one run that are remembered. */
const MAX_EVENTS = 64;
/** Characters of all that is remembered, and of one event: a longer one is read. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_EVENT = 64 * 1024;
/** Runs whose end is remembered. */
const MAX_ENDS = 1_000;

interface Kept extends EventText {
  readonly seq: number;
  /** The run's head behind the append. */
  readonly head: string;
  /** Where it stands in the log, as far as it is known. */
  readonly place?: Pick<StoredEvent, 'at' | 'command' | 'position' | 'hash'>;
}

/** Where a run ends by the last append of this process, and what `others` said before it. */
interface End {
  readonly seq: number;
  readonly others: number;
}

/** `others` differs when somebody else may have written; left out: nobody can tell. */
export function createOwnAppends(others?: () => number): OwnAppends {
  const runs = new Map<RunId, readonly Kept[]>();
  const ends = new Map<RunId, End>();
  let standing = others?.() ?? 0;
  let size = 0;
  const forget = (run: RunId): void => {
    for (const { data } of runs.get(run) ?? []) size -= data.length;
    runs.delete(run);
  };
  const add = (run: RunId, added: readonly Kept[]): void => {
    const before = runs.get(run) ?? [];
    forget(run);
    if (added.length > MAX_EVENTS || added.some(({ data }) => data.length > MAX_EVENT)) return;
    const isNext = before.at(-1)?.seq === (added[0]?.seq ?? 0) - 1;
    const kept = [...(isNext ? before : []), ...added].slice(-MAX_EVENTS);
    for (const { data } of kept) size += data.length;
    runs.set(run, kept);
    for (const oldest of runs.keys()) {
      if (size <= MAX_TEXT) break;
      forget(oldest);
    }
  };
  /** Those behind a seq, the first of them the very next. */
  const behind = (run: RunId, seq: number): readonly Kept[] => {
    const known = runs.get(run) ?? [];
    const start = known.findIndex((event) => event.seq === seq + 1);
    return start === -1 ? [] : known.slice(start);
  };
  return {
    note(run, events, { firstSeq, repeated, hash }) {
      if (repeated || events.length === 0) return;
      add(
        run,
        events.map(({ type, data }, index) => ({ seq: firstSeq + index, type, data, head: hash })),
      );
    },
    keep({ run, command, at, lastSeq, position, events, hashes }) {
      ends.delete(run);
      ends.set(run, { seq: lastSeq, others: standing });
      const [oldest] = ends.keys();
      if (ends.size > MAX_ENDS && oldest !== undefined) ends.delete(oldest);
      if (events.length === 0) return;
      const shown = hashes.map(shownHash);
      const head = shown.at(-1) ?? '';
      const before = events.length - 1;
      add(
        run,
        events.map(({ type, data }, index) => ({
          ...{ seq: lastSeq - before + index, type, data, head },
          place: { at, command, position: position - before + index, hash: shown[index] ?? head },
        })),
      );
    },
    after: (run, seq) =>
      behind(run, seq).map(({ seq: at, type, data, head }) => ({
        ...{ seq: at, type, hash: head },
        data: JSON.parse(data) as JsonValue,
      })),
    restOf(run, seq) {
      const end = ends.get(run);
      if (others === undefined || end === undefined) return undefined;
      const rest = end.seq === seq ? [] : behind(run, seq);
      if (end.seq !== seq && rest.at(-1)?.seq !== end.seq) return undefined;
      standing = others();
      if (guard('own.others', end.others !== standing)) return undefined;
      return rest.flatMap(({ seq: of, type, data: text, place }) => {
        if (place === undefined) return [];
        const { position, at, command, hash } = place;
        return [{ run, seq: of, position, at, command, type, data: JSON.parse(text) as JsonValue, hash }];
      });
    },
  };
}
