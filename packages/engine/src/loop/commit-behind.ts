import type { Append, Appended, JournalResult } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { BesideWrite } from '../effect/beside.js';
import {
  batchOf,
  type CommitParts,
  commit,
  fromJournal,
  sealed,
  type Write,
  type WrittenDecision,
} from './commit.js';
import type { EngineError } from './error.js';
import { advanceRun, type RunState } from './run-state.js';

/** What became of a batch, and of the decision behind it; none where the batch went alone, or not at all. */
export interface Behind<State> {
  readonly appended: JournalResult<Appended>;
  readonly decision?: Result<WrittenDecision<State>, EngineError>;
  /** Why the run does not take the decision, on its newest state. The batch was not written then. */
  readonly refused?: EngineError;
}

/**
 * Appends a batch of somebody else and, behind its events, one decision about the same run, in one commit under the id
 * that `as` says. The batch says what it was made for: on another state of the run nothing is written, and its maker
 * is told that the run has moved.
 */
export async function appendBehind<State>(
  parts: CommitParts<State>,
  write: Pick<Write<State>, 'run' | 'decide'>,
  batch: Append,
  as: Pick<Write<State>, 'command' | 'target' | 'fence'>,
): Promise<Behind<State>> {
  const current = await at(parts, batch);
  if (typeof current === 'number') return { appended: moved(batch, current) };
  const before = advanceRun(parts.machine, current, batch.events);
  const decided = write.decide(before);
  if (!decided.ok) {
    const { seq } = await parts.cache.refresh(write.run);
    return seq === current.seq
      ? { appended: fail({ code: 'E_JOURNAL_CLOSED' }), refused: decided.error }
      : { appended: moved(batch, seq) };
  }
  const value = await sealed(parts, write.run, decided.value);
  if (!value.ok) return { appended: value, decision: fail(fromJournal(value.error)) };
  const { decision, blobs } = value.value;
  const after = advanceRun(parts.machine, before, decision.events);
  const own = batchOf(parts, { ...write, ...as }, before, after, decision);
  const appended = await parts.store.append({
    ...own,
    expectedSeq: batch.expectedSeq,
    events: [...batch.events, ...own.events],
    projections: [...(batch.projections ?? []), ...(own.projections ?? [])],
    blobs: [...(batch.blobs ?? []), ...blobs],
    ...(batch.keeps && { keeps: batch.keeps }),
  });
  if (!appended.ok) return { appended, decision: fail(fromJournal(appended.error)) };
  const { repeated, firstSeq, lastSeq, answer } = appended.value;
  const told = { answer, seq: lastSeq, repeated, before };
  if (repeated) return { appended, decision: ok({ ...told, events: [], after: before }) };
  parts.cache.written(write.run, firstSeq, { before: current, after });
  return { appended, decision: ok({ ...told, events: decision.events, after }) };
}

/** Writes one decision, in the commit of what somebody writes beside it as far as the log takes both. */
export async function commitBeside<State>(
  parts: CommitParts<State>,
  write: Write<State>,
): Promise<Result<WrittenDecision<State>, EngineError>> {
  const joined = write.beside && (await commitWith(parts, write, write.beside));
  return joined ?? commit(parts, write);
}

/** Undefined: what is written beside the decision went alone or not at all, and the decision is still to be written. */
async function commitWith<State>(
  parts: CommitParts<State>,
  write: Write<State>,
  beside: BesideWrite,
): Promise<Result<WrittenDecision<State>, EngineError> | undefined> {
  let decision: Result<WrittenDecision<State>, EngineError> | undefined;
  await beside(async (batch) => {
    const behind = await appendBehind(parts, write, batch, write);
    const { appended } = behind;
    decision = behind.decision;
    if (behind.refused === undefined && (appended.ok || PASSING.has(appended.error.code))) return appended;
    // What the log does not take with the decision it may take alone: a fact is not lost because of another.
    decision = undefined;
    return parts.store.append(batch);
  });
  return decision;
}

/** Nothing is wrong with what was to be written: the run has moved, the hold is lost or the store is away. */
const PASSING: ReadonlySet<string> = new Set([
  'E_JOURNAL_MOVED',
  'E_JOURNAL_FENCED',
  'E_JOURNAL_UNAVAILABLE',
]);

/** The run where a batch expects it, or where it stands instead. */
async function at<State>(
  { cache }: CommitParts<State>,
  { run, expectedSeq }: Append,
): Promise<RunState<State> | number> {
  const known = await cache.load(run);
  if (known.seq === expectedSeq) return known;
  const newest = await cache.refresh(run);
  return newest.seq === expectedSeq ? newest : newest.seq;
}

const moved = ({ run, expectedSeq: expected }: Append, found: number): JournalResult<never> =>
  fail({ code: 'E_JOURNAL_MOVED', run, expected, found });
