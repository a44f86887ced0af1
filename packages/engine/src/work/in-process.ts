import { setMaxListeners } from 'node:events';
import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import { type Clock, systemClock } from '../timer/clock.js';
import { findHolder } from './holder.js';
import { type KeptLease, takeLease } from './keep-lease.js';
import { createLanePool, type LanePool } from './lane-pool.js';
import type { Job, WorkFactory, WorkHost, WorkQueue } from './queue.js';
import { createTimerPool, type TimerPool } from './timer-pool.js';

export interface InProcessOptions {
  /** Lanes at a time. */
  readonly parallel?: number;
  /** A process that has not been heard of for so long has lost the work. */
  readonly leaseMs?: number;
  /** How often the journal is looked through for work that another process wrote. */
  readonly sweepMs?: number;
  /** What to do when another process holds the work: step in when it is free, or say so and not start. */
  readonly whenHeld?: 'wait' | 'refuse';
  /** The clock of leases: they run between processes, on the time of the world, whatever the engine's clock says. */
  readonly leaseClock?: Clock;
}

/** One process does all work of a kind: no server is needed. One lease in the store keeps others out. */
export function inProcess(options: InProcessOptions = {}): WorkFactory {
  return (host) => createQueue(host, { ...DEFAULTS, ...options });
}

/** The lease that keeps the work of a kind to one process. */
export const workScope = (kind: string): string => `engine/work/${kind}`;

const DEFAULTS = {
  parallel: 8,
  leaseMs: 5_000,
  sweepMs: 1_000,
  whenHeld: 'wait',
  leaseClock: systemClock,
} as const satisfies InProcessOptions;

function createQueue(host: WorkHost, options: Required<InProcessOptions>): WorkQueue {
  const { leaseMs, leaseClock: clock, sweepMs } = options;
  const scope = workScope(host.kind);
  let stopped = false;
  let hold: Holding | undefined;
  let asked = 0;
  let cancel = () => {};

  const again = (ms: number, act: () => Promise<void>) => {
    if (!stopped) cancel = clock.at(clock.now() + ms, () => void act().catch(host.onProblem));
  };
  const tryToHold = async () => {
    asked += 1;
    const owner = `${host.owner}#${asked}`;
    const whenSilent = isServed(host) ? 'wait' : 'lost';
    const kept = await takeLease(host.store, { scope, owner, ttlMs: leaseMs, clock, whenSilent });
    if (kept === undefined) return false;
    if (stopped) {
      await kept.release();
      return false;
    }
    hold = createHolding(host, kept, options.parallel);
    kept.lost.addEventListener('abort', () => {
      hold?.leave();
      hold = undefined;
      cancel();
      again(leaseMs / 3, wait);
    });
    await sweep();
    return true;
  };
  const wait = async () => {
    let waitMs = leaseMs / 3;
    const held = await tryToHold().catch((error: unknown) => {
      host.onProblem(error);
      // The store was away for who holds the work, too: it has the time of a lease to say that it lives.
      waitMs = leaseMs;
      return false;
    });
    if (!held) again(waitMs, wait);
  };
  const sweep = async () => {
    const mine = hold;
    if (mine === undefined) return;
    try {
      mine.take(await host.openJobs());
    } catch (error) {
      host.onProblem(error);
    }
    if (hold === mine) again(sweepMs, sweep);
  };

  return {
    async enqueue(jobs) {
      hold?.take(jobs);
    },
    async start() {
      if (await tryToHold()) return ok({ state: 'working' });
      const holder = await findHolder(host.store, scope);
      if (guard('work.held', options.whenHeld === 'refuse')) return fail({ type: 'held', holder });
      again(leaseMs / 3, wait);
      return ok({ state: 'waiting', holder });
    },
    async stop({ abort }) {
      stopped = true;
      cancel();
      const mine = hold;
      hold = undefined;
      await mine?.end(abort);
    },
  };
}

/** A server may be away for a while and come back, with all that was written; a file that fails stays as it is. */
export const isServed = ({ store }: WorkHost): boolean => store.kind === 'postgres';

/** What a process does while it holds the work. */
export interface Holding {
  take(jobs: readonly Job[]): void;
  /** Drops what has not begun and tells what runs to end. */
  leave(): void;
  /** Resolves when no lane runs. */
  idle(): Promise<void>;
  end(abort: boolean): Promise<void>;
}

export function createHolding(host: WorkHost, kept: KeptLease, parallel: number): Holding {
  const leave = new AbortController();
  const signal = AbortSignal.any([kept.lost, leave.signal]);
  // Every lane that runs listens to it: that they are many is no leak.
  setMaxListeners(0, signal);
  const { scope, token, owner } = kept.lease;
  const hold = { fence: { scope, token }, owner, signal, isPatient: isServed(host), stands: kept.stands };
  const lanes: LanePool = createLanePool(host.tally, parallel, (job) => host.runLane(job, hold));
  const timers: TimerPool = createTimerPool(host);
  return {
    take(jobs) {
      for (const job of jobs) job.type === 'lane' ? lanes.add(job) : timers.add(job);
    },
    leave() {
      lanes.clear();
      timers.clear();
      leave.abort();
    },
    idle: () => lanes.idle(),
    async end(abort) {
      lanes.clear();
      timers.clear();
      if (abort) leave.abort();
      await lanes.idle();
      await kept.release();
    },
  };
}
