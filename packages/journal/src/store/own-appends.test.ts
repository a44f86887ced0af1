import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { sqlitePlaces } from '../../test/places.js';
import type { RunId, Store } from '../contract.js';
import { openStore, type StorePlace } from './open.js';

const RUNS = ['run_a', 'run_b'] as RunId[];
const step = fc.record({
  what: fc.constantFrom('append', 'append', 'append', 'large', 'follow', 'delete', 'remove', 'lease'),
  by: fc.nat(1),
  run: fc.nat(1),
  events: fc.integer({ min: 0, max: 3 }),
});

it('whoever writes to a run: what a process reads behind any seq is what the file has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const place = await sqlitePlaces.fresh();
      const stores = [await openPlace(place), await openPlace(place)] as const;
      const heard: string[] = [];
      const stop = new AbortController();
      const following = follow(stores[0], heard, stop.signal);
      let count = 0;
      const kept: string[] = [];
      for (const { what, by, run: which, events } of steps) {
        const store = stores[by] as Store;
        const run = RUNS[which] as RunId;
        count += 1;
        if (what === 'append' || what === 'large') {
          const expectedSeq = (await store.head(run))?.seq ?? 0;
          const text = what === 'large' ? 'x'.repeat(70_000) : `${count}`;
          const blob = Buffer.from(`blob ${count} ${'z'.repeat(50)}`);
          const appended = await store.append({
            ...{ run, command: `c${count}`, target: 't', expectedSeq, blobs: [blob] },
            events: Array.from({ length: events }, (_, at) => ({ type: 'told', data: { at, text } })),
          });
          if (appended.ok) kept.push(await store.putBlob(blob));
        }
        if (what === 'delete' && kept.length > 0) await store.deleteBlob(kept.pop() ?? '');
        if (what === 'remove' && events === 0) await store.removeRun(run);
        if (what === 'lease') await store.acquireLease('scope', `${by}`, 60_000);
        const fresh = await openPlace(place);
        for (const each of RUNS) {
          const whole = await fresh.read(each);
          for (const other of stores)
            for (const after of [0, whole.length - 2, whole.length - 1, whole.length].filter((n) => n >= 0))
              expect(await other.read(each, { after })).toEqual(whole.filter(({ seq }) => seq > after));
        }
        await fresh.close();
      }
      const all = await stores[1].read(RUNS[0] as RunId);
      const isRemoved = steps.some(({ what }) => what === 'remove');
      if (!isRemoved) {
        await until(() => heard.length >= all.length);
        expect(heard).toEqual(all.map((event) => JSON.stringify(event)));
      }
      stop.abort();
      await following;
      for (const store of stores) await store.close();
    }),
    runs(40, 400),
  );
});

async function openPlace(place: StorePlace): Promise<Store> {
  const opened = await openStore(place, { pollMs: 1 });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

/** Everything that a subscriber of the first run is told. */
async function follow(store: Store, heard: string[], signal: AbortSignal): Promise<void> {
  for await (const event of store.subscribe({ run: RUNS[0] as RunId, signal }))
    heard.push(JSON.stringify(event));
}

/** Lets the process go on until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
