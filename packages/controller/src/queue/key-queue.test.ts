import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handClock } from '../../test/hand-clock.js';
import { createKeyQueue } from './key-queue.js';

const KEYS = ['a', 'b', 'c'] as const;
const key = fc.constantFrom(...KEYS);
const step = fc.oneof(
  fc.record({ does: fc.constant('add' as const), key }),
  fc.record({ does: fc.constant('later' as const), key, ms: fc.nat(500) }),
  fc.record({ does: fc.constant('retry' as const), key }),
  fc.record({ does: fc.constant('take' as const) }),
  fc.record({ does: fc.constant('done' as const), key }),
  fc.record({ does: fc.constant('time' as const), ms: fc.nat(2_000) }),
);

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a work queue', () => {
  it('never has a key at work twice, never waits for one twice, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = handClock();
        const queue = createKeyQueue({ clock });
        const atWork = new Set<string>();
        const wrong: string[] = [];
        /** Keys that were added since they were last begun. */
        const owed = new Set<string>();
        const asked = new Set<string>();
        const take = () =>
          void queue.take().then((taken) => {
            if (taken === undefined) return;
            if (atWork.has(taken)) wrong.push(`${taken} is at work twice`);
            if (!asked.has(taken)) wrong.push(`nobody asked for ${taken}`);
            atWork.add(taken);
            owed.delete(taken);
          });
        for (const each of steps) {
          if ('key' in each && each.does !== 'done') asked.add(each.key);
          if (each.does === 'add') {
            queue.add(each.key);
            owed.add(each.key);
          } else if (each.does === 'later') {
            queue.addAfter(each.key, each.ms);
            owed.add(each.key);
          } else if (each.does === 'retry') {
            queue.retry(each.key);
            owed.add(each.key);
          } else if (each.does === 'take') take();
          else if (each.does === 'done' && atWork.delete(each.key)) queue.done(each.key);
          else if (each.does === 'time') clock.forward(each.ms);
          await settled();
          if (queue.waiting > KEYS.length) wrong.push('a key waits twice');
        }
        // In the end everybody who is owed is begun, and then nobody waits.
        for (let round = 0; round < 40; round += 1) {
          for (const each of [...atWork]) {
            atWork.delete(each);
            queue.done(each);
          }
          clock.forward(10 * 60_000);
          take();
          await settled();
        }
        expect([wrong, [...owed], queue.waiting]).toEqual([[], [], 0]);
      }),
      { numRuns: 60 },
    );
  });

  it('waits twice as long after each failure, up to a limit, until it is forgotten', async () => {
    const clock = handClock();
    const queue = createKeyQueue({ clock, backoff: { firstMs: 100, maxMs: 1_000, jitter: 0 } });
    const waits: number[] = [];
    for (let failures = 0; failures < 6; failures += 1) {
      queue.retry('a');
      const before = clock.now();
      const taken = queue.take();
      let isThere = false;
      void taken.then(() => {
        isThere = true;
      });
      while (!isThere) {
        clock.forward(10);
        await settled();
      }
      waits.push(clock.now() - before);
      queue.done('a');
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(queue.failures('a')).toBe(6);
    queue.forget('a');
    expect(queue.failures('a')).toBe(0);
  });

  it('is closed: nothing more is taken, and it tells when what is at work is done', async () => {
    const queue = createKeyQueue({ clock: handClock() });
    queue.add('a');
    expect(await queue.take()).toBe('a');
    const waiting = queue.take();
    queue.close();
    expect(await waiting).toBeUndefined();
    queue.add('b');
    expect([queue.waiting, await queue.take()]).toEqual([0, undefined]);
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await settled();
    expect(isIdle).toBe(false);
    queue.done('a');
    await idle;
    expect(queue.atWork).toBe(0);
  });
});
