import { guarded } from '@cuebook/guard';
import type { Lease } from '@cuebook/journal';
import type { EngineStore } from '../loop/engine-store.js';
import type { Clock } from '../timer/clock.js';

/** A lease that is renewed until it is let go of or lost. */
export interface KeptLease {
  readonly lease: Lease;
  /** The lease is lost, or may be: nobody may work on because of it. */
  readonly lost: AbortSignal;
  /** Asks the store at once whether the lease still stands. */
  stands(): Promise<boolean>;
  /** Stops renewing and gives the lease back. */
  release(): Promise<void>;
}

export interface LeaseRequest {
  readonly scope: string;
  /** Another one for each request: a store gives the same owner the same lease again, and fences off the first. */
  readonly owner: string;
  readonly ttlMs: number;
  readonly clock: Clock;
}

/**
 * Takes a lease and renews it three times within its life; `undefined` while somebody else has it. It counts as
 * lost when the store says so, and also when the store has not answered for as long as the lease lives: then
 * others may have it.
 */
export async function takeLease(store: EngineStore, request: LeaseRequest): Promise<KeptLease | undefined> {
  const { scope, owner, ttlMs, clock } = request;
  const asked = ticksOf(clock);
  const lease = await store.acquireLease(scope, owner, ttlMs);
  return lease && keep(store, lease, { ttlMs, clock, validUntil: asked + ttlMs });
}

interface Keeping {
  readonly ttlMs: number;
  readonly clock: Clock;
  /** On the clock that never leaps: one that was set back must not make a lease last. */
  validUntil: number;
}

const ticksOf = (clock: Clock): number => clock.ticks?.() ?? clock.now();

function keep(store: EngineStore, lease: Lease, keeping: Keeping): KeptLease {
  const { ttlMs, clock } = keeping;
  const lost = new AbortController();
  let over = false;
  let cancel = () => {};
  const lose = () => {
    over = true;
    cancel();
    guarded('lease.lost', () => lost.abort());
  };
  const schedule = () => {
    const wait = Math.min(ttlMs / 3, keeping.validUntil - ticksOf(clock));
    if (!over) cancel = clock.at(clock.now() + wait, () => void renew());
  };
  const ask = async () => {
    const asked = ticksOf(clock);
    const renewed = await store.renewLease(lease, ttlMs).catch(() => undefined);
    if (over) return false;
    if (renewed === false) lose();
    if (renewed) keeping.validUntil = Math.max(keeping.validUntil, asked + ttlMs);
    return renewed === true;
  };
  const renew = async () => {
    if (ticksOf(clock) >= keeping.validUntil) return lose();
    schedule();
    await ask();
  };
  schedule();
  return {
    lease,
    lost: lost.signal,
    stands: async () => !over && ask(),
    async release() {
      if (over) return;
      over = true;
      cancel();
      await store.releaseLease(lease);
    },
  };
}
