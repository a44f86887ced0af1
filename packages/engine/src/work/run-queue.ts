import type { RunId } from '@cuebook/journal';
import { type Clock, systemClock } from '../timer/clock.js';
import { type OpenedGraphile, openGraphile } from './graphile.js';
import { type SupervisedRunner, superviseRunner, takeJobs } from './runner.js';

/** A run that somebody is to look at. The log is the truth: a look too many finds nothing to do. */
export interface RunTask {
  /** The kind of run. */
  readonly kind: string;
  readonly run: RunId;
  /** Only workers with this label take it; left out: any. */
  readonly label?: string | undefined;
  /** Not before; left out: now. */
  readonly at?: number | undefined;
}

/** Runs that wait for a worker, between all machines of a project. */
export interface RunQueue {
  /** The same run again is looked at once more; while a worker is at it, once more after that. */
  add(task: RunTask): Promise<void>;
  /** Takes runs of these kinds, so many at a time. `take` ends when the run stands still; it does not throw. */
  start(options: RunQueueWork): Promise<void>;
  /** Takes nothing more; ends when nothing is under way. */
  stop(): Promise<void>;
  /** What is due and has no worker, by kind and label. */
  depth(): Promise<readonly QueuedTasks[]>;
  /** Gives back what it is made of, after `stop`. */
  close(): Promise<void>;
}

/** Runs of one kind and label that are due and that no worker has taken. */
export interface QueuedTasks extends Pick<RunTask, 'kind' | 'label'> {
  readonly count: number;
  /** How long the one that came first has waited, in milliseconds. */
  readonly oldestMs: number;
}

export interface RunQueueWork {
  readonly kinds: readonly string[];
  readonly labels: readonly string[];
  readonly parallel: number;
  take(task: Pick<RunTask, 'kind' | 'run'>): Promise<void>;
}

export interface RunQueueOptions {
  readonly connectionString: string;
  /** The schema that the queue makes for itself and keeps up to date. */
  readonly schema: string;
  readonly clock?: Clock;
  readonly onProblem: (error: unknown) => void;
}

/**
 * The queue of runs on graphile-worker: it wakes a free worker within milliseconds, tries again and keeps times. Who may
 * work on a run is said by a lease in the journal, and not by the queue.
 */
export function postgresRuns(options: RunQueueOptions): RunQueue {
  const { connectionString, schema, clock = systemClock, onProblem } = options;
  let opened: Promise<OpenedGraphile> | undefined;
  let runner: SupervisedRunner | undefined;
  const open = (parallel: number) => {
    opened ??= openGraphile({ connectionString, schema, parallel }, onProblem);
    opened.catch(() => {
      opened = undefined; // The next caller tries again.
    });
    return opened;
  };

  return {
    async add({ kind, run, label, at }) {
      const { utils } = await open(CONNECTIONS);
      const when = at === undefined ? {} : { runAt: new Date(at) };
      const spec = { jobKey: `run ${run}`, maxAttempts: MAX_ATTEMPTS, ...when };
      await utils.addJob(nameOf(kind, label), { kind, run }, spec);
    },
    async start({ kinds, labels, parallel, take }) {
      const opened = await open(Math.max(CONNECTIONS, parallel));
      const task = async (payload: unknown) => take(payload as RunTask);
      const names = kinds.flatMap((kind) => [undefined, ...labels].map((label) => nameOf(kind, label)));
      const tasks = Object.fromEntries(names.map((name) => [name, task]));
      runner = superviseRunner({
        clock,
        onProblem,
        begin: (events) => takeJobs(opened, { events, concurrency: parallel, tasks, clock }),
      });
      await runner.start();
    },
    async stop() {
      await runner?.stop();
      runner = undefined;
    },
    async depth() {
      const { pool } = await open(CONNECTIONS);
      const { rows } = await pool.query<{ name: string; count: number; ms: number }>(
        `SELECT task_identifier AS name, count(*)::int AS count,
          (extract(epoch FROM now() - min(run_at)) * 1000)::float8 AS ms
          FROM "${schema}".jobs WHERE locked_at IS NULL AND run_at <= now() AND attempts < max_attempts
          GROUP BY task_identifier ORDER BY task_identifier`,
      );
      return rows.flatMap(({ name, count, ms }) => {
        const [, kind, label] = TASK.exec(name) ?? [];
        return kind === undefined ? [] : [{ kind, label, count, oldestMs: Math.max(0, ms) }];
      });
    },
    async close() {
      const { utils, pool } = (await opened?.catch(() => undefined)) ?? {};
      await utils?.release();
      await pool?.end();
    },
  };
}

const nameOf = (kind: string, label: string | undefined): string =>
  label === undefined ? `run.${kind}` : `run.${kind}@${label}`;

const TASK = /^run\.([^@]+)(?:@(.+))?$/;

/** For those who only hand runs in. */
const CONNECTIONS = 2;
/** graphile-worker waits longer after each; what it gives up the sweep finds. */
const MAX_ATTEMPTS = 8;
