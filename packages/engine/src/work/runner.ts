import { EventEmitter } from 'node:events';
import type { TaskList, WorkerEvents, WorkerUtils } from 'graphile-worker';
import type { Clock } from '../timer/clock.js';
import type { OpenedGraphile } from './graphile.js';

/** A runner that comes back, whatever becomes of the database. */
export interface SupervisedRunner {
  start(): Promise<void>;
  /** Begins nothing more; ends when nothing of it runs. */
  stop(): Promise<void>;
}

/** Something that takes jobs. */
interface Runner {
  /** Rejects when it gave up. */
  readonly promise: Promise<unknown>;
  stop(): Promise<void>;
}

export interface SupervisionOptions {
  readonly clock: Clock;
  /** Begins a runner with all its slots. */
  begin(events: WorkerEvents): Promise<Runner>;
  onProblem(error: unknown): void;
}

/**
 * graphile-worker gives a slot up for good when it cannot write down that a job is over. Here such a runner begins
 * nothing more, what runs in it goes on, and another one with all slots takes its place as soon as the database lets it.
 */
export function superviseRunner({ clock, begin, onProblem }: SupervisionOptions): SupervisedRunner {
  const ending = new Set<Promise<void>>();
  let current: Runner | undefined;
  let replacing: Promise<void> | undefined;
  let isStopped = false;
  let endPause = () => {};

  const end = (runner: Runner) => {
    const ended = runner.stop().catch(onProblem);
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
  };
  const beginOne = async () => {
    const events = new EventEmitter() as WorkerEvents;
    const runner = await begin(events);
    runner.promise.catch(onProblem);
    current = runner;
    events.on('worker:fatalError', ({ error }) => {
      onProblem(error);
      if (current !== runner || isStopped) return;
      current = undefined;
      replacing = replace(runner);
    });
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.at(clock.now() + ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  const replace = async (old: Runner) => {
    end(old);
    for (let waitMs = FIRST_WAIT_MS; !isStopped; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
      try {
        await beginOne();
        break;
      } catch (error) {
        onProblem(error);
        await pause(waitMs);
      }
    }
  };

  return {
    start: beginOne,
    async stop() {
      isStopped = true;
      endPause();
      await replacing;
      if (current) end(current);
      await Promise.all(ending);
    },
  };
}

/**
 * Begins to take jobs. The library's own `run` keeps a time table too, which nobody uses here: where the database went
 * away while that was read, a rejection that nobody can handle ended the process.
 */
export async function takeJobs(
  { shared, pool, utils }: OpenedGraphile,
  { events, concurrency, tasks, clock }: TakingOptions,
): Promise<Runner> {
  const { runTaskList } = await import('graphile-worker');
  // Where the database is away nothing is begun.
  await forgetGivenUp(utils);
  const options = { ...shared, events, concurrency, noHandleSignals: true, pollInterval: 1_000 };
  const taking = runTaskList(options, tasks, pool);
  let cancel = () => {};
  const forgetLater = () => {
    cancel = clock.at(clock.now() + FORGET_EVERY_MS, () => {
      void forgetGivenUp(utils).catch(() => {}); // An hour later again; of an outage the runner tells.
      forgetLater();
    });
  };
  forgetLater();
  return {
    promise: taking.promise,
    stop() {
      cancel();
      return taking.gracefulShutdown();
    },
  };
}

/** What was tried for the last time, or was held by a process that died in its last try, stays in the table for ever. */
const forgetGivenUp = (utils: WorkerUtils) => utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });

interface TakingOptions {
  readonly events: WorkerEvents;
  readonly concurrency: number;
  readonly tasks: TaskList;
  readonly clock: Clock;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
const FORGET_EVERY_MS = 3_600_000;
