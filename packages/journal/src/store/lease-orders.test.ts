import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onTheWay } from '../../../../test/any-order.js';
import { runs } from '../../../../test/runs.js';
import { scratchFolder } from '../../test/places.js';
import type { Lease } from '../contract.js';
import { migrate } from '../schema/migrate.js';
import { openSqlite, SQLITE_TABLES } from '../sqlite/driver.js';
import { createLeases } from './lease.js';

const LENGTH = 1_000;

/** What an actor does next. Who dies says nothing more, and gives nothing back. */
const STEPS = fc.array(fc.constantFrom('acquire', 'acquire', 'renew', 'renew', 'release', 'die'), {
  minLength: 1,
  maxLength: 8,
});

it('in whatever order the steps of several come, and however long they take: at most one holds it, and tokens only grow', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(STEPS, { minLength: 2, maxLength: 4 }),
      fc.array(fc.nat(700), { maxLength: 12 }),
      async (order, programs, passes) => {
        let at = 1_700_000_000_000;
        const now = () => at;
        const driver = await openSqlite(join(scratchFolder(), 'leases.db'), {
          now,
          pollMs: 100,
          busyMs: 1_000,
        });
        const migrated = await migrate(driver, SQLITE_TABLES);
        expect(migrated.ok).toBe(true);
        const slow = {
          ...driver,
          rows: onTheWay(order, driver.rows),
          change: onTheWay(order, driver.change),
        };
        /** Until when each actor counts on the lease: from when it asked. */
        const until = new Map<number, number>();
        const tokens: number[] = [];
        let most = 0;
        const hold = (actor: number, end: number): void => {
          until.set(actor, Math.max(end, until.get(actor) ?? 0));
          most = Math.max(most, [...until.values()].filter((each) => each > at).length);
        };
        const live = async (actor: number, steps: readonly string[]): Promise<void> => {
          const leases = createLeases(slow, now);
          let lease: Lease | undefined;
          for (const step of steps) {
            const asked = at;
            if (step === 'die') return;
            if (step === 'acquire' && lease === undefined) {
              lease = await leases.acquire('work', `actor ${actor} ${asked}`, LENGTH);
              if (lease === undefined) continue;
              tokens.push(lease.token);
              hold(actor, asked + LENGTH);
            } else if (step === 'renew' && lease !== undefined) {
              if (await leases.renew(lease, LENGTH)) hold(actor, asked + LENGTH);
              else {
                until.delete(actor);
                lease = undefined;
              }
            } else if (step === 'release' && lease !== undefined) {
              until.delete(actor);
              await leases.release(lease);
              lease = undefined;
            }
          }
        };
        const pass = async (): Promise<void> => {
          for (const ms of passes) {
            await order.schedule(Promise.resolve());
            at += ms;
          }
        };
        await order.waitFor(Promise.all([pass(), ...programs.map((steps, actor) => live(actor, steps))]));
        expect(most).toBeLessThanOrEqual(1);
        expect(new Set(tokens).size).toBe(tokens.length);
        // Whatever became of all: nobody holds it for ever.
        at += LENGTH;
        expect(await createLeases(driver, now).acquire('work', 'the next', LENGTH)).toMatchObject({
          token: Math.max(0, ...tokens) + 1,
        });
        await driver.close();
      },
    ),
    runs(60, 500),
  );
});
