import { createHash } from 'node:crypto';
import { ok } from '@cuebook/prompt';
import type { TaskList } from 'graphile-worker';
import { laneScope } from '../loop/names.js';
import type { Clock } from '../timer/clock.js';
import { clockOf } from '../timer/shared-time.js';
import { atMost } from './at-most.js';
import { type OpenedGraphile, openGraphile } from './graphile.js';
import { takeLease } from './keep-lease.js';
import { type Job, jobKey, type LaneJob, type TimerJob, type WorkFactory, type WorkHost } from './queue.js';
import { type SupervisedRunner, superviseRunner, takeJobs } from './runner.js';
import { createSweeper } from './sweeper.js';
import { waitOf } from './timer-wait.js';

export interface PostgresWorkOptions {
  /** The database of the queue; the one of the journal will do. */
  readonly connectionString: string;
  /** The schema that the queue makes for itself and keeps up to date. */
  readonly schema?: string;
  /** Lanes at a time in this process. */
  readonly parallel?: number;
  /** Within so many milliseconds of the death of a process another one has taken over its lanes. */
  readonly leaseMs?: number;
  /** The clock of leases: they run between processes, on the time of the database. */
  readonly leaseClock?: Clock;
}

/**
 * Work shared between machines. graphile-worker queues, wakes, retries and keeps the schedule of timers; a lease
 * in the journal says who alone may work on a lane, and its token fences off whoever lost it.
 */
export function postgresWork(options: PostgresWorkOptions): WorkFactory {
  return (host) => createQueue(host, { leaseClock: clockOf(host.store), ...DEFAULTS, ...options });
}

const DEFAULTS = { schema: 'cuebook_work', parallel: 8, leaseMs: 5_000 } as const;

function createQueue(host: WorkHost, options: Required<PostgresWorkOptions>): ReturnType<WorkFactory> {
  const { parallel, leaseMs, leaseClock: clock } = options;
  const leave = new AbortController();
  const ttlMs = leaseMs / 2;
  let opened: Promise<OpenedGraphile> | undefined;
  const runners: SupervisedRunner[] = [];
  let taken = 0;
  /** After the store was away nobody takes a lane over: whoever has it needs a moment to say so. */
  let quietUntil = Number.NEGATIVE_INFINITY;
  const isQuiet = () => clock.now() < quietUntil;

  const open = () => {
    opened ??= openGraphile(options, host.onProblem);
    opened.catch(() => {
      opened = undefined; // The next caller tries again.
    });
    return opened;
  };
  const add = async (jobs: readonly Job[], { mode = 'replace', runAt }: AddOptions = {}) => {
    const { addJob } = (await open()).utils;
    const add = (job: Job) => {
      const at = runAt ?? (job.type === 'timer' ? job.at : undefined);
      const spec = { jobKey: keyOf(host.kind, job), jobKeyMode: mode, maxAttempts: MAX_ATTEMPTS };
      return addJob(
        `${host.kind}.${taskOf(job)}`,
        job,
        at === undefined ? spec : { ...spec, runAt: new Date(at) },
      );
    };
    await Promise.all(jobs.map(add));
  };
  const sweeper = createSweeper(host, {
    clock,
    everyMs: leaseMs / 8,
    add: (jobs) => add(jobs, { mode: 'preserve_run_at' }),
    isQuiet,
    onAway: () => {
      quietUntil = clock.now() + ttlMs;
    },
  });

  /** The journal says who works on a lane. Who is turned away is not needed: the holder looks again when it lets go. */
  const lane = async (job: LaneJob) => {
    if (leave.signal.aborted) throw new Error('this process is on its way out');
    if (isQuiet()) return add([job], { runAt: quietUntil });
    taken += 1;
    const owner = `${host.owner}#${taken}`;
    const kept = await takeLease(host.store, {
      ...{ scope: laneScope(job.run, job.lane), owner, ttlMs, clock },
      whenSilent: 'wait',
    });
    if (kept === undefined) return;
    const { scope, token } = kept.lease;
    const signal = AbortSignal.any([kept.lost, leave.signal]);
    const end = await host
      .runLane(job, { fence: { scope, token }, owner, signal, isPatient: true, stands: kept.stands })
      .finally(() => kept.release().catch(host.onProblem));
    if (signal.aborted) return; // Whoever has the lane now, or sweeps, goes on.
    if (end === 'left') return add([job], { runAt: clock.now() + ttlMs });
    const next = await host.nextOfLane(job);
    if (next) await add([next]);
  };
  const timer = async (job: TimerJob & { readonly hasWaited?: boolean }) => {
    const early = job.hasWaited ? 0 : await waitOf(host, job);
    if (early > 0) return add([{ ...job, hasWaited: true } as TimerJob], { runAt: clock.now() + early });
    if (!(await host.fireTimer(job))) throw new Error('the timer was not fired');
  };
  /** A runner that was replaced may still have work: together they have as many places as one. */
  const counted = (limit: number) => {
    const within = atMost(limit);
    return <Payload extends Job>(task: (job: Payload) => Promise<void>) =>
      async (payload: unknown) => {
        const over = host.tally.enter();
        await within(() => task(payload as Payload)).finally(over);
      };
  };

  return {
    enqueue: (jobs) => add(jobs),
    async start() {
      const opened = await open();
      const begin = async (concurrency: number, tasks: TaskList) => {
        const runner = superviseRunner({
          clock,
          onProblem: host.onProblem,
          begin: (events) => takeJobs(opened, { events, concurrency, tasks, clock }),
        });
        await runner.start();
        runners.push(runner);
      };
      const name = (task: ReturnType<typeof taskOf>) => `${host.kind}.${task}`;
      const whole = counted(parallel);
      await begin(parallel, { [name('lane')]: whole(lane), [name('timer')]: whole(timer) });
      await begin(parallel * PARTS, { [name('part')]: counted(parallel * PARTS)(lane) });
      sweeper.start();
      return ok({ state: 'working' });
    },
    async stop({ abort }) {
      if (abort) leave.abort();
      await sweeper.stop();
      await Promise.all(runners.map((runner) => runner.stop()));
      const { utils, pool } = (await opened?.catch(() => undefined)) ?? {};
      await utils?.release();
      await pool?.end();
    },
  };
}

/**
 * A lane below another (`a/b` below `a`) has places of its own: the one above may be waiting for it, and if both had
 * to wait for the same places, both could for ever.
 */
const taskOf = (job: Job): 'lane' | 'part' | 'timer' =>
  job.type === 'lane' && job.lane.includes('/') ? 'part' : job.type;

/** Parts of one lane that may run at a time without waiting for others. */
const PARTS = 8;

interface AddOptions {
  /** What becomes of a job that waits under the same key: it runs when this one does, or when it would have. */
  readonly mode?: 'replace' | 'preserve_run_at';
  readonly runAt?: number;
}

const keyOf = (kind: string, job: Job) =>
  createHash('sha256')
    .update(`${kind} ${job.type} ${jobKey(job)}`)
    .digest('hex');

/** graphile-worker waits longer after each; what it gives up the sweep finds. */
const MAX_ATTEMPTS = 8;
