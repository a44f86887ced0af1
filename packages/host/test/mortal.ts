import type { EngineFault, EnginePoint } from '@cuebook/engine';
import type { Lease, Store } from '@cuebook/journal';

/** A process that dies at a moment of the engine: from then on it writes nothing, reads nothing and holds nothing. */
export interface Mortal {
  readonly store: Store;
  readonly fault: EngineFault;
  /** Resolves when it is dead. */
  readonly dead: Promise<void>;
}

/** Dies when it comes to a point for the `hit`-th time. What it was doing then is never heard of again. */
export function mortal(store: Store, at: { readonly point: EnginePoint; readonly hit: number }): Mortal {
  let isDead = false;
  let hits = 0;
  const leases = new Map<string, Lease>();
  let tell = (): void => undefined;
  const dead = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const never = (): Promise<never> => new Promise(() => undefined);
  const dying = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        if (isDead) return name === 'subscribe' ? silence() : never();
        const answer = (value as (...all: readonly unknown[]) => unknown).apply(target, [...args]);
        if (name !== 'acquireLease') return answer;
        return (answer as Promise<Lease | undefined>).then((lease) => {
          if (lease !== undefined) leases.set(lease.scope, lease);
          return lease;
        });
      };
    },
  });
  return {
    store: dying,
    dead,
    async fault(point) {
      if (isDead) return never();
      if (point !== at.point) return;
      hits += 1;
      if (hits !== at.hit) return;
      isDead = true;
      // The lease of a process that has ended is over.
      for (const lease of leases.values()) await store.releaseLease(lease);
      tell();
      await never();
    },
  };
}

async function* silence(): AsyncIterable<never> {
  await new Promise(() => undefined);
  yield* [];
}
