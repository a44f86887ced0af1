import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { runs, itInTurn as test } from '../../../../test/runs.js';
import { createStand, finish, LEASE_MS, RUN, type Stand, turnOver } from '../../test/bench-stand.js';
import { allOf, type Errand, type ErrandState, errand, errandMachine } from '../../test/errands.js';
import { auditRun } from '../loop/audit.js';
import type { EngineStore } from '../loop/engine-store.js';
import { projectRun } from '../loop/run-state.js';

describe('a crash at any moment', () => {
  test('every crash point of a run of many policies is recovered, each effect done once', async () => {
    const points = await crashEverywhere(TREE);
    expect(points).toBeGreaterThan(60);
  });

  test('every crash point of any run is recovered, each effect done once', async () => {
    await fc.assert(
      fc.asyncProperty(trees(), async (errands) => {
        await crashEverywhere(errands);
      }),
      runs(8, 600),
    );
  });

  test('two crashes, the second while recovering from the first', async () => {
    await fc.assert(
      fc.asyncProperty(trees(), fc.nat(40), fc.nat(20), async (errands, first, second) => {
        const stand = createStand();
        await runAndCrash(stand, errands, first);
        await runAndCrash(stand, errands, second);
        await recoverAndCheck(stand, errands);
      }),
      runs(60, 3_000),
    );
  });
});

const TREE: readonly Errand[] = [
  errand('a', { lane: 'x', onCrash: 'ask-world', next: [errand('b', { lane: 'x', onCrash: 'ask-person' })] }),
  errand('c', { lane: 'x', onCrash: 'repeat' }),
  errand('d', { lane: 'y', onCrash: 'ask-person', next: [errand('e', { lane: 'y', afterMs: 500 })] }),
  errand('f', { lane: 'z', onCrash: 'ask-world', afterMs: 2_000, next: [errand('g', { lane: 'x' })] }),
];

/** Runs the errands once for each moment at which they can be interrupted. Answers how many there were. */
async function crashEverywhere(errands: readonly Errand[]): Promise<number> {
  for (let at = 0; ; at++) {
    const stand = createStand();
    const crashed = await runAndCrash(stand, errands, at);
    await recoverAndCheck(stand, errands);
    if (!crashed) return at;
  }
}

/** A process that is gone at its n-th moment: from then on nothing that it began comes to an end. */
async function runAndCrash(stand: Stand, errands: readonly Errand[], at: number): Promise<boolean> {
  const mortal = mortalStore(stand.store, at);
  const engine = stand.boot({ store: mortal.store, fault: mortal.moment });
  const life = (async () => {
    await engine.start();
    stand.clock.advance(LEASE_MS); // An earlier process may be dead and still have the work.
    await turnOver();
    await engine.submit(RUN, { id: 'go', type: 'errand.start', errands });
    await finish(stand, engine);
    await engine.stop();
  })();
  await Promise.race([life, mortal.death]);
  // What was on its way into the world arrives: a dead process does not call it back.
  await turnOver();
  return mortal.isDead();
}

async function recoverAndCheck(stand: Stand, errands: readonly Errand[]): Promise<void> {
  const engine = stand.boot({ keepState: true });
  await engine.start();
  stand.clock.advance(LEASE_MS * 2);
  await turnOver();
  await engine.submit(RUN, { id: 'go', type: 'errand.start', errands });
  const state = await finish(stand, engine);
  expect(doneOf(state)).toEqual(await doneWithoutCrash(errands));
  for (const { name } of allOf(errands)) expect([name, stand.world.done.get(name)]).toEqual([name, 1]);
  expect(stand.world.most.inLane).toBe(allOf(errands).length > 0 ? 1 : 0);
  expect(await auditRun(stand.store, errandMachine, RUN)).toEqual([]);
  expect(projectRun(errandMachine, await stand.store.read(RUN)).state).toEqual(state);
  await engine.stop();
}

async function doneWithoutCrash(errands: readonly Errand[]): Promise<unknown> {
  const stand = createStand();
  const engine = stand.boot();
  await engine.start();
  await engine.submit(RUN, { id: 'go', type: 'errand.start', errands });
  const state = await finish(stand, engine);
  await engine.stop();
  return doneOf(state);
}

const doneOf = ({ done, waiting }: ErrandState) => ({ done, waiting });

/** A store whose process is gone after `at` moments: before and after each write, and where the engine has points. */
function mortalStore(store: EngineStore, at: number) {
  let left = at;
  let dead = false;
  let die = () => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => {});
  const moment = async () => {
    if (dead) return never;
    left -= 1;
    if (left >= 0) return;
    dead = true;
    die();
    return never;
  };
  const guarded = <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>) => {
    return async (...args: Args) => {
      await moment();
      const value = await act(...args);
      await moment();
      return value;
    };
  };
  const whileAlive = <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>) => {
    return (...args: Args) => (dead ? never : act(...args));
  };
  return {
    death,
    moment,
    isDead: () => dead,
    store: {
      ...store,
      append: guarded(store.append),
      acquireLease: guarded(store.acquireLease),
      renewLease: whileAlive(store.renewLease),
      read: whileAlive(store.read),
      projections: whileAlive(store.projections),
    },
  };
}

function trees(): fc.Arbitrary<readonly Errand[]> {
  const { tree } = fc.letrec<{ tree: Omit<Errand, 'name'>; list: Omit<Errand, 'name'>[] }>((tie) => ({
    list: fc.array(tie('tree'), { maxLength: 2 }),
    tree: fc.record({
      lane: fc.constantFrom('x', 'y', 'z'),
      onCrash: fc.constantFrom('repeat', 'ask-world', 'ask-person'),
      afterMs: fc.constantFrom(0, 0, 700, 5_000),
      next: fc.oneof({ depthSize: 'small' }, fc.constant([]), tie('list')),
    }) as never,
  }));
  const named = (list: readonly Omit<Errand, 'name'>[], path: string): readonly Errand[] =>
    list.map((one, index) => {
      const name = `${path}${index}`;
      return { ...one, name, next: named(one.next, `${name}.`) };
    });
  return fc.array(tree, { minLength: 1, maxLength: 3 }).map((list) => named(list, ''));
}
