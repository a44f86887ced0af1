import type { RunId } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { type Clock, systemClock } from '../timer/clock.js';
import { createHolding, type Holding, isServed, workScope } from './in-process.js';
import { takeLease } from './keep-lease.js';
import { type Job, jobKey, type WorkFactory, type WorkHost, type WorkQueue } from './queue.js';

export interface PerRunOptions {
  /** Lanes of one run at a time. */
  readonly parallel?: number;
  /** A process that has not been heard of for so long has lost the run. */
  readonly leaseMs?: number;
  readonly leaseClock?: Clock;
  /** Lets some process, here or elsewhere, go on with a run, now or at a time. It does not throw. */
  hand(run: RunId, at?: number): void;
  /** Whether this process can do the work of a run at all. */
  mayTake(run: RunId): Promise<boolean>;
}

/** Work whose runs are taken one by one: each run has one process at a time, and another run may have another. */
export interface PerRunWork {
  readonly work: WorkFactory;
  /** Takes a run and works on it until nothing is open that does not wait for somebody. False: others have it. */
  goOn(run: RunId): Promise<boolean>;
}

/** The lease that keeps one run to one process. */
export const runScope = (kind: string, run: RunId): string => `${workScope(kind)}/${run}`;

/** One process does all work of one run at a time. A queue between the processes says who looks at which run. */
export function perRunWork(options: PerRunOptions): PerRunWork {
  let queue: (WorkQueue & { goOn(run: RunId): Promise<boolean> }) | undefined;
  return {
    work: (host) => {
      queue = createQueue(host, { parallel: 256, leaseMs: 5_000, leaseClock: systemClock, ...options });
      return queue;
    },
    goOn: async (run) => (await queue?.goOn(run)) ?? false,
  };
}

function createQueue(host: WorkHost, options: Required<PerRunOptions>) {
  const { leaseMs, leaseClock: clock, parallel, hand, mayTake } = options;
  const holds = new Map<RunId, Holding>();
  const ends = new Set<Promise<unknown>>();
  let stopped = false;
  let aborting = false;
  const leave = new AbortController();
  let asked = 0;
  let cancel = () => {};

  const isDue = (job: Job): boolean => job.type === 'lane' || job.at <= host.clock.now();

  const workOn = async (run: RunId): Promise<boolean> => {
    if (stopped || holds.has(run) || !(await mayTake(run))) return false;
    asked += 1;
    const scope = runScope(host.kind, run);
    const whenSilent = isServed(host) ? 'wait' : 'lost';
    const owner = `${host.owner}#${asked}`;
    const kept = await takeLease(host.store, { scope, owner, ttlMs: leaseMs, clock, whenSilent });
    if (kept === undefined) return false;
    const holding = createHolding(host, kept, parallel);
    holds.set(run, holding);
    kept.lost.addEventListener('abort', () => holding.leave());
    try {
      for (let last = '', isTried = false; ; ) {
        const jobs = stopped || kept.lost.aborted ? [] : await host.openJobs(run);
        const due = jobs.filter(isDue);
        if (due.length === 0) break;
        const look = due.map(lookOf).join(' ');
        // What is open as it was before could not be done: it is tried again after a while, and then by who takes it.
        const isSame = look === last;
        if (isSame && isTried) break;
        if (isSame) await pause(leaseMs / 4);
        isTried = isSame;
        last = look;
        holding.take(jobs.filter((job) => job.type === 'lane' || !isDue(job)));
        await Promise.all(due.map((job) => (job.type === 'timer' ? host.fireTimer(job) : true)));
        await holding.idle();
      }
    } finally {
      holds.delete(run);
      await holding.end(aborting);
    }
    await handOn(run);
    return true;
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const end = clock.at(clock.now() + ms, resolve);
      leave.signal.addEventListener('abort', () => {
        end();
        resolve();
      });
    });
  /** What came while it was let go of, and what comes at its time. */
  const handOn = async (run: RunId): Promise<void> => {
    const jobs = await host.openJobs(run);
    if (jobs.some(isDue)) return hand(run);
    const times = jobs.flatMap((job) => (job.type === 'timer' ? [job.at] : []));
    if (times.length > 0) hand(run, Math.min(...times));
  };
  const goOn = (run: RunId): Promise<boolean> => {
    const over = host.tally.enter();
    const end = workOn(run)
      .catch((error: unknown) => {
        host.onProblem(error);
        return false;
      })
      .finally(over);
    ends.add(end);
    void end.then(() => ends.delete(end));
    return end;
  };
  /** Open work that no process does, or was told of. */
  const sweep = async () => {
    const runs = new Set((await host.openJobs()).filter(isDue).map(({ run }) => run));
    for (const run of runs) {
      const isHeld = holds.has(run) || (await host.store.findLease(runScope(host.kind, run))) !== undefined;
      if (!isHeld && !stopped) hand(run);
    }
  };
  const again = () => {
    if (stopped) return;
    cancel = clock.at(clock.now() + leaseMs, () => void sweep().catch(host.onProblem).finally(again));
  };

  return {
    async enqueue(jobs: readonly Job[]) {
      for (const run of new Set(jobs.map((job) => job.run))) {
        const mine = jobs.filter((job) => job.run === run);
        const holding = holds.get(run);
        if (holding === undefined) {
          const times = mine.map((job) => (job.type === 'timer' ? job.at : 0));
          const at = Math.min(...times);
          hand(run, at === 0 ? undefined : at);
        } else holding.take(mine);
      }
    },
    async start() {
      await sweep();
      again();
      return ok({ state: 'working' } as const);
    },
    async stop({ abort }: { readonly abort: boolean }) {
      stopped = true;
      aborting ||= abort;
      cancel();
      leave.abort();
      if (abort) for (const holding of holds.values()) holding.leave();
      await Promise.all(ends);
    },
    goOn,
  };
}

const lookOf = (job: Job): string => `${jobKey(job)} ${job.type === 'lane' ? job.effect : ''}`;
