import { JournalFailure } from '@cuebook/journal';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN, type Stand } from '../../test/bench-stand.js';
import { type Errand, errand, errandOf } from '../../test/errands.js';
import { slowDriver, untilBegun } from '../../test/slow-driver.js';
import { type SqliteFolder, sqliteFolder, sqliteStand } from '../../test/sqlite.js';
import type { Outcome } from '../machine.js';
import type { Driver } from './driver.js';

let folder: SqliteFolder;
let stand: Stand;

beforeEach(async () => {
  folder = sqliteFolder();
  stand = await sqliteStand(folder);
});

afterEach(() => folder.remove());

const go = (...errands: Errand[]) => ({ id: 'go', type: 'errand.start' as const, errands });
const fine: Outcome = { ok: true, output: null };

async function outcomeOf(driver: Driver, limits = {}): Promise<unknown> {
  const engine = stand.boot({ drivers: { errand: driver }, limits });
  await engine.start();
  await engine.submit(RUN, go(errand('a')));
  await engine.drain();
  await engine.stop();
  return (await engine.read(RUN)).state.done.a;
}

describe('an outcome', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const BAD: readonly (readonly [string, () => unknown, string])[] = [
    [
      'an error that is thrown',
      () => {
        throw new Error('/home/me/secret');
      },
      'E_EFFECT_FAILED',
    ],
    ['a promise that is rejected with nothing', () => Promise.reject(undefined), 'E_EFFECT_FAILED'],
    ['nothing', () => undefined, 'E_EFFECT_OUTCOME'],
    ['a text', () => 'done', 'E_EFFECT_OUTCOME'],
    ['an object of another kind', () => ({ done: true }), 'E_EFFECT_OUTCOME'],
    ['a failure without a code', () => ({ ok: false, error: { message: 'x' } }), 'E_EFFECT_OUTCOME'],
    ['a cycle', () => ({ ok: true, output: cyclic }), 'E_EFFECT_OUTCOME'],
    ['a number that JSON does not know', () => ({ ok: true, output: 1n }), 'E_EFFECT_OUTCOME'],
    ['half a character', () => ({ ok: true, output: '\ud800' }), 'E_EFFECT_OUTCOME'],
    ['too much', () => ({ ok: true, output: 'x'.repeat(2_000) }), 'E_EFFECT_OUTCOME'],
  ];

  test.each(BAD)('%s becomes a failing one', async (_, give, code) => {
    const driver = { perform: async () => give() as Outcome };
    const outcome = await outcomeOf(driver, { maxOutputBytes: 1_000 });
    expect(outcome).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test('what a driver threw is told to the process, not to the run', async () => {
    await outcomeOf({ perform: () => Promise.reject(new Error('the reason')) });
    expect(stand.problems.map(String)).toEqual(['Error: the reason']);
  });

  test('of a driver is kept as it is', async () => {
    const failed = { ok: false, error: { code: 'E_X', message: 'No.' } } as const;
    expect(await outcomeOf({ perform: async () => failed })).toEqual(failed);
  });

  test('too large for the log, whatever the limit: the run learns that', async () => {
    const perform = async () => ({ ok: true, output: 'x'.repeat(5 * 1024 * 1024) }) as const;
    const outcome = await outcomeOf({ perform }, { maxOutputBytes: 64 * 1024 * 1024 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'E_EFFECT_OUTCOME' } });
  });
});

describe('a journal that a driver could not read, because it is away', () => {
  const away = (reason: 'connection' | 'busy' | 'disk' = 'connection') =>
    Promise.reject(new JournalFailure({ code: 'E_JOURNAL_UNAVAILABLE', reason }));

  test.each(['connection', 'busy', 'disk'] as const)(
    'is no outcome: the effect stays open, and is done when the journal is back (%s)',
    async (reason) => {
      let tries = 0;
      const perform = async () => {
        tries += 1;
        return tries === 1 ? away(reason) : fine;
      };
      const engine = stand.boot({ drivers: { errand: { perform } } });
      await engine.start();
      await engine.submit(RUN, go(errand('a', { onCrash: 'repeat' })));
      await engine.drain();
      expect((await engine.read(RUN)).state.done).toEqual({});
      await engine.stop();

      const next = stand.boot({ drivers: { errand: { perform } } });
      await next.start();
      await next.drain();
      expect((await next.read(RUN)).state.done.a).toEqual(fine);
      await next.stop();
    },
  );

  test('is no doubt either: nobody is asked what the driver can say later', async () => {
    let looks = 0;
    const driver: Driver = {
      perform: () => away(),
      observe: async () => {
        looks += 1;
        return looks === 1 ? away() : { state: 'done', outcome: fine };
      },
    };
    for (const expected of [{}, {}, { a: fine }]) {
      const engine = stand.boot({ drivers: { errand: driver } });
      await engine.start();
      await engine.submit(RUN, go(errand('a', { onCrash: 'ask-world' })));
      await engine.drain();
      const { state, ledger } = await engine.read(RUN);
      expect(state.done).toEqual(expected);
      expect([...ledger.effects.values()].some(({ asked }) => asked)).toBe(false);
      await engine.stop();
    }
  });

  test('of which nobody says that it comes back is a failure', async () => {
    const broken = new JournalFailure({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed' });
    expect(await outcomeOf({ perform: () => Promise.reject(broken) })).toMatchObject({ ok: false });
  });
});

describe('time', () => {
  test('an effect past its time is told to end, and fails when it does not', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver }, limits: { graceMs: 100 } });
    await engine.start();
    await engine.submit(RUN, go(errand('a')));
    await untilBegun(begun, 1);
    stand.clock.advance(999);
    expect(begun[0]?.context.signal.aborted).toBe(false);
    stand.clock.advance(1);
    expect(begun[0]?.context.signal.aborted).toBe(true);
    stand.clock.advance(100);
    await engine.drain();
    const { done } = (await engine.read(RUN)).state;
    expect(done.a).toMatchObject({ ok: false, error: { code: 'E_EFFECT_TIMEOUT' } });
    await engine.stop();
  });

  test('what was done within the grace was done', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver } });
    await engine.start();
    await engine.submit(RUN, go(errand('a')));
    await untilBegun(begun, 1);
    stand.clock.advance(1_000);
    begun[0]?.end(fine);
    await engine.drain();
    expect((await engine.read(RUN)).state.done.a).toEqual(fine);
    await engine.stop();
  });

  test('an effect that somebody ends fails as ended, and the lane goes on', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver } });
    await engine.start();
    await engine.submit(RUN, go(errand('a', { lane: 'x' }), errand('b', { lane: 'x' })));
    await untilBegun(begun, 1);
    expect(engine.abort(RUN, 'eff_of_nobody')).toBe(false);
    expect(engine.abort(RUN, begun[0]?.effect.id ?? '')).toBe(true);
    begun[0]?.end({ ok: false, error: { code: 'E_X', message: 'Interrupted.' } });
    await untilBegun(begun, 2);
    begun[1]?.end(fine);
    await engine.drain();
    expect((await engine.read(RUN)).state.done).toMatchObject({
      a: { ok: false, error: { code: 'E_EFFECT_ABORTED' } },
      b: fine,
    });
    await engine.stop();
  });

  test('a stop that waits takes the outcome; nothing more is begun', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver } });
    await engine.start();
    await engine.submit(RUN, go(errand('a', { lane: 'x' }), errand('b', { lane: 'x' })));
    await untilBegun(begun, 1);
    const stopped = engine.stop();
    begun[0]?.end(fine);
    await stopped;
    const { state, ledger } = await engine.read(RUN);
    expect(state.done).toEqual({ a: fine });
    expect([...ledger.effects.values()].map((open) => [errandOf(open.intent).name, open.begun])).toEqual([
      ['b', false],
    ]);
    expect(begun).toHaveLength(1);
  });

  test('a stop that ends what runs leaves it open, and the next process settles it by its policy', async () => {
    const { begun, driver } = slowDriver();
    const engine = stand.boot({ drivers: { errand: driver } });
    await engine.start();
    await engine.submit(RUN, go(errand('a', { onCrash: 'ask-person' }), errand('b', { onCrash: 'repeat' })));
    await untilBegun(begun, 2);
    const stopped = engine.stop({ running: 'abort' });
    for (const { context, end } of begun) {
      expect(context.signal.aborted).toBe(true);
      end({ ok: false, error: { code: 'E_X', message: 'Interrupted.' } });
    }
    await stopped;
    expect((await engine.read(RUN)).state.done).toEqual({});

    const next = stand.boot();
    await next.start();
    await next.drain();
    const { state, ledger } = await next.read(RUN);
    expect(Object.keys(state.done)).toEqual(['b']);
    expect([...ledger.effects.values()].map(({ asked }) => asked)).toEqual([true]);
    await next.stop();
  });
});
