import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fastClock } from '../test/objects.js';
import { until } from '../test/until.js';
import { type Reconciled, runController } from './controller.js';
import { createKeyQueue } from './queue/key-queue.js';

function stand(reconcile: (key: string, signal: AbortSignal) => Promise<Reconciled>, workers = 4) {
  const queue = createKeyQueue({ clock: fastClock });
  const calledOff = new AbortController();
  const outcomes: string[] = [];
  const ended = runController({
    queue,
    workers,
    signal: calledOff.signal,
    reconcile,
    onReconciled: (key, { type }) => outcomes.push(`${key} ${type}`),
  });
  return { queue, outcomes, ended, end: () => calledOff.abort() };
}

describe('a controller', () => {
  it('sees the last of a thousand changes, in few looks, and never looks at one object twice at a time', async () => {
    let world = 0;
    let looks = 0;
    let atOnce = 0;
    let last = -1;
    const { queue, ended, end } = stand(async () => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      looks += 1;
      const seen = world;
      await wait(2);
      last = seen;
      atOnce -= 1;
      return { type: 'done' };
    });
    for (let n = 1; n <= 1_000; n += 1) {
      world = n;
      queue.add('a');
      if (n % 250 === 0) await wait(1);
    }
    await until(() => expect(last).toBe(1_000));
    expect(looks).toBeLessThan(20);
    end();
    await ended;
  });

  it('tries again what may go well later, and leaves what somebody has to change', async () => {
    const tries = new Map<string, number>();
    const { queue, outcomes, ended, end } = stand(async (key) => {
      const count = (tries.get(key) ?? 0) + 1;
      tries.set(key, count);
      if (key === 'broken') return { type: 'terminal', message: 'wrong' };
      if (key === 'throws' && count < 3) throw new Error('odd');
      if (key === 'away' && count < 3) return { type: 'transient', message: 'away' };
      if (key === 'again' && count < 3) return { type: 'done', againMs: 100 };
      return { type: 'done' };
    });
    for (const key of ['broken', 'throws', 'away', 'again', 'fine']) queue.add(key);
    await until(() =>
      expect(Object.fromEntries(tries)).toEqual({ broken: 1, throws: 3, away: 3, again: 3, fine: 1 }),
    );
    await until(() => expect(outcomes).toHaveLength(11));
    expect([queue.failures('throws'), queue.failures('away')]).toEqual([0, 0]);
    end();
    await ended;
  });

  it('ends what was begun when it is called off, and begins nothing more', async () => {
    const begun: string[] = [];
    let let1: () => void = () => undefined;
    const { queue, ended, end, outcomes } = stand(async (key) => {
      begun.push(key);
      await new Promise<void>((resolve) => {
        let1 = resolve;
      });
      return { type: 'done' };
    }, 1);
    queue.add('a');
    queue.add('b');
    await until(() => expect(begun).toEqual(['a']));
    end();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await wait(5);
    expect(isOver).toBe(false);
    let1();
    await ended;
    expect([begun, outcomes]).toEqual([['a'], ['a done']]);
  });
});
