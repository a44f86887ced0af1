import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import type { StoreFault, StoreFaultPoint } from '../../src/contract.js';
import { openForTest, type Places } from '../places.js';
import { batch, codeOf, eventsOf, must, OTHER, photograph, problemsOf, RUN } from '../write.js';

export const POINTS: readonly StoreFaultPoint[] = ['blob', 'append', 'project', 'receipt', 'commit'];
export const SIDES = ['before', 'after'] as const;

const CASES = POINTS.flatMap((point) => SIDES.map((side) => ({ point, side })));

export function faultCases(places: Places): void {
  it.each(CASES)(
    '$side $point: wholly without or wholly with the write, and the same command settles it',
    async ({ point, side }) => {
      // The writes race: only the one that is meant fails.
      const isMeant = new AsyncLocalStorage<true>();
      let isArmed = false;
      let hits = 0;
      const fault: StoreFault = {
        [side]: (at: StoreFaultPoint) => {
          if (!isArmed || at !== point || isMeant.getStore() !== true) return;
          isArmed = false;
          hits += 1;
          throw new Error('a failure on purpose, at /some/path');
        },
      };
      const store = await openForTest(await places.fresh(), { fault });
      must(await store.append(batch({ projections: [{ name: 'view', key: 'a', value: 1 }] })));
      const before = await photograph(store, [RUN]);

      const command = batch({
        expectedSeq: 1,
        events: eventsOf(2),
        blobs: [Buffer.from('content')],
        projections: [{ name: 'view', key: 'a', value: 2 }],
        answer: 'done',
      });
      isArmed = true;
      // Others write at the same time and are not harmed.
      const [failed, other] = await Promise.all([
        isMeant.run(true, () => store.append(command)),
        store.append(batch({ run: OTHER })),
      ]);
      expect(failed).toEqual({ ok: false, error: { code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed' } });
      expect(codeOf(other)).toBe('ok');
      expect(hits).toBe(1);

      const isDone = point === 'commit' && side === 'after';
      const between = await photograph(store, [RUN]);
      if (!isDone) expect(between.each).toEqual(before.each);
      expect(await store.projection('view', 'a')).toBe(isDone ? 2 : 1);
      expect(await problemsOf(store)).toEqual([]);

      const settled = must(await store.append(command));
      expect(settled).toMatchObject({ firstSeq: 2, lastSeq: 3, answer: 'done', repeated: isDone });
      expect((await store.read(RUN)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(await store.projection('view', 'a')).toBe(2);
      expect(await problemsOf(store)).toEqual([]);
    },
  );
}
