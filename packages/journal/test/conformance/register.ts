import { ok } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { share } from '../../../../test/runs.js';
import type { StoredEvent } from '../../src/contract.js';
import { keepFirst } from '../../src/register/keep-first.js';
import { openRegister, type RegisterStore } from '../../src/register/register.js';
import { findVolume, isRegister, registerRun } from '../../src/register/register-run.js';
import { openRollingRegister } from '../../src/register/rolling.js';
import { openForTest, type Places } from '../places.js';
import { SUMS, VOLUME } from '../sums.js';
import { batch, codeOf, must, RUN, take } from '../write.js';

const PEOPLE = registerRun('people');

const counter = (store: RegisterStore) =>
  openRegister<readonly number[]>(store, 'people', {
    initial: [],
    project: (state, { data }) => [...state, Number(data)],
  });

/** Writes the next number, whatever it is by then. */
const next = (register: ReturnType<typeof counter>, command?: string) =>
  register.change<number, never>((state) => {
    const number = state.length + 1;
    return ok({ events: [{ type: 'number.added', data: number }], answer: number });
  }, command);

export function registerCases(places: Places): void {
  it('is no work: lists leave it out, nothing removes it, and none is taken in from elsewhere', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch()));
    const register = counter(store);
    must(await next(register));
    expect((await store.runs()).map(({ run }) => run)).toEqual([RUN]);
    expect((await store.recentRuns({ limit: 1 }))?.map(({ run }) => run)).toEqual([RUN]);
    expect(await store.runNames()).toContain(PEOPLE);
    expect(await store.removeRun(PEOPLE)).toBe(false);
    expect(await register.read()).toEqual([1]);
    const other = await openForTest(await places.fresh());
    const adoption = { run: PEOPLE, commits: await store.commits(PEOPLE), blobs: [] };
    expect(codeOf(await other.adopt(adoption))).toBe('E_JOURNAL_INVALID');
    expect(await other.head(PEOPLE)).toBeUndefined();
    expect([RUN, 'run_0123abcd', PEOPLE].map(isRegister)).toEqual([false, false, true]);
  });

  it('of many who change it at once each decides on what the others left, and all read the same', async () => {
    const place = await places.fresh();
    const stores = [await openForTest(place), await openForTest(place)];
    const registers = stores.map(counter);
    const count = share(8, 40);
    const written = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const register = registers[index % 2];
        if (register === undefined) throw new Error('none');
        return next(register, `command_${index >> 1}_${index % 2}`);
      }),
    );
    const all = Array.from({ length: count }, (_, index) => index + 1);
    expect(written.map((each) => (each.ok ? each.value : 0)).sort((a, b) => a - b)).toEqual(all);
    for (const register of registers) expect(await register.read()).toEqual(all);
    // The same command again answers the same, and writes nothing.
    const [first] = registers;
    expect(first && (await next(first, 'command_0_0'))).toEqual(written[0]);
    expect(await first?.read()).toEqual(all);
  });

  it('of many who change one that rolls at once each decides on what the others left, across every roll', async () => {
    const place = await places.fresh();
    const stores = [await openForTest(place), await openForTest(place)];
    const registers = stores.map((store) => openRollingRegister(store, 'quotas', SUMS));
    const count = share(6 * VOLUME, 60 * VOLUME);
    const written: number[] = [];
    const adder = async (index: number) => {
      for (let more = 0; more < count / 6; more += 1) {
        const added = await registers[index % 2]?.change<number, never>(({ count: before }) => {
          const data = before + 1;
          return ok({ events: [{ type: 'number.added', data }], answer: data });
        });
        written.push(must(added ?? ok(0)));
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, index) => adder(index)));
    const all = Array.from({ length: count }, (_, index) => index + 1);
    expect(written.sort((a, b) => a - b)).toEqual(all);
    const expected = { sum: (count * (count + 1)) / 2, count };
    const late = openRollingRegister(await openForTest(place), 'quotas', SUMS);
    for (const register of [...registers, late]) expect(await register.read()).toEqual(expected);
    const [store] = stores;
    const volumes = (await store?.runNames())?.filter((run) => findVolume(run) !== undefined) ?? [];
    expect(volumes.length).toBeGreaterThan(count / VOLUME / 2);
    const heads = await Promise.all(volumes.map((run) => store?.head(run)));
    expect(heads.filter((head) => head !== undefined)).toHaveLength(1);
  });

  it('of many who keep something under one key all are answered the same, and it stays no work', async () => {
    const place = await places.fresh();
    const stores = [await openForTest(place), await openForTest(place)];
    const kept = await Promise.all(
      Array.from({ length: share(8, 40) }, (_, index) => {
        const store = stores[index % 2];
        if (store === undefined) throw new Error('none');
        return keepFirst(store, index < 4 ? 'one key' : `key ${index >> 2}`, `text ${index}`);
      }),
    );
    const texts = kept.map((each) => must(each));
    for (let index = 0; index < texts.length; index += 4)
      expect(new Set(texts.slice(index, index + 4)).size).toBe(1);
    expect(new Set(texts).size).toBe(texts.length / 4);
    expect(await stores[0]?.runs()).toEqual([]);
  });

  it('tells what others change', async () => {
    const place = await places.fresh();
    const [here, there] = [await openForTest(place), await openForTest(place)];
    const register = counter(here);
    await register.read();
    const heard = take(register.follow(new AbortController().signal), 2);
    must(await next(counter(there)));
    must(await next(counter(there)));
    expect((await heard).map(({ data }: StoredEvent) => data)).toEqual([1, 2]);
  });
}
