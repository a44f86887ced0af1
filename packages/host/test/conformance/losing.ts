import type { RunId } from '@cuebook/journal';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { Host, RunReport } from '../../src/index.js';
import { losing } from '../losing.js';
import { until } from '../stand.js';
import type { KindKit } from './kit.js';

/** Long enough that a busy machine renews them: one that ends by itself has its turn taken again, and a step played twice. */
const LEASE_MS = 2_000;
/** Longer than it takes to notice that a lease is lost; where it is not, the words come too late to be written. */
const SLOW_MS = 3 * LEASE_MS;

/** What a run hears from a process that lost its work in mid-turn and gets it back. */
export function describeLosing(kit: KindKit): void {
  const { fixture, again, says, stand, begin, isStill, goOn, heard } = kit;
  const slow = { ...again.after, delayMs: SLOW_MS };
  const isOver = (each: RunReport, turns: number): boolean => isStill(each) && each.turns === turns;

  const inMidTurn = async (first: Host, steps: readonly object[]) => {
    const run = await begin(first, [again.after, slow, ...steps]);
    await until(first, run, isStill);
    const speaks = new Promise<void>((resolve) => first.watch(run, () => resolve()));
    await goOn(first, run, 'two');
    await speaks;
    return run;
  };

  /** So many turns are over; the next one plays the step that belongs to it. */
  const nextAnswers = async (host: Host, run: RunId, turns: number) => {
    await until(host, run, (each) => isOver(each, turns));
    expect(await heard(host, run)).not.toContain('Next.');
    await goOn(host, run, 'next');
    await until(host, run, (each) => isOver(each, turns + 1));
    expect(await heard(host, run)).toContain('Next.');
  };

  it('a turn that was lost for a moment is taken again, and the next one follows it', async () => {
    const process = losing(stand().store);
    const first = await stand().open({ store: process.store, leaseMs: LEASE_MS });
    const run = await inMidTurn(first, [says('Next.')]);
    await process.lose();
    process.mayTake();
    await nextAnswers(first, run, 2);
  });

  it('a process goes on behind the turns that another one took meanwhile', async () => {
    // Who hears no words has nothing more to say after a second try.
    const others = fixture.again === undefined ? 2 : 1;
    const process = losing(stand().store);
    const first = await stand().open({ store: process.store, leaseMs: LEASE_MS });
    const run = await inMidTurn(first, [...(others === 2 ? [again.after] : []), says('Next.')]);
    await process.lose();
    const second = await stand().open({ leaseMs: LEASE_MS });
    await until(second, run, (each) => isOver(each, 2));
    if (others === 2) await goOn(second, run, 'three');
    await until(second, run, (each) => isOver(each, 1 + others));
    await second.stop({ running: 'wait' });
    process.mayTake();
    await nextAnswers(first, run, 1 + others);
  });
}
