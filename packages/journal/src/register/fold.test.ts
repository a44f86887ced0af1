import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import type { Store } from '../contract.js';
import { openRegister, type RegisterOptions } from './register.js';
import { registerRun } from './register-run.js';

const EVERY = 5;
/** The sum of all numbers, and how many there were. */
const SUMS: RegisterOptions<{ readonly sum: number; readonly count: number }> = {
  initial: { sum: 0, count: 0 },
  project: ({ sum, count }, { type, data }) =>
    type === 'number.added' ? { sum: sum + Number(data), count: count + 1 } : { sum, count },
  fold: {
    ...{ type: 'numbers.folded', every: EVERY },
    write: ({ sum, count }) => [sum, count],
    read(data) {
      const [sum = 0, count = 0] = data as readonly number[];
      return { sum, count };
    },
  },
};
const { fold: _fold, ...WHOLE } = SUMS;

describe('a register that is folded', () => {
  it('whoever adds and whoever begins anew: the state is that of all events, and a new process reads the end of the log', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ adds: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), by: fc.nat({ max: 2 }) }),
          {
            maxLength: 30,
          },
        ),
        async (steps) => {
          const store = await openForTest(await sqlitePlaces.fresh());
          const processes = [0, 1, 2].map(() => openRegister(store, 'quotas', SUMS));
          const all: number[] = [];
          for (const { adds, by } of steps) {
            const events = adds.map((data) => ({ type: 'number.added', data }));
            await processes[by]?.change(() => ok({ events, answer: null }));
            all.push(...adds);
          }
          const expected = { sum: all.reduce((a, b) => a + b, 0), count: all.length };
          for (const each of processes) expect(await each.read()).toEqual(expected);
          const { read, counted } = counting(store);
          expect(await openRegister({ ...store, read }, 'quotas', SUMS).read()).toEqual(expected);
          // Twice what is between two folds, and what is behind the newest.
          expect(counted.events).toBeLessThanOrEqual(4 * EVERY + 4);
          // Folds add nothing of their own: who ignores them comes to the same.
          expect(await openRegister(store, 'quotas', WHOLE).read()).toEqual(expected);
        },
      ),
      runs(30, 300),
    );
  });

  it('a log from before there were folds is read whole, and folded with the next change', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const old = openRegister(store, 'quotas', WHOLE);
    for (let at = 0; at < 4 * EVERY; at += 1)
      await old.change(() => ok({ events: [{ type: 'number.added', data: at }], answer: null }));
    const young = openRegister(store, 'quotas', SUMS);
    expect(await young.read()).toEqual(await old.read());
    await young.change(() => ok({ events: [{ type: 'number.added', data: 1 }], answer: null }));
    const last = (await store.read(registerRun('quotas'))).at(-1);
    expect(last?.type).toBe('numbers.folded');
    expect(await openRegister(store, 'quotas', SUMS).read()).toEqual(await old.read());
  });
});

function counting(store: Store) {
  const counted = { events: 0 };
  const read: Store['read'] = async (run, options) => {
    const events = await store.read(run, options);
    counted.events += events.length;
    return events;
  };
  return { read, counted };
}
