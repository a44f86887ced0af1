import type { KubeClient } from '../client/client.js';
import { type KitClock, pause, within } from '../clock.js';
import type { KubeObject } from '../object.js';
import type { Resource } from '../resource.js';

export const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export interface ElectOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The name of the lease: all who stand for one office use the same. */
  readonly name: string;
  /** Who stands. Two processes never share one. */
  readonly identity: string;
  readonly clock: KitClock;
  readonly random?: () => number;
  /** Ends it: the lease is given back, so that the next one need not wait. */
  readonly signal: AbortSignal;
  /** Told who leads, whenever that changes. */
  readonly onLeader?: (identity: string) => void;
  readonly times?: Partial<ElectionTimes>;
}

export interface ElectionTimes {
  /** How long a holder is believed after it last renewed. */
  readonly leaseMs: number;
  /** A leader that could not renew for so long stops to lead: shorter than the lease, so that two never do at once. */
  readonly renewWithinMs: number;
  readonly everyMs: number;
}

const TIMES: ElectionTimes = { leaseMs: 15_000, renewWithinMs: 10_000, everyMs: 2_000 };

/**
 * Leads while it holds the lease: `lead` is called with a signal that ends when the lease is lost or all is called off,
 * and the lease is given back once it has returned. Then it stands again, until it is called off.
 */
export async function elect(
  options: ElectOptions,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { clock, signal, random = Math.random } = options;
  const times = { ...TIMES, ...options.times };
  const seen = createSight(options, times);
  while (!signal.aborted) {
    if (await seen.tryToHold()) await holdOffice(options, times, seen, lead);
    else await pause(clock, times.everyMs * (1 + 0.2 * random()), signal);
  }
}

async function holdOffice(
  { clock, signal }: ElectOptions,
  times: ElectionTimes,
  seen: Sight,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const office = new AbortController();
  const leave = (): void => office.abort();
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const work = lead(office.signal).finally(leave);
  let renewed = clock.now();
  let attempt: Promise<boolean> | undefined;
  while (!office.signal.aborted) {
    await pause(clock, times.everyMs, office.signal);
    if (office.signal.aborted) break;
    const asked = clock.now();
    const leftMs = Math.max(0, renewed + times.renewWithinMs - asked);
    attempt = seen.tryToHold();
    const answer = await within(clock, leftMs, attempt, false);
    if (answer) renewed = asked;
    // Somebody else's word ends it at once; silence does after a while.
    else if (seen.isHeldByOther() || clock.now() - renewed >= times.renewWithinMs) leave();
  }
  signal.removeEventListener('abort', leave);
  await work;
  // One that is late would take the lease again, behind what gives it back.
  await attempt;
  await seen.giveBack();
}

interface Sight {
  /** Takes or renews the lease, if nobody else holds it. */
  tryToHold(): Promise<boolean>;
  isHeldByOther(): boolean;
  giveBack(): Promise<void>;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** The lease as it was last seen, and since when by this process's own clock: clocks of others are not trusted. */
function createSight(options: ElectOptions, times: ElectionTimes): Sight {
  const { client, namespace, name, identity, clock, onLeader } = options;
  let told: string | undefined;
  let last: { readonly spec: LeaseSpec; readonly since: number } | undefined;

  const look = (lease: KubeObject): LeaseSpec => {
    const spec = (lease.spec ?? {}) as LeaseSpec;
    if (last === undefined || JSON.stringify(last.spec) !== JSON.stringify(spec))
      last = { spec, since: clock.now() };
    const { holderIdentity = '' } = spec;
    if (holderIdentity !== '' && holderIdentity !== told) onLeader?.(holderIdentity);
    told = holderIdentity === '' ? told : holderIdentity;
    return spec;
  };
  const specFor = (before: LeaseSpec): LeaseSpec => {
    const now = clock.date().toISOString().replace('Z', '000Z');
    const isMine = before.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.ceil(times.leaseMs / 1000)),
      acquireTime: isMine && before.acquireTime !== undefined ? before.acquireTime : now,
      renewTime: now,
      leaseTransitions: (before.leaseTransitions ?? 0) + (isMine ? 0 : 1),
    };
  };
  const isHeldByOther = (): boolean => {
    const { holderIdentity = '', leaseDurationSeconds } = last?.spec ?? {};
    if (last === undefined || holderIdentity === '' || holderIdentity === identity) return false;
    const heldMs = Math.max(times.leaseMs, (leaseDurationSeconds ?? 0) * 1000);
    return clock.now() - last.since < heldMs;
  };
  return {
    async tryToHold() {
      const found = await client.get(LEASES, { namespace, name });
      if (!found.ok && found.error.status !== 404) return false;
      if (!found.ok) {
        const lease: KubeObject = {
          ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
          metadata: { namespace, name },
          spec: specFor({}),
        };
        const made = await client.create(LEASES, lease);
        if (made.ok) look(made.value);
        return made.ok;
      }
      const spec = look(found.value);
      if (isHeldByOther()) return false;
      // With the version that was read: of two that try at once the server takes one.
      const written = await client.replace(LEASES, { ...found.value, spec: specFor(spec) });
      if (written.ok) look(written.value);
      return written.ok;
    },
    isHeldByOther,
    async giveBack() {
      const found = await client.get(LEASES, { namespace, name });
      if (!found.ok || (found.value.spec as LeaseSpec | undefined)?.holderIdentity !== identity) return;
      const spec = { ...(found.value.spec as LeaseSpec), holderIdentity: '', leaseDurationSeconds: 1 };
      await client.replace(LEASES, { ...found.value, spec });
    },
  };
}
