import { JournalFailure, type RunId } from '@cuebook/journal';
import { fail, type Result } from '@cuebook/prompt';
import { countRun, countRunEnd, countWaiting } from '@cuebook/provider';
import type { Clock } from '../timer/clock.js';
import type { Job } from '../work/queue.js';
import type { CommitParts, Write, WrittenDecision } from './commit.js';
import { commitBeside } from './commit-behind.js';
import type { EngineError } from './error.js';
import type { EngineFault } from './fault.js';
import { inTurn } from './in-turn.js';
import { nextJobs } from './next-jobs.js';
import { pause, pauseAfter } from './patience.js';

/** Writes decisions and hands out what follows from them. */
export interface Writer<State> {
  /** Once: a store that does not answer is an error. */
  write(write: Write<State>, options?: DecisionOptions): Promise<Result<WrittenDecision<State>, EngineError>>;
  /** The same, again and again for a while when the store does not answer: the command makes that safe. */
  persist(write: Write<State>, options: PersistOptions): Promise<Result<WrittenDecision<State>, EngineError>>;
}

export interface DecisionOptions {
  /** The lane whose jobs are not handed out: somebody works on it already. */
  readonly except?: string;
}

export interface PersistOptions extends DecisionOptions {
  /** Gives up. */
  readonly signal: AbortSignal;
  /** Says whether to go on past the usual number of tries. */
  isPatient?(): boolean;
}

export interface WriterParts<State> {
  readonly parts: CommitParts<State>;
  readonly fault: EngineFault;
  readonly clock: Clock;
  enqueue(jobs: readonly Job[]): Promise<void>;
  onProblem(error: unknown, about: { readonly run: RunId }): void;
}

export function createWriter<State>(own: WriterParts<State>): Writer<State> {
  const turns = inTurn<RunId>();
  const write: Writer<State>['write'] = async (request, { except } = {}) => {
    const { run } = request;
    const written = await turns(run, () => commitBeside(own.parts, request).catch(fromThrown));
    if (!written.ok) return written;
    count(own.parts.machine, written.value);
    if (written.value.events.some(({ type }) => type === 'effect.intended')) await own.fault('intended');
    const jobs = nextJobs(run, written.value).filter((job) => job.type !== 'lane' || job.lane !== except);
    // What cannot be handed out now is found among the open work later.
    if (jobs.length > 0) await own.enqueue(jobs).catch((error: unknown) => own.onProblem(error, { run }));
    return written;
  };
  return {
    write,
    async persist(request, options) {
      for (let tries = 1; ; tries++) {
        const written = await write(request, options);
        if (written.ok || !isPassing(written.error) || options.signal.aborted) return written;
        const ms = pauseAfter(tries, options.isPatient?.() === true);
        if (ms === undefined) return written;
        await pause(own.clock, ms, options.signal);
      }
    },
  };
}

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
