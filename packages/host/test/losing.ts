import type { Lease, Store } from '@cuebook/journal';

/** A process whose leases can be taken from it, as from one that stood still for longer than they live. */
export interface Losing {
  readonly store: Store;
  /** Its leases are over; until `mayTake` it gets none. */
  lose(): Promise<void>;
  mayTake(): void;
}

export function losing(store: Store): Losing {
  const leases = new Map<string, Lease>();
  let isBarred = false;
  return {
    store: new Proxy(store, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'acquireLease') return value.bind(target) as unknown;
        return async (...args: Parameters<Store['acquireLease']>) => {
          const lease = isBarred ? undefined : await target.acquireLease(...args);
          if (lease !== undefined) leases.set(lease.scope, lease);
          return lease;
        };
      },
    }),
    async lose() {
      isBarred = true;
      for (const lease of leases.values()) await store.releaseLease(lease);
    },
    mayTake() {
      isBarred = false;
    },
  };
}
