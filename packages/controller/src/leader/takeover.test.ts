import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handClock } from '../../test/hand-clock.js';
import type { KubeClient } from '../client/client.js';
import type { KubeObject } from '../object.js';
import { elect } from './elect.js';

const TIMES = { leaseMs: 15_000, renewWithinMs: 10_000, everyMs: 2_000 };
const away = { ok: false, error: { status: 0, reason: 'Unreachable', message: 'away' } } as const;
const flush = async (): Promise<void> => {
  for (let n = 0; n < 6; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** One lease, and clients of it that can be cut off. */
function leaseOf() {
  let lease: KubeObject | undefined;
  let version = 0;
  const store = (object: KubeObject): KubeObject => {
    version += 1;
    lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    return lease;
  };
  const clientFor = (isCut: () => boolean) =>
    ({
      get: async () => {
        if (isCut()) return away;
        return lease === undefined
          ? { ok: false, error: { status: 404, reason: 'NotFound', message: '' } }
          : { ok: true, value: lease };
      },
      create: async (_: unknown, object: KubeObject) => {
        if (isCut()) return away;
        return lease === undefined
          ? { ok: true, value: store(object) }
          : { ok: false, error: { status: 409, reason: 'AlreadyExists', message: '' } };
      },
      replace: async (_: unknown, object: KubeObject) => {
        if (isCut()) return away;
        return object.metadata.resourceVersion === lease?.metadata.resourceVersion
          ? { ok: true, value: store(object) }
          : { ok: false, error: { status: 409, reason: 'Conflict', message: '' } };
      },
    }) as unknown as KubeClient;
  return clientFor;
}

it('passes on within the lease and one try, and never before the one before has stopped, whenever the leader is cut off', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(30_000), fc.boolean(), async (cutAt, isKilled) => {
      const clock = handClock();
      const clientFor = leaseOf();
      const cut = new Set<string>();
      const ends = { one: new AbortController(), two: new AbortController() };
      const spans: { readonly who: string; readonly from: number; to: number }[] = [];
      const stand = (identity: 'one' | 'two') =>
        elect(
          {
            ...{ client: clientFor(() => cut.has(identity)), namespace: 'n', name: 'l', identity, clock },
            ...{ signal: ends[identity].signal, times: TIMES, random: () => 0.5 },
          },
          async (signal) => {
            const span = { who: identity, from: clock.now(), to: Number.POSITIVE_INFINITY };
            spans.push(span);
            await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
            // One that was killed stops at the moment of the kill.
            span.to = Math.min(span.to, clock.now());
          },
        );
      const all = [stand('one')];
      await flush();
      all.push(stand('two'));
      await flush();
      const step = async (ms: number): Promise<void> => {
        for (let left = ms; left > 0; left -= 500) {
          clock.forward(Math.min(500, left));
          await flush();
        }
      };
      await step(cutAt);
      cut.add('one');
      const at = clock.now();
      const [first] = spans;
      if (isKilled && first !== undefined) first.to = at;
      await step(20_000);
      expect(spans.map(({ who }) => who)).toEqual(['one', 'two']);
      const [old, next] = spans;
      expect(next?.from).toBeGreaterThanOrEqual(old?.to ?? 0);
      expect((next?.from ?? 0) - at).toBeLessThanOrEqual(TIMES.leaseMs + TIMES.everyMs * 1.2 + 500);
      for (const end of Object.values(ends)) end.abort();
      await step(1_000);
      await Promise.all(all);
    }),
    { numRuns: 12 },
  );
});
