import { join } from 'node:path';
import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { ownerOf, verifyPlace, withStore } from '../../test/owner.js';
import { openForTest, scratchFolder, sqlitePlaces } from '../../test/places.js';
import { rawDatabase } from '../../test/raw.js';
import { SUMS, VOLUME } from '../../test/sums.js';
import { must } from '../../test/write.js';
import type { Store } from '../contract.js';
import { volumeProblems } from './problems.js';
import { openRegister } from './register.js';
import { findVolume, registerRun, volumeRun } from './register-run.js';
import { openRollingRegister } from './rolling.js';
import { findRegister } from './volume.js';

const open = (store: Store) => openRollingRegister(store, 'quotas', SUMS);
const added = (numbers: readonly number[]) => numbers.map((data) => ({ type: 'number.added', data }));
const sumOf = (numbers: readonly number[]) => ({
  sum: numbers.reduce((a, b) => a + b, 0),
  count: numbers.length,
});

/** Events of volumes that are kept, and how many volumes there were. */
async function kept(store: Store) {
  const volumes = (await store.runNames()).filter((run) => findVolume(run) !== undefined);
  const stands = await Promise.all(volumes.map((run) => store.standing(run)));
  const there = stands.filter((each) => each?.removedAt === undefined);
  return {
    volumes: volumes.length,
    kept: there.length,
    events: there.reduce((sum, each) => sum + (each?.seq ?? 0), 0),
  };
}

describe('a register that rolls', () => {
  it('whoever adds and whoever begins anew: the state is that of all events, and the log stays short', async () => {
    const steps = fc.array(
      fc.record({ adds: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), by: fc.nat({ max: 2 }) }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const store = await openForTest(await sqlitePlaces.fresh());
        const processes = [0, 1, 2].map(() => open(store));
        for (const { adds, by } of all)
          must((await processes[by]?.change(() => ok({ events: added(adds), answer: null }))) ?? ok(null));
        const expected = sumOf(all.flatMap(({ adds }) => adds));
        for (const each of processes) expect(await each.read()).toEqual(expected);
        const counted = counting(store);
        expect(await open(counted.store).read()).toEqual(expected);
        // What is full is closed with the next change, which may write four.
        expect(counted.read()).toBeLessThanOrEqual(VOLUME + 4);
        const now = await kept(store);
        expect(now.kept).toBe(expected.count === 0 ? 0 : 1);
        expect(now.events).toBeLessThanOrEqual(VOLUME + 4);
        expect(await volumeProblems(store)).toEqual([]);
        const problems = [];
        for await (const problem of store.audit()) problems.push(problem);
        expect(problems).toEqual([]);
      }),
      runs(30, 300),
    );
  });

  it('a process that dies before or after any write: what was answered counts once, and the next one goes on', async () => {
    const points = fc.array(
      fc.record({ write: fc.nat({ max: 24 }), side: fc.constantFrom('before' as const, 'after' as const) }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(points, async (deaths) => {
        const store = await openForTest(await sqlitePlaces.fresh());
        const numbers: number[] = [];
        for (const death of deaths) {
          const dying = open(mortal(store, death));
          try {
            for (;;) {
              // Known by its number, so that one of which nobody was told is found again.
              const next = numbers.length + 1;
              const events = added([next]);
              must(
                await dying.change<null, never>(({ count }) =>
                  ok({ events: count < next ? events : [], answer: null }),
                ),
              );
              numbers.push(next);
            }
          } catch (thrown) {
            if (!(thrown instanceof Death)) throw thrown;
          }
          const { count } = await open(store).read();
          expect([numbers.length, numbers.length + 1]).toContain(count);
          if (count > numbers.length) numbers.push(count);
          expect(await open(store).read()).toEqual(sumOf(numbers));
          expect(await volumeProblems(store)).toEqual([]);
        }
        const last = open(store);
        for (let more = 0; more <= 2 * VOLUME; more += 1)
          must(await last.change(() => ok({ events: added([1]), answer: null })));
        expect((await kept(store)).kept).toBe(1);
      }),
      runs(40, 400),
    );
  });

  it('in whatever order the steps of several who change it at once come, all of them count and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (order, processes) => {
        const store = await openForTest(await sqlitePlaces.fresh());
        const slow: Store = {
          ...store,
          append: order.scheduleFunction(store.append),
          read: order.scheduleFunction(store.read),
          standing: order.scheduleFunction(store.standing),
          removeRun: order.scheduleFunction(store.removeRun),
        };
        const registers = Array.from({ length: processes }, () => open(slow));
        const add = async (register: ReturnType<typeof open>) => {
          for (let more = 0; more < 2 * VOLUME; more += 1)
            must(await register.change(() => ok({ events: added([1]), answer: null })));
        };
        const done = Promise.all([...registers, ...registers].map(add));
        await order.waitFor(done);
        const count = 4 * processes * VOLUME;
        for (const each of registers) expect(await order.waitFor(each.read())).toEqual({ sum: count, count });
        expect(await volumeProblems(store)).toEqual([]);
        must(await open(store).change(() => ok({ events: added([1]), answer: null })));
        expect((await kept(store)).kept).toBe(1);
      }),
      runs(40, 400),
    );
  });

  it('a log from before registers rolled is read whole, and rolls with the next change', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const { initial, project } = SUMS;
    const old = openRegister(store, 'quotas', { initial, project });
    const numbers = Array.from({ length: 4 * VOLUME }, (_, at) => at);
    for (const number of numbers)
      must(
        await old.change(() =>
          ok({ events: [...added([number]), { type: 'numbers.folded', data: 0 }], answer: null }),
        ),
      );
    expect(await open(store).read()).toEqual(sumOf(numbers));
    must(await open(store).change(() => ok({ events: added([7]), answer: null })));
    expect(await open(store).read()).toEqual(sumOf([...numbers, 7]));
    expect(await kept(store)).toEqual({ volumes: 2, kept: 1, events: 2 });
  });

  it('only a volume that the next one follows is removed, and one that was taken away is no empty register', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const first = volumeRun({ name: 'quotas', number: 1 });
    const killed = open({ ...store, removeRun: () => Promise.reject(new Death()) });
    const full = Array.from({ length: VOLUME }, () => 1);
    must(await killed.change(() => ok({ events: added(full), answer: null })));
    expect(first).toBe(registerRun('quotas'));
    expect(await store.removeRun(first)).toBe(false);
    await expect(killed.change(() => ok({ events: added([1]), answer: null }))).rejects.toThrow(Death);
    expect(await kept(store)).toMatchObject({ volumes: 2, kept: 2 });
    expect(await store.removeRun(volumeRun({ name: 'quotas', number: 2 }))).toBe(false);
    expect(await store.removeRun(first)).toBe(true);
    expect(await store.removeRun(first)).toBe(false);
    const withoutSecond: Store = {
      ...store,
      standing: async (run) => (run === first ? store.standing(run) : undefined),
    };
    await expect(open(withoutSecond).read()).rejects.toMatchObject({ error: { code: 'E_JOURNAL_CORRUPT' } });
  });

  it('a volume that does not begin with the end of the one before it is found', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    must(await open(store).change(() => ok({ events: added([1]), answer: null })));
    const data = { volume: 2, state: [0, 0], from: { seq: 9, hash: 'sha256:00' } };
    must(
      await store.append({
        ...{ run: volumeRun({ name: 'quotas', number: 2 }), command: 'c', target: 'quotas', expectedSeq: 0 },
        events: [{ type: 'register.opened', data }],
      }),
    );
    expect(await volumeProblems(store)).toEqual([
      'the register of quotas2 does not begin with the end of the one before it',
    ]);
    // It counts for nothing either: the one before it was not closed.
    expect(await open(store).read()).toEqual(sumOf([1]));
  });

  it('verifies with its anchor and its signed removals, and does not when a tombstone is taken away', async () => {
    const home = join(scratchFolder(), 'home');
    const owner = await ownerOf(home);
    const place = { file: join(home, 'journal.db') };
    await withStore(place, owner, async (store) => {
      for (let more = 0; more < 4 * VOLUME; more += 1)
        must(await open(store).change(() => ok({ events: added([1]), answer: null })));
      expect(await kept(store)).toMatchObject({ volumes: 5, kept: 1 });
      const newest = volumeRun({ name: 'quotas', number: 5 });
      expect(await findRegister(store, registerRun('quotas'))).toBe(newest);
      expect(await findRegister(store, newest)).toBe(newest);
      expect(await findRegister(store, registerRun('people'))).toBeUndefined();
    });
    expect(await verifyPlace(place, owner)).toEqual([]);
    const raw = await rawDatabase(place);
    await raw.run("DELETE FROM cuebook_runs WHERE name = 'run_registerquotas3'");
    await raw.close();
    const problems = (await verifyPlace(place, owner)).map(({ message }) => message).join('\n');
    expect(problems).toContain('run_registerquotas3');
  });

  it('names its volumes so that every name is one volume', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.string(), (number, text) => {
        const volume = { name: 'quotas', number } as const;
        expect(findVolume(volumeRun(volume))).toEqual(volume);
        const found = findVolume(`run_registerquotas${text}`);
        if (found !== undefined) expect(volumeRun(found)).toBe(`run_registerquotas${text}`);
      }),
      runs(200, 2_000),
    );
    expect(findVolume('run_registerpeople')).toBeUndefined();
    expect(findVolume('run_0123abcd')).toBeUndefined();
  });
});

class Death extends Error {}

/** A store whose process dies at one of its writes. */
function mortal(store: Store, { write, side }: { write: number; side: 'before' | 'after' }): Store {
  let writes = 0;
  const dying = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const isLast = writes === write;
    writes += 1;
    if (isLast && side === 'before') throw new Death();
    const done = await work();
    if (isLast) throw new Death();
    return done;
  };
  return {
    ...store,
    append: (batch) => dying(() => store.append(batch)),
    removeRun: (run) => dying(() => store.removeRun(run)),
  };
}

function counting(store: Store) {
  let events = 0;
  const read: Store['read'] = async (run, options) => {
    const page = await store.read(run, options);
    events += page.length;
    return page;
  };
  return { store: { ...store, read }, read: () => events };
}
