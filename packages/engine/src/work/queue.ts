import type { Fence, RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import type { EngineStore } from '../loop/engine-store.js';
import type { Tally } from '../loop/tally.js';
import type { Clock } from '../timer/clock.js';

/**
 * Something to look after. The log is the truth and a job is only a reason to look: a job too many finds nothing
 * to do, and a lost one is found again among the open work.
 */
export type Job = LaneJob | TimerJob;

export interface LaneJob {
  readonly type: 'lane';
  readonly run: RunId;
  readonly lane: string;
  /** The effect that is next. */
  readonly effect: string;
}

export interface TimerJob {
  readonly type: 'timer';
  readonly run: RunId;
  readonly timer: string;
  /** The seq of its `timer.set`. */
  readonly seq: number;
  readonly at: number;
}

/** The right to work on a lane. Who has it is alone, as long as the signal is silent. */
export interface LaneHold {
  /** Every write about the lane carries it: after the hold is lost the journal refuses them. */
  readonly fence: Fence;
  readonly owner: string;
  /** The hold is lost, or the work is to be left. */
  readonly signal: AbortSignal;
  /** A write waits for a store that is away for as long as the hold stands. Left out: it is given up after a while. */
  readonly isPatient?: boolean;
  /** Asks the store whether the hold still stands: a write that was refused may be tried again if it does. */
  stands(): Promise<boolean>;
}

/** Who does what, and where: in this process, or shared between machines. */
export interface WorkQueue {
  /** A job is to be done, here or elsewhere, now or at its time. */
  enqueue(jobs: readonly Job[]): Promise<void>;
  /** Begins to work. `waiting`: somebody else holds all work and this process steps in when it is free. */
  start(): Promise<Result<WorkState, WorkError>>;
  /** Begins nothing more; ends when nothing of it runs here. `abort` tells what runs to end now. */
  stop(options: { readonly abort: boolean }): Promise<void>;
}

export type WorkState =
  | { readonly state: 'working' }
  | { readonly state: 'waiting'; readonly holder: string };

export interface WorkError {
  readonly type: 'held';
  readonly holder: string;
}

/** What a queue is given by the engine. */
export interface WorkHost {
  readonly store: EngineStore;
  readonly clock: Clock;
  /** The kind of runs: work of different kinds does not meet. */
  readonly kind: string;
  /** This process, as it is shown to others. */
  readonly owner: string;
  /** Does what is open in a lane. It does not throw. */
  runLane(job: LaneJob, hold: LaneHold): Promise<LaneEnd>;
  /** What a lane has to do next, if it has and waits for nobody. */
  nextOfLane(job: LaneJob): Promise<LaneJob | undefined>;
  /** Fires a timer whose time has come. It does not throw; false: it could not be written, try again. */
  fireTimer(job: TimerJob): Promise<boolean>;
  /** All work that is open and waits for nobody, or that of one run. */
  openJobs(run?: RunId): Promise<readonly Job[]>;
  /** What is in flight in this process. */
  readonly tally: Tally;
  onProblem(error: unknown): void;
}

/** `idle`: nothing is left to do now. `left`: something is, and could not be done. */
export type LaneEnd = 'idle' | 'left';

export type WorkFactory = (host: WorkHost) => WorkQueue;

/** One text for one lane or timer. */
export const jobKey = (job: Job): string =>
  job.type === 'lane' ? JSON.stringify([job.run, job.lane]) : JSON.stringify([job.run, job.timer, job.seq]);
