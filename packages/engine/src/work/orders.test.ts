import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createStand, LEASE_MS, RUN, turnOver } from '../../test/bench-stand.js';
import { type Errand, errand } from '../../test/errands.js';
import type { EngineStore } from '../loop/engine-store.js';

const ERRANDS: readonly Errand[] = [
  errand('a', { lane: 'x', onCrash: 'ask-world', next: [errand('b', { lane: 'x', onCrash: 'ask-world' })] }),
  errand('c', { lane: 'y', onCrash: 'ask-world', afterMs: 2_000 }),
  errand('d', { lane: 'z', onCrash: 'repeat' }),
];

/** How far the work has come, in steps of anybody, when a process dies without a word. */
const DEATHS = fc.array(fc.nat(80), { maxLength: 2 });

test('in whatever order the steps of several processes come, and whoever dies: at most one works, and every effect is done once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      DEATHS,
      fc.array(fc.boolean(), { maxLength: 40 }),
      async (order, deaths, ticks) => {
        const stand = createStand();
        const dead = new Set<number>();
        const never = new Promise<never>(() => {});
        const process = (index: number) => {
          const store = Object.fromEntries(
            Object.entries(stand.store).map(([name, act]) => [
              name,
              typeof act !== 'function'
                ? act
                : async (...args: unknown[]) => {
                    await order.schedule(Promise.resolve());
                    if (dead.has(index)) return never;
                    const answer = await (act as (...all: unknown[]) => Promise<unknown>)(...args);
                    await order.schedule(Promise.resolve());
                    return dead.has(index) ? never : answer;
                  },
            ]),
          ) as unknown as EngineStore;
          return stand.boot({ store });
        };
        const count = deaths.length + 2;
        const engines = Array.from({ length: count }, (_, index) => process(index));
        const plain = stand.boot();
        await plain.submit(RUN, { id: 'go', type: 'errand.start', errands: ERRANDS });
        for (const engine of engines) void engine.start();
        const isDone = async () => Object.keys((await plain.read(RUN)).state.done).length === 4;
        for (let step = 0; !(await isDone()); step += 1) {
          expect(step).toBeLessThan(4_000);
          deaths.forEach((at, index) => {
            if (at === step) dead.add(index);
          });
          if (order.count() > 0) await order.waitOne();
          await turnOver();
          // Time passes while steps are on their way, too: a process may be slower than its lease.
          if (order.count() === 0 || ticks[step] === true) stand.clock.advance(LEASE_MS / 3);
        }
        for (const name of ['a', 'b', 'c', 'd']) expect(stand.world.done.get(name)).toBe(1);
        expect(stand.world.most.inLane).toBe(1);
        const types = (await stand.store.read(RUN)).map(({ type }) => type);
        expect(types.filter((type) => type === 'effect.settled').length).toBe(4);
        expect(types.filter((type) => type === 'timer.fired').length).toBe(1);
        expect(types).not.toContain('effect.asked');
        for (let index = 0; index < count; index += 1) dead.add(index);
      },
    ),
    runs(60, 500),
  );
});
