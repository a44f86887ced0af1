import type { Clock } from '../timer/clock.js';
import { type Job, jobKey, type WorkHost } from './queue.js';

/** Looks through the journal for open work that nobody was told of, or whose worker is dead. */
export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
}

export interface LaneSweepOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Puts a job into the queue unless it waits there. */
  add(jobs: readonly Job[]): Promise<void>;
  /** The store did not answer. */
  onAway(): void;
  /** Nothing is to be queued again just now. */
  isQuiet(): boolean;
}

/**
 * One process of all sweeps at a time. What stands open at two looks in a row, with the same effect next, is
 * queued again: if somebody does work on it, the lease of the lane turns the job away.
 */
export function createSweeper(
  host: WorkHost,
  { clock, everyMs, add, onAway, isQuiet }: LaneSweepOptions,
): Sweeper {
  const scope = `engine/sweep/${host.kind}`;
  let seen: ReadonlySet<string> = new Set();
  let stopped = false;
  let cancel = () => {};
  let now: Promise<void> = Promise.resolve();

  const sweep = async () => {
    const mine = await host.store.acquireLease(scope, host.owner, everyMs * 2);
    if (mine === undefined || isQuiet()) {
      seen = new Set();
      return;
    }
    const open = (await host.openJobs()).filter((job) => job.type === 'lane' || job.at <= host.clock.now());
    const overdue = open.filter((job) => seen.has(lookOf(job)));
    seen = new Set(open.map(lookOf));
    if (overdue.length > 0) await add(overdue);
  };
  const schedule = () => {
    if (stopped) return;
    cancel = clock.at(clock.now() + everyMs, () => {
      now = sweep()
        .catch((error: unknown) => {
          seen = new Set();
          onAway();
          host.onProblem(error);
        })
        .then(schedule);
    });
  };

  return {
    start: schedule,
    async stop() {
      stopped = true;
      cancel();
      await now;
    },
  };
}

const lookOf = (job: Job) => `${jobKey(job)} ${job.type === 'lane' ? job.effect : ''}`;
