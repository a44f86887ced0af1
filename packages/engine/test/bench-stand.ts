import type { RunId } from '@cuebook/journal';
import { createEngine, type Engine, type EngineLimits } from '../src/loop/engine.js';
import type { EngineStore } from '../src/loop/engine-store.js';
import type { EngineFault } from '../src/loop/fault.js';
import { type ManualClock, manualClock } from '../src/timer/manual-clock.js';
import { inProcess } from '../src/work/in-process.js';
import { type ErrandCommand, type ErrandState, errandMachine, errandOf } from './errands.js';
import { memoryStore } from './memory-store.js';
import { createWorld, type World } from './world.js';

export const RUN = 'run_1' as RunId;

/** An engine for errands with a world and a clock of its own, over a store that outlives it. */
export interface Stand {
  readonly clock: ManualClock;
  readonly store: EngineStore;
  readonly world: World;
  /** A process: another engine over the same store and world. */
  boot(options?: BootOptions): Engine<ErrandState, ErrandCommand>;
  readonly problems: unknown[];
}

export interface BootOptions {
  readonly fault?: EngineFault;
  readonly store?: EngineStore;
  readonly machine?: typeof errandMachine;
  readonly parallel?: number;
  readonly drivers?: Parameters<typeof createEngine>[0]['drivers'];
  readonly keepState?: boolean | 'at-rest';
  readonly limits?: Partial<EngineLimits>;
  readonly whenHeld?: 'wait' | 'refuse';
}

export const LEASE_MS = 3_000;

export function createStand(given: { clock?: ManualClock; store?: EngineStore } = {}): Stand {
  const clock = given.clock ?? manualClock(1_000);
  const store = given.store ?? memoryStore(() => clock.now());
  const world = createWorld();
  const problems: unknown[] = [];
  let booted = 0;
  return {
    clock,
    store,
    world,
    problems,
    boot({ parallel = 4, whenHeld = 'wait', ...options } = {}) {
      booted += 1;
      return createEngine({
        store,
        machine: errandMachine,
        drivers: { errand: world.driver },
        clock,
        owner: `process ${booted}`,
        work: inProcess({ parallel, whenHeld, leaseMs: LEASE_MS, leaseClock: clock }),
        onProblem: (error) => problems.push(error),
        ...options,
      });
    },
  };
}

/**
 * Lets an engine go on until nothing is left to do: drains, answers what a person is asked by looking at the
 * world, and lets the time pass that timers wait for.
 */
export async function finish(stand: Stand, engine: Engine<ErrandState, ErrandCommand>): Promise<ErrandState> {
  for (let rounds = 0; rounds < 1_000; rounds++) {
    await engine.drain();
    const { ledger, state } = await engine.read(RUN);
    const asked = [...ledger.effects.values()].find((open) => open.asked);
    if (asked) {
      const { name } = errandOf(asked.intent);
      const outcome = stand.world.look(name);
      const id = `person:${asked.intent.id}:${asked.attempts}`;
      await engine.submit(RUN, { id, type: 'effect.resolve', effect: asked.intent.id, outcome });
      continue;
    }
    if (ledger.effects.size === 0 && ledger.timers.size === 0) return state;
    stand.clock.advance(LEASE_MS / 3);
    await turnOver();
  }
  throw new Error('it does not come to an end');
}

/** Lets promises that are ready go on. */
export const turnOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
