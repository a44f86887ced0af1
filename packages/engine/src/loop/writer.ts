import { guarded } from '@cuebook/guard';
import { type Append, type AppendBatch, JournalFailure, type RunId } from '@cuebook/journal';
import { fail, type Result } from '@cuebook/prompt';
import { countRun, countRunEnd, countWaiting } from '@cuebook/provider';
import type { BesideWrite } from '../effect/beside.js';
import type { Clock } from '../timer/clock.js';
import type { Job, LaneHold } from '../work/queue.js';
import { appendBehind, type CommitParts, commit, type Write, type WrittenDecision } from './commit.js';
import { describeEngineError, type EngineError } from './error.js';
import type { EngineFault } from './fault.js';
import { inTurn } from './in-turn.js';
import { nextJobs } from './next-jobs.js';
import { rest } from './patience.js';

/** Writes decisions and hands out what follows from them. */
export interface Writer<State> {
  /** Once: a store that does not answer is an error. */
  write(write: Write<State>): Promise<Written<State>>;
  /** For who works on a lane: while its hold stands, again and again where the store does not answer. */
  writeHeld(write: HeldWrite<State>): Promise<Written<State>>;
  /** Appends a batch of somebody else, and a decision behind it in the same commit and under the same command. */
  writeBehind(write: Pick<Write<State>, 'run' | 'decide'>, batch: Append): ReturnType<AppendBatch>;
  /** Appends what is nobody's decision. */
  readonly append: AppendBatch;
}

type Written<State> = Result<WrittenDecision<State>, EngineError>;

/** A decision about an effect of a lane that somebody holds. Jobs of that lane are not handed out. */
export interface HeldWrite<State> extends Omit<Write<State>, 'fence'> {
  readonly lane: string;
  readonly hold: LaneHold;
}

export interface WriterParts<State> {
  readonly parts: CommitParts<State>;
  readonly fault: EngineFault;
  readonly clock: Clock;
  isStopping(): boolean;
  enqueue(jobs: readonly Job[]): Promise<void>;
  onProblem(error: unknown, about: { readonly run: RunId; readonly effect?: string }): void;
}

export function createWriter<State>(own: WriterParts<State>): Writer<State> {
  const { parts } = own;
  const turns = inTurn<RunId>();
  const write = async (request: Write<State>, lane?: string): Promise<Written<State>> => {
    const { run } = request;
    const written = await turns(run, () => commitBeside(parts, request).catch(fromThrown));
    if (!written.ok) return written;
    count(parts.machine, written.value);
    if (written.value.events.some(({ type }) => type === 'effect.intended')) await own.fault('intended');
    const jobs = nextJobs(run, written.value).filter((job) => job.type !== 'lane' || job.lane !== lane);
    // What cannot be handed out now is found among the open work later.
    if (jobs.length > 0) await own.enqueue(jobs).catch((error: unknown) => own.onProblem(error, { run }));
    return written;
  };
  const persist = async (request: Write<State>, lane: string, hold: LaneHold): Promise<Written<State>> => {
    for (let tries = 1; ; tries++) {
      const written = await write(request, lane);
      if (written.ok || !isPassing(written.error) || hold.signal.aborted) return written;
      const isPatient = hold.isPatient === true && !own.isStopping();
      if (!(await rest(own.clock, tries, { isPatient, signal: hold.signal }))) return written;
    }
  };
  return {
    write: (request) => write(request),
    async writeHeld({ lane, hold, ...request }) {
      const fenced = { ...request, ...guarded('lane.fence', () => ({ fence: hold.fence })) };
      const once = await persist(fenced, lane, hold);
      const isFenced = !once.ok && once.error.type === 'fenced';
      // A lease that ran out and that nobody took can be renewed: then the work was alone all the time.
      const written = isFenced && (await hold.stands()) ? await persist(fenced, lane, hold) : once;
      if (!written.ok && written.error.type !== 'closed')
        own.onProblem(new Error(`not written: ${reasonOf(written.error)}`), {
          run: request.run,
          effect: request.target,
        });
      return written;
    },
    async writeBehind(request, batch) {
      const { command, target, fence } = batch;
      const as = { command, target, ...(fence && { fence }) };
      return (await appendBehind(parts, request, batch, as)).appended;
    },
    append: (batch) => parts.store.append(batch),
  };
}

/** Why a decision was not written, for whoever looks after the process. */
function reasonOf(error: EngineError): string {
  if (error.type === 'journal') return error.code;
  if (error.type !== 'newer') return error.type;
  const { code, message } = describeEngineError(error);
  return `${code} ${message}`;
}

/** Writes one decision, in the commit of what somebody writes beside it as far as the log takes both. */
async function commitBeside<State>(
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

/** Numbers for telemetry: runs that begin and end, and questions that wait for a person. */
function count<State>(machine: CommitParts<State>['machine'], written: WrittenDecision<State>): void {
  const { kind } = machine;
  const { before, after, events } = written;
  if (before.seq === 0 && events.length > 0) countRun(kind);
  const asked = events.filter(({ type }) => type === 'approval.requested').length;
  const answered = events.filter(({ type }) => type === 'approval.resolved').length;
  if (asked !== answered) countWaiting(asked - answered, kind);
  if (events.length === 0) return;
  const [was, is] = [before, after].map(({ state }) => machine.stand?.(state)?.status);
  if (is !== undefined && is !== was && ENDS.has(is)) countRunEnd(kind, is);
}

/** How runs stand that came to an end. */
const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'stopped']);

function fromThrown(error: unknown): Result<never, EngineError> {
  if (error instanceof JournalFailure) return fail({ type: 'journal', code: error.error.code });
  throw error;
}

const isPassing = (error: EngineError) =>
  error.type === 'busy' || (error.type === 'journal' && error.code === 'E_JOURNAL_UNAVAILABLE');
