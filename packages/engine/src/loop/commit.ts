import { guard } from '@cuebook/guard';
import type {
  Append,
  Appended,
  Fence,
  JournalError,
  JournalResult,
  ProjectionChange,
  RunId,
} from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { BesideWrite } from '../effect/beside.js';
import type { EventShape } from '../machine.js';
import type { Shield } from '../seal/shield.js';
import { standingChange } from '../standing/standing.js';
import type { EngineStore } from './engine-store.js';
import type { EngineError } from './error.js';
import { inKeyOrder } from './key-order.js';
import { isEmpty, openWorkChange, STATES } from './open-work.js';
import type { RunCache } from './run-cache.js';
import { type AnyMachine, advanceRun, type RunState } from './run-state.js';

/** One decision to be written: the events follow from the state that they are written behind. */
export interface Write<State> {
  readonly run: RunId;
  /** The id of the command: written at most once, whoever tries and however often. */
  readonly command: string;
  /** What tells a repeat of the command from another one with the same id. */
  readonly target: string;
  readonly fence?: Fence;
  readonly decide: (run: RunState<State>) => Result<Decided, EngineError>;
  /** What somebody writes in front of it, in the same commit as far as the log takes both. */
  readonly beside?: BesideWrite;
}

export interface Decided {
  readonly events: readonly EventShape[];
  readonly answer: JsonValue;
}

export interface WrittenDecision<State> {
  readonly answer: JsonValue;
  readonly seq: number;
  readonly repeated: boolean;
  /** The events written now, and the states before and behind them; for a repeat there are none. */
  readonly events: readonly EventShape[];
  readonly before: RunState<State>;
  readonly after: RunState<State>;
}

export interface CommitParts<State> {
  readonly store: EngineStore;
  readonly machine: AnyMachine<State>;
  readonly cache: RunCache<State>;
  readonly keepState: KeepState;
  readonly shield: Shield;
}

/**
 * Whether the newest state of each run is kept as a read model: never, with every write, or only while nothing is
 * open. A large state costs more than the events; at rest it is written once, and taken away when work begins again.
 */
export type KeepState = boolean | 'at-rest';

/**
 * Decides on the state as known, writes, and decides again on what came in between if the run has moved:
 * optimistic, and bounded. A refusal counts only on the newest state. What is written, and what the state follows
 * from, holds no credential: those are sealed first, in whatever string of whatever event they stand.
 */
export async function commit<State>(
  parts: CommitParts<State>,
  write: Write<State>,
): Promise<Result<WrittenDecision<State>, EngineError>> {
  let current = await parts.cache.load(write.run);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const decided = write.decide(current);
    if (!decided.ok) {
      const newest = await parts.cache.refresh(write.run);
      if (guard('command.refresh', newest.seq !== current.seq)) {
        current = newest;
        continue;
      }
      return repeatOr(parts, write, current, decided.error);
    }
    const value = await sealed(parts, write.run, decided.value);
    if (!value.ok) return fail(fromJournal(value.error));
    const { decision, blobs } = value.value;
    const after = advanceRun(parts.machine, current, decision.events);
    const batch = batchOf(parts, write, current, after, decision);
    const appended = await parts.store.append(blobs.length > 0 ? { ...batch, blobs } : batch);
    const done = { current, before: current, after, decided: decision };
    if (appended.ok) return ok(take(parts, write.run, done, appended.value));
    if (appended.error.code !== 'E_JOURNAL_MOVED') return fail(fromJournal(appended.error));
    current = await parts.cache.refresh(write.run);
  }
  return fail({ type: 'busy' });
}

const MAX_TRIES = 100;

/** A decision as it is written: with what it holds of credentials sealed, and its keys in order. */
async function sealed<State>(
  { shield }: CommitParts<State>,
  run: RunId,
  decided: Decided,
): Promise<JournalResult<{ readonly decision: Decided; readonly blobs: readonly Uint8Array[] }>> {
  const found = await shield.seal(run, decided);
  if (!found.ok) return found;
  const { value, blobs } = found.value;
  return ok({ decision: { ...value, events: inKeyOrder(value.events) }, blobs });
}

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
  const done = { current, before, after, decided: decision };
  return { appended, decision: ok(take(parts, write.run, done, appended.value)) };
}

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

/** A command that is refused now may have been done before: then its first answer stands. */
async function repeatOr<State>(
  { store }: CommitParts<State>,
  { run, command, target }: Write<State>,
  current: RunState<State>,
  refusal: EngineError,
): Promise<Result<WrittenDecision<State>, EngineError>> {
  const known = await store.findCommand(run, command);
  if (!guard('command.repeat', known !== undefined)) return fail(refusal);
  const again = await store.append({ run, command, target, events: [], expectedSeq: current.seq });
  if (!again.ok) return fail(fromJournal(again.error));
  const { answer, lastSeq } = again.value;
  return ok({ answer, seq: lastSeq, repeated: true, events: [], before: current, after: current });
}

function batchOf<State>(
  { machine, keepState }: CommitParts<State>,
  { run, command, target, fence }: Pick<Write<State>, 'run' | 'command' | 'target' | 'fence'>,
  current: RunState<State>,
  after: RunState<State>,
  { events, answer }: Decided,
): Append {
  const open = openWorkChange(run, machine.kind, current.ledger, after.ledger);
  const listed = events.flatMap((event) => machine.list?.(run, event, after.state) ?? []);
  const projections: ProjectionChange[] = open ? [...listed, open] : listed;
  const kept = events.length > 0 ? keptState(keepState, current, after) : undefined;
  if (kept !== undefined) projections.push({ name: STATES, key: run, value: kept });
  const stands =
    machine.stand && standingChange(run, machine.stand(current.state), machine.stand(after.state));
  if (stands !== undefined) projections.push(stands);
  const batch = { run, command, target, events, expectedSeq: current.seq, answer, projections };
  return fence ? { ...batch, fence } : batch;
}

/** The state to be kept, `null` for one that is not kept any more, undefined where nothing changes. */
function keptState<State>(
  keepState: KeepState,
  current: RunState<State>,
  after: RunState<State>,
): JsonValue | null | undefined {
  const state = after.state as JsonValue;
  if (keepState !== 'at-rest') return keepState ? state : undefined;
  if (isEmpty(after.ledger)) return state;
  return current.seq > 0 && isEmpty(current.ledger) ? null : undefined;
}

/** What was written, as it is told; `current` is what was known of the run, `before` what the decision was made on. */
function take<State>(
  { cache }: CommitParts<State>,
  run: RunId,
  done: Record<'current' | 'before' | 'after', RunState<State>> & { readonly decided: Decided },
  { repeated, firstSeq, lastSeq, answer }: Appended,
): WrittenDecision<State> {
  const { current, before, after, decided } = done;
  const told = { answer, seq: lastSeq, repeated, before };
  if (repeated) return { ...told, events: [], after: before };
  cache.written(run, firstSeq, { before: current, after });
  return { ...told, events: decided.events, after };
}

function fromJournal(error: JournalError): EngineError {
  if (error.code === 'E_JOURNAL_CONFLICT') return { type: 'conflict' };
  if (error.code === 'E_JOURNAL_FENCED') return { type: 'fenced' };
  return { type: 'journal', code: error.code };
}
