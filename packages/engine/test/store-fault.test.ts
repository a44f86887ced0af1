import type { RunId, StoreFault } from '@cuebook/journal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { auditRun } from '../src/loop/audit.js';
import { createEngine } from '../src/loop/engine.js';
import { inProcess } from '../src/work/in-process.js';
import { allOf, type Errand, errand, errandMachine } from './errands.js';
import { sqliteFolder } from './sqlite.js';
import { createWorld } from './world.js';

const ERRANDS: readonly Errand[] = (['repeat', 'ask-world', 'ask-person'] as const).map((onCrash) =>
  errand(`${onCrash} 1`, {
    lane: onCrash,
    onCrash,
    next: [errand(`${onCrash} 2`, { lane: 'last', onCrash })],
  }),
);

test('a store that fails now and then, before or after it is done, loses nothing and doubles nothing', async () => {
  const folder = sqliteFolder();
  let faults: Iterator<boolean> = [][Symbol.iterator]();
  const strike = () => {
    if (faults.next().value === true) throw new Error('out of order');
  };
  const fault: StoreFault = { before: strike, after: strike };
  const store = await folder.open({ fault });
  let count = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 120 }), async (rolls) => {
        count += 1;
        faults = rolls.map((roll) => roll === 0)[Symbol.iterator]();
        const run = `run_${count}` as RunId;
        const world = createWorld();
        const engine = createEngine({
          store,
          machine: errandMachine,
          drivers: { errand: world.driver },
          keepState: true,
          work: inProcess({ sweepMs: 5 }),
          onProblem: () => undefined,
        });
        await engine.start();
        const go = { id: 'go', type: 'errand.start', errands: ERRANDS } as const;
        while (!(await engine.submit(run, go)).ok);
        const end = new AbortController();
        let settled = 0;
        for await (const { type } of store.subscribe({ run, signal: end.signal })) {
          if (type === 'effect.settled') settled += 1;
          if (settled === allOf(ERRANDS).length) break;
        }
        end.abort();
        await engine.stop();
        expect([...world.done].sort()).toEqual(
          allOf(ERRANDS)
            .map(({ name }) => [name, 1])
            .sort(),
        );
        expect(await auditRun(store, errandMachine, run)).toEqual([]);
      }),
      runs(25, 1_000),
    );
  } finally {
    await folder.remove();
  }
});
