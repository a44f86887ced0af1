import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN, type Stand, turnOver } from '../../test/bench-stand.js';
import { type Errand, errand, errandOf } from '../../test/errands.js';
import { slowDriver, untilBegun } from '../../test/slow-driver.js';
import { type SqliteFolder, sqliteFolder, sqliteStand } from '../../test/sqlite.js';
import type { Outcome } from '../machine.js';

let folder: SqliteFolder;
let stand: Stand;

beforeEach(async () => {
  folder = sqliteFolder();
  stand = await sqliteStand(folder);
});

afterEach(() => folder.remove());

const go = (...errands: Errand[]) => ({ id: 'go', type: 'errand.start' as const, errands });
const fine: Outcome = { ok: true, output: null };

describe('lanes', () => {
  const LANES = ['a', 'b', 'c', 'd', 'e', 'f'];

  test('a lane below one that runs needs no place of its own: what waits for it is not in its way', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver }, parallel: 1 });
    await engine.start();
    await engine.submit(RUN, go(errand('turn', { lane: 'a' }), errand('other', { lane: 'b' })));
    await untilBegun(begun, 1);
    await engine.submit(RUN, { ...go(errand('call', { lane: 'a/native' })), id: 'more' });
    await untilBegun(begun, 2);
    expect(begun.map(({ effect }) => errandOf(effect).name)).toEqual(['turn', 'call']);
    begun[1]?.end(fine);
    begun[0]?.end(fine);
    await untilBegun(begun, 3);
    begun[2]?.end(fine);
    await engine.drain();
  });

  test('one lane in order, one at a time; several side by side up to the limit', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver }, parallel: 3 });
    await engine.start();
    const lane = (x: string) => [1, 2, 3].map((n) => errand(`${x}${n}`, { lane: x }));
    await engine.submit(RUN, go(...LANES.flatMap(lane)));
    for (let ended = 0; ended < 18; ended++) {
      await untilBegun(begun, Math.min(ended + 3, 18));
      const busy = begun.slice(ended).map(({ effect }) => effect.lane);
      expect(busy.length).toBeLessThanOrEqual(3);
      expect(new Set(busy).size).toBe(busy.length);
      begun[ended]?.end(fine);
    }
    await engine.drain();
    const order = begun.map(({ effect }) => errandOf(effect).name);
    for (const x of LANES) {
      expect(order.filter((name) => name.startsWith(x))).toEqual([`${x}1`, `${x}2`, `${x}3`]);
    }
    await engine.stop();
  });

  test('work that comes to a busy lane waits for its turn', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver } });
    await engine.start();
    await engine.submit(RUN, go(errand('a', { lane: 'x' })));
    await untilBegun(begun, 1);
    await engine.submit(RUN, { ...go(errand('b', { lane: 'x' })), id: 'c2' });
    for (let turn = 0; turn < 50; turn++) await turnOver();
    expect(begun).toHaveLength(1);
    begun[0]?.end(fine);
    await untilBegun(begun, 2);
    begun[1]?.end(fine);
    await engine.drain();
    expect((await engine.read(RUN)).state.done).toEqual({ a: fine, b: fine });
    await engine.stop();
  });

  test('work that comes to a busy lane is not missed', async () => {
    const engine = stand.boot();
    await engine.start();
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        engine.submit(RUN, { ...go(errand(`e${n}`, { lane: 'x' })), id: `c${n}` }),
      ),
    );
    await engine.drain();
    expect(stand.world.done.size).toBe(30);
    expect(stand.world.most.inLane).toBe(1);
    await engine.stop();
  });
});

describe('a person', () => {
  test('is asked only where nobody else can know, and answers once', async () => {
    const fault = (point: string) => {
      if (point === 'performed') throw new Error('out of order');
    };
    const first = stand.boot({ fault });
    await first.start();
    await first.submit(
      RUN,
      go(errand('a', { onCrash: 'ask-person', lane: 'x' }), errand('b', { lane: 'x' })),
    );
    await first.drain();
    await first.stop();

    const engine = stand.boot();
    await engine.start();
    await engine.drain();
    const [open] = [...(await engine.read(RUN)).ledger.effects.values()];
    const resolve = {
      id: 'p1',
      type: 'effect.resolve',
      effect: open?.intent.id ?? '',
      outcome: fine,
    } as const;
    expect(open?.asked).toBe(true);
    expect(await engine.submit(RUN, resolve)).toMatchObject({ ok: true });
    await engine.drain();
    expect(stand.world.done).toEqual(
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    );
    expect(await engine.submit(RUN, { ...resolve, id: 'p2' })).toEqual({
      ok: false,
      error: { type: 'closed' },
    });
    expect(await engine.submit(RUN, resolve)).toMatchObject({ ok: true, value: { repeated: true } });
    await engine.stop();
  });

  test('who was not asked cannot settle what a driver does', async () => {
    const engine = stand.boot();
    await engine.submit(RUN, go(errand('a')));
    const [open] = [...(await engine.read(RUN)).ledger.effects.values()];
    const resolve = {
      id: 'p1',
      type: 'effect.resolve',
      effect: open?.intent.id ?? '',
      outcome: fine,
    } as const;
    expect(await engine.submit(RUN, resolve)).toEqual({ ok: false, error: { type: 'not-asked' } });
  });

  test.each([
    ['throws', async () => Promise.reject(new Error('no answer'))],
    ['does not know', async () => ({ state: 'unknown' as const })],
    ['answers nonsense', async () => ({ state: 'perhaps' }) as never],
    ['is not there', undefined],
  ])('is asked when the world %s', async (_, observe) => {
    const fault = (point: string) => {
      if (point === 'begun') throw new Error('out of order');
    };
    const first = stand.boot({ fault });
    await first.start();
    await first.submit(RUN, go(errand('a', { onCrash: 'ask-world' })));
    await first.drain();
    await first.stop();
    const { perform } = stand.world.driver;
    const engine = stand.boot({ drivers: { errand: observe ? { perform, observe } : { perform } } });
    await engine.start();
    await engine.drain();
    expect([...(await engine.read(RUN)).ledger.effects.values()].map(({ asked }) => asked)).toEqual([true]);
    expect(stand.world.done.size).toBe(0);
    await engine.stop();
  });
});
