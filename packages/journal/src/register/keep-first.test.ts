import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onTheWay } from '../../../../test/any-order.js';
import { runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { keepFirst } from './keep-first.js';

it('in whatever order the steps of several come: one text of each key is kept, all read it, and nothing is kept twice', async () => {
  const writes = fc.array(fc.record({ key: fc.nat(2), text: fc.nat(9), dies: fc.boolean() }), {
    minLength: 2,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), writes, async (order, all) => {
      const store = await openForTest(await sqlitePlaces.fresh());
      const told = new Map<number, Set<string>>();
      const write = async ({ key, text, dies }: (typeof all)[number]): Promise<void> => {
        const slow = {
          head: onTheWay(order, store.head),
          findCommand: onTheWay(order, store.findCommand),
          append: onTheWay(order, async (batch: Parameters<typeof store.append>[0]) => {
            const done = await store.append(batch);
            if (dies) throw new Error('killed');
            return done;
          }),
        };
        const kept = await keepFirst(slow as never, `key ${key}`, `text ${text}`).catch(() => undefined);
        if (kept?.ok) told.set(key, (told.get(key) ?? new Set()).add(kept.value));
      };
      await order.waitFor(Promise.all(all.map(write)));
      for (const [key, texts] of told) {
        expect(texts.size).toBe(1);
        const given = all.filter((each) => each.key === key).map(({ text }) => `text ${text}`);
        expect(given).toContain([...texts][0]);
        // Whoever comes later is told the same.
        expect(await keepFirst(store, `key ${key}`, 'late')).toEqual({ ok: true, value: [...texts][0] });
      }
      const names = (await store.readAll({ limit: 100 })).map(({ data }) => (data as { key: string }).key);
      expect(new Set(names).size).toBe(names.length);
    }),
    runs(60, 500),
  );
});
