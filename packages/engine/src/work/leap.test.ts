import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createStand, LEASE_MS, RUN, type Stand, turnOver } from '../../test/bench-stand.js';
import { type Errand, type ErrandCommand, type ErrandState, errand, errandOf } from '../../test/errands.js';
import { type LeapingClock, leapingClock } from '../../test/leaping-clock.js';
import { type SqliteFolder, sqliteFolder } from '../../test/sqlite.js';
import type { Engine } from '../loop/engine.js';
import type { EngineStore } from '../loop/engine-store.js';

let folder: SqliteFolder | undefined;
afterEach(() => folder?.remove());

const DAY = 86_400_000;
const ERRANDS: readonly Errand[] = [
  errand('a', { lane: 'x', onCrash: 'ask-world', next: [errand('b', { lane: 'x', onCrash: 'ask-person' })] }),
  errand('c', { lane: 'y', afterMs: 2_000, next: [errand('d', { lane: 'y', afterMs: 500 })] }),
];

/** What happens between two moments of the work. */
type Step =
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'leap'; readonly ms: number }
  | { readonly type: 'die' };

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ type: fc.constant('pass' as const), ms: fc.nat(LEASE_MS) }),
    fc.record({ type: fc.constant('leap' as const), ms: fc.integer({ min: -400 * DAY, max: 400 * DAY }) }),
    fc.record({ type: fc.constant('leap' as const), ms: fc.integer({ min: -LEASE_MS, max: LEASE_MS }) }),
    fc.constant({ type: 'die' as const }),
  ),
  { maxLength: 12 },
);
const leaps = fc.array(fc.integer({ min: -2 * DAY, max: 2 * DAY }), { minLength: 1, maxLength: 6 });

test('however the clock leaps, every effect is done once, and all is done within a few lengths of a lease', async () => {
  await fc.assert(
    fc.asyncProperty(steps, leaps, async (before, after) => {
      folder = sqliteFolder();
      const clock = leapingClock();
      const stand = createStand({ clock: clock as never, store: await folder.open({ clock }) });
      let process = startProcess(stand);
      await process.engine.submit(RUN, { id: 'go', type: 'errand.start', errands: ERRANDS });
      for (const step of before) {
        if (step.type === 'pass') clock.advance(step.ms);
        else if (step.type === 'leap') clock.leap(step.ms);
        else {
          process.die();
          process = startProcess(stand);
        }
        await settle();
      }
      // From here on somebody lives; the clock leaps before every third of a lease.
      expect(await thirdsUntilDone(stand, clock, process.engine, after)).toBeLessThan(3 * 12);
      for (const name of ['a', 'b', 'c', 'd']) expect(stand.world.done.get(name)).toBe(1);
      expect(stand.world.most.inLane).toBe(1);
      await process.engine.stop();
      await folder.remove();
    }),
    runs(12, 1_000),
  );
});

test('a timer that was set before the clock was set back waits for as long as it was set for, and no longer', async () => {
  folder = sqliteFolder();
  const clock = leapingClock();
  const stand = createStand({ clock: clock as never, store: await folder.open({ clock }) });
  const before = stand.boot();
  await before.start();
  const errands = [errand('late', { afterMs: 2_000 })];
  await before.submit(RUN, { id: 'go', type: 'errand.start', errands });
  await before.stop();
  clock.leap(-DAY);
  const engine = stand.boot();
  await engine.start();
  await settle();
  clock.advance(1_999);
  await settle();
  expect(stand.world.done.size).toBe(0);
  clock.advance(1);
  await settle();
  await engine.drain();
  expect(stand.world.done.get('late')).toBe(1);
  await engine.stop();
});

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await turnOver();
};

async function thirdsUntilDone(
  stand: Stand,
  clock: LeapingClock,
  engine: Engine<ErrandState, ErrandCommand>,
  after: readonly number[],
): Promise<number> {
  for (let third = 0; third < 100; third += 1) {
    await settle();
    const { ledger, state } = await engine.read(RUN);
    if (Object.keys(state.done).length === 4) return third;
    for (const { asked, intent, attempts } of ledger.effects.values()) {
      if (!asked) continue;
      const outcome = stand.world.look(errandOf(intent).name);
      const id = `person:${intent.id}:${attempts}`;
      await engine.submit(RUN, { id, type: 'effect.resolve', effect: intent.id, outcome });
    }
    clock.leap(after[third % after.length] ?? 0);
    clock.advance(LEASE_MS / 3);
  }
  return 100;
}

/** A process that can be killed: nothing of what it asks is answered from then on, and nobody gives its lease back. */
function startProcess(stand: Stand) {
  let isDead = false;
  const never = new Promise<never>(() => {});
  const mortal = Object.fromEntries(
    Object.entries(stand.store).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? (...args: unknown[]) => (isDead ? never : (value as (...all: unknown[]) => unknown)(...args))
        : value,
    ]),
  ) as unknown as EngineStore;
  const engine = stand.boot({ store: mortal });
  void engine.start();
  return {
    engine,
    die: () => {
      isDead = true;
    },
  };
}
