import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Appended, OwnEvent, RunId } from '../contract.js';
import type { EventText } from './row/chain.js';

/** The events that this process itself has appended of late, by run. */
export interface OwnAppends {
  /** An append is about to be kept: until it is noted nobody knows where its run ends. */
  writing(run: RunId): void;
  note(run: RunId, events: readonly EventText[], appended: Appended): void;
  /** Those behind a seq, without a gap; none where nothing is remembered. */
  after(run: RunId, seq: number): readonly OwnEvent[];
  /** Whether the log of the run certainly ends with this seq: this process wrote it, and nobody has written since. */
  isEnd(run: RunId, seq: number): boolean;
}

/** Events of one run that are remembered. */
const MAX_EVENTS = 64;
/** Characters of all that is remembered, and of one event: a longer one is read. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_EVENT = 64 * 1024;

interface Kept extends EventText {
  readonly seq: number;
  /** The run's head behind the append. */
  readonly hash: string;
}

/** Runs whose end is remembered. */
const MAX_ENDS = 1_000;

/** `others` differs when somebody else may have written; left out: nobody can tell. */
export function createOwnAppends(others?: () => number): OwnAppends {
  const runs = new Map<RunId, readonly Kept[]>();
  /** The last seq that was appended, and what `others` said before. */
  const ends = new Map<RunId, { readonly seq: number; readonly others: number }>();
  let standing = others?.() ?? 0;
  let size = 0;
  const forget = (run: RunId): void => {
    for (const { data } of runs.get(run) ?? []) size -= data.length;
    runs.delete(run);
  };
  return {
    writing: (run) => ends.delete(run),
    note(run, events, { firstSeq, lastSeq, repeated, hash }) {
      if (others !== undefined && !repeated) {
        ends.delete(run);
        ends.set(run, { seq: lastSeq, others: standing });
        const [oldest] = ends.keys();
        if (ends.size > MAX_ENDS && oldest !== undefined) ends.delete(oldest);
      }
      if (repeated || events.length === 0) return;
      const before = runs.get(run) ?? [];
      forget(run);
      if (events.length > MAX_EVENTS || events.some(({ data }) => data.length > MAX_EVENT)) return;
      const isNext = before.at(-1)?.seq === firstSeq - 1;
      const added = events.map(({ type, data }, index) => ({ seq: firstSeq + index, type, data, hash }));
      const kept = [...(isNext ? before : []), ...added].slice(-MAX_EVENTS);
      for (const { data } of kept) size += data.length;
      runs.set(run, kept);
      for (const oldest of runs.keys()) {
        if (size <= MAX_TEXT) break;
        forget(oldest);
      }
    },
    isEnd(run, seq) {
      const end = ends.get(run);
      if (others === undefined || end?.seq !== seq) return false;
      standing = others();
      return guard('own.end', end.others === standing);
    },
    after(run, seq) {
      const known = runs.get(run) ?? [];
      const start = known.findIndex((event) => event.seq === seq + 1);
      if (start === -1) return [];
      return known.slice(start).map((event) => ({ ...event, data: JSON.parse(event.data) as JsonValue }));
    },
  };
}
