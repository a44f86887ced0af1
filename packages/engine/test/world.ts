import type { Driver } from '../src/effect/driver.js';
import type { EffectIntent, Outcome } from '../src/machine.js';
import { errandOf } from './errands.js';

/** A world in memory that counts what was done to it. */
export interface World {
  readonly driver: Driver;
  /** How often each errand was done, by name. An idempotent one counts once. */
  readonly done: ReadonlyMap<string, number>;
  /** How often somebody tried. */
  readonly tries: ReadonlyMap<string, number>;
  /** The errands that were being done at one time, at most, over all and within one lane. */
  readonly most: { overall: number; inLane: number };
  /** What a person finds who goes and looks. */
  look(name: string): Outcome | 'not-done';
}

export function createWorld(): World {
  const done = new Map<string, number>();
  const tries = new Map<string, number>();
  const busy = new Map<string, number>();
  const most = { overall: 0, inLane: 0 };
  const add = (counts: Map<string, number>, key: string, by = 1) =>
    counts.set(key, (counts.get(key) ?? 0) + by);
  const outcomeOf = (name: string): Outcome => ({ ok: true, output: `${name} is done` });
  const look = (name: string) => (done.has(name) ? outcomeOf(name) : 'not-done');
  const perform = async (effect: EffectIntent) => {
    const { name, lane, onCrash } = errandOf(effect);
    add(busy, lane);
    most.overall = Math.max(
      most.overall,
      [...busy.values()].reduce((sum, count) => sum + count, 0),
    );
    most.inLane = Math.max(most.inLane, busy.get(lane) ?? 0);
    await Promise.resolve();
    add(tries, name);
    if (onCrash !== 'repeat' || !done.has(name)) add(done, name);
    await Promise.resolve();
    add(busy, lane, -1);
    return outcomeOf(name);
  };
  return {
    driver: {
      perform,
      async observe(effect) {
        const seen = look(errandOf(effect).name);
        return seen === 'not-done' ? { state: 'not-done' } : { state: 'done', outcome: seen };
      },
    },
    done,
    tries,
    most,
    look,
  };
}
