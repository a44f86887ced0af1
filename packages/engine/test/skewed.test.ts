import type { RunId } from '@cuebook/journal';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { describePart } from '../../../test/part.js';
import { sampled, share, itInTurn as test } from '../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../test/shared-postgres.js';
import { SKEWS } from '../../../test/skewed-clock.js';
import { auditRun } from '../src/loop/audit.js';
import { createEngine } from '../src/loop/engine.js';
import { postgresWork } from '../src/work/postgres.js';
import { type Child, startChild } from './child/run.js';
import { openWorld, WORLD_TABLES } from './child/world.js';
import { allOf, type Errand, errand, errandMachine } from './errands.js';
import { requireStore } from './sqlite.js';

const LEASE_MS = 6_000;
const FAR = 'years ahead';

/** Lanes of effects that nobody can ask about, with a timer between them. */
const errandsOf = (run: string): readonly Errand[] =>
  [1, 2, 3].map((lane) => {
    const name = (step: number) => `${run}, lane ${lane}, step ${step}`;
    const common = { lane: `lane ${lane}`, onCrash: 'ask-world' as const };
    return errand(name(1), {
      ...common,
      next: [errand(name(2), { ...common, afterMs: 700 }), errand(name(3), common)],
    });
  });

describePart('postgres', 'workers whose clocks differ', () => {
  let server: Databases;
  let child: ChildProgram;
  beforeAll(async () => {
    [server, child] = await Promise.all([
      sharedPostgres(),
      buildProgram(new URL('./child/program.ts', import.meta.url)),
    ]);
  });
  afterAll(() => child.remove());

  test('hours, a rate, leaps: all is done once, at the time of the database, also what a dead one held', async () => {
    for (let round = 0; round < share(1, 10); round += 1) {
      const databaseUrl = await server.createDatabase();
      await withClient(databaseUrl, (client) => client.query(WORLD_TABLES));
      const timeThere = () =>
        withClient(databaseUrl, async (client) =>
          Number(
            (await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')).rows[0].ms,
          ),
        );
      const place = { databaseUrl };
      const store = await requireStore(place);
      const world = openWorld(place);
      const names = [
        FAR,
        ...sampled(
          Object.keys(SKEWS).filter((name) => name !== FAR),
          3,
        ),
      ];
      const workers: Child[] = names.map((owner) =>
        startChild(child.program, {
          ...{ place, world: place, owner, mode: 'shared', leaseMs: LEASE_MS, errands: [] },
          ...{ skew: SKEWS[owner] },
        } as never),
      );
      const engine = createEngine({
        ...{ store, machine: errandMachine, drivers: {}, keepState: true },
        work: postgresWork({ connectionString: databaseUrl }),
      });
      const runIds = Array.from({ length: share(3, 6) }, (_, n) => `run_${n}` as RunId);
      const all = runIds.flatMap((run) => allOf(errandsOf(run)));
      try {
        await Promise.all(workers.map(({ started }) => started));
        const began = await timeThere();
        for (const run of runIds)
          await engine.submit(run, { id: 'go', type: 'errand.start', errands: errandsOf(run) });
        // One whose leases lie in the future of everybody is gone without a word.
        const dead = workers[names.indexOf(FAR)] as Child;
        let settled = 0;
        const stop = new AbortController();
        for await (const { type } of store.subscribe({ signal: stop.signal })) {
          if (type === 'effect.settled') settled += 1;
          if (settled === 3) dead.process.kill('SIGKILL');
          if (settled === all.length) break;
        }
        stop.abort();
        const over = await timeThere();
        const counts = await world.read();
        expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
        expect(counts.size).toBe(all.length);
        for (const run of runIds) {
          expect(await auditRun(store, errandMachine, run)).toEqual([]);
          const events = await store.read(run);
          const times = events.map(({ at }) => at);
          expect(Math.min(...times)).toBeGreaterThan(began - 2_000);
          expect(Math.max(...times)).toBeLessThan(over + 2_000);
          expect(events.filter(({ type }) => type === 'effect.asked')).toEqual([]);
        }
      } finally {
        for (const { process } of workers) process.kill('SIGKILL');
        await engine.stop();
        await world.close();
        await store.close();
      }
    }
  });
});
