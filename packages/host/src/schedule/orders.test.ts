import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onTheWay } from '../../../../test/any-order.js';
import { runs } from '../../../../test/runs.js';
import { refuse } from '../errors.js';
import { runOf } from '../run-of.js';
import { commandOf } from './schedule.js';
import { openSchedules } from './schedules.js';

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orders-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

it('in whatever order the steps of several servers come: each time that is due is one run, begun once on record', async () => {
  const servers = fc.array(
    fc.record({ looks: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }), refuses: fc.nat(3) }),
    { minLength: 2, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), servers, async (order, all) => {
      files += 1;
      const opened = await openStore({ file: join(folder, `${files}.db`) }, { clock: { now: () => START } });
      if (!opened.ok) throw new Error(opened.error.code);
      const store = opened.value;
      const times = { cron: '* * * * *', zone: 'UTC', missed: 'all' } as const;
      const added = await openSchedules(store, () => START).add(
        { ...times, call: { target: 'agent:desk' } },
        'ada',
      );
      if (!added.ok) throw new Error(added.error.code);
      const slow = {
        ...store,
        append: onTheWay(order, store.append),
        head: onTheWay(order, store.head),
        read: onTheWay(order, store.read),
        findCommand: onTheWay(order, store.findCommand),
      };
      const runIds = new Set<string>();
      const serve = async ({ looks, refuses }: (typeof all)[number]): Promise<void> => {
        let left = refuses;
        const begin = onTheWay(order, async ({ id }: { readonly id: string }) => {
          left -= 1;
          if (left >= 0) return refuse('unavailable', 'E_JOURNAL_UNAVAILABLE', 'Away.');
          runIds.add(id);
          return ok({ run: runOf(id), diagnostics: [] });
        });
        const schedules = openSchedules(slow, () => START);
        for (const minute of looks) await schedules.tick(begin as never, START + minute * MINUTE + 1_000);
      };
      await order.waitFor(Promise.all(all.map(serve)));
      const last = Math.max(...all.flatMap(({ looks }) => looks));
      // What was refused everywhere is begun with the next look.
      await openSchedules(store).tick(
        async ({ id }) => {
          runIds.add(id);
          return ok({ run: runOf(id), diagnostics: [] });
        },
        START + last * MINUTE + 2_000,
      );
      const wanted = Array.from({ length: last }, (_, minute) => START + (minute + 1) * MINUTE);
      const events = await store.readAll({ limit: 1_000 });
      for (const type of ['schedule.due', 'schedule.begun']) {
        const found = events
          .filter((event) => event.type === type)
          .map(({ data }) => (data as { time: number }).time);
        expect(found.sort()).toEqual(wanted);
      }
      expect([...runIds].sort()).toEqual(wanted.map((time) => commandOf(added.value.id, time)));
      await store.close();
    }),
    runs(40, 300),
  );
});
