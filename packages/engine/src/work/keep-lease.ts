import { guarded } from '@cuebook/guard';
import type { Lease } from '@cuebook/journal';
import { countLostLease } from '@cuebook/provider';
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
  /**
   * What a store means that has not answered for as long as the lease lives. `lost`: others may have the lease.
   * `wait`: the store is away, for others too; the lease is asked for again when it is back. Left out: `lost`.
   */
  readonly whenSilent?: 'lost' | 'wait';
}

/**
 * Takes a lease and renews it three times within its life; `undefined` while somebody else has it. It counts as
 * lost when the store says so, or by `whenSilent`.
 */
export async function takeLease(store: EngineStore, request: LeaseRequest): Promise<KeptLease | undefined> {
  const { scope, owner, ttlMs, clock, whenSilent = 'lost' } = request;
  const asked = ticksOf(clock);
  const lease = await store.acquireLease(scope, owner, ttlMs);
  return lease && keep(store, lease, { ttlMs, clock, whenSilent, validUntil: asked + ttlMs });
}

interface Keeping {
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly whenSilent: 'lost' | 'wait';
  /** On the clock that never leaps: one that was set back must not make a lease last. */
  validUntil: number;
}

const ticksOf = (clock: Clock): number => clock.ticks?.() ?? clock.now();

function keep(store: EngineStore, lease: Lease, keeping: Keeping): KeptLease {
  const { ttlMs, clock, whenSilent } = keeping;
  const msLeft = () => keeping.validUntil - ticksOf(clock);
  const lost = new AbortController();
  let over = false;
  let cancel = () => {};
  const lose = () => {
    over = true;
    cancel();
    countLostLease();
    guarded('lease.lost', () => lost.abort());
  };
  const schedule = () => {
    const third = ttlMs / 3;
    const wait = whenSilent === 'wait' ? third : Math.min(third, msLeft());
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
    if (msLeft() <= 0 && whenSilent === 'lost') return lose();
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
