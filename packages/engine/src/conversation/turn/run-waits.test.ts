import type { RunId, Store } from '@cuebook/journal';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { type SqliteFolder, sqliteFolder } from '../../../test/sqlite.js';
import { createRunWaits } from './run-waits.js';

const NEVER = new AbortController().signal;

let folder: SqliteFolder;
let store: Store;
beforeEach(async () => {
  folder = sqliteFolder();
  store = await folder.open();
});
afterEach(() => folder.remove());

/** Waits on the count of a run's events, and how often a run was followed. */
function waitsOn(log: Store) {
  const followed: string[] = [];
  let following = 0;
  const subscribe = async function* (options: Parameters<Store['subscribe']>[0]) {
    followed.push(String(options.run));
    following += 1;
    try {
      yield* log.subscribe(options);
    } finally {
      following -= 1;
    }
  };
  const read = async (run: RunId) => {
    const { length: seq } = await log.read(run, { limit: 1_000 });
    return { seq, state: seq, ledger: {} as never };
  };
  return { ...createRunWaits<number>(read, { subscribe }), followed, following: () => following };
}

let runCount = 0;
const newRun = (): RunId => {
  runCount += 1;
  return `run_${runCount}` as RunId;
};

async function write(run: RunId, from: number, events: number): Promise<void> {
  const batch = Array.from({ length: events }, () => ({ type: 'noted', data: {} }));
  const command = `command ${from}`;
  const written = await store.append({ run, command, target: command, expectedSeq: from, events: batch });
  expect(written.ok).toBe(true);
}

const atLeast = (least: number) => (count: number) => (count >= least ? `${least} of ${count}` : undefined);

describe('those who wait for a run', () => {
  it('follow it together, and stop when nobody waits', async () => {
    const run = newRun();
    const waits = waitsOn(store);
    const found = Promise.all([1, 2, 3].map((least) => waits.until(run, atLeast(least), NEVER)));
    await write(run, 0, 1);
    await write(run, 1, 2);
    expect((await found).map((text) => text?.slice(0, 4))).toEqual(['1 of', '2 of', '3 of']);
    expect(waits.followed).toEqual([run]);
    await expect.poll(waits.following).toBe(0);
  });

  it('find what is there already without following', async () => {
    const run = newRun();
    await write(run, 0, 2);
    const waits = waitsOn(store);
    expect(await waits.until(run, atLeast(2), NEVER)).toBe('2 of 2');
    expect(waits.followed).toEqual([]);
  });

  it('are told by their own signal alone', async () => {
    const run = newRun();
    const waits = waitsOn(store);
    const gone = new AbortController();
    const left = waits.until(run, atLeast(1), gone.signal);
    const stays = waits.until(run, atLeast(1), NEVER);
    await expect.poll(waits.following).toBe(1);
    gone.abort();
    expect(await left).toBeUndefined();
    await write(run, 0, 1);
    expect(await stays).toBe('1 of 1');
  });

  it('fail with a journal that fails, and the next one follows anew', async () => {
    const run = newRun();
    let fails = true;
    const read = async () => ({ seq: 0, state: 0, ledger: {} as never });
    const waits = createRunWaits<number>(read, {
      subscribe: async function* ({ signal }) {
        if (fails) throw new Error('away');
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      },
    });
    const both = [1, 2].map((least) => waits.until(run, atLeast(least), NEVER));
    for (const each of both) await expect(each).rejects.toThrow('away');
    fails = false;
    const gone = new AbortController();
    const next = waits.until(run, atLeast(1), gone.signal);
    gone.abort();
    expect(await next).toBeUndefined();
  });

  it('have a look that throws to themselves', async () => {
    const run = newRun();
    const waits = waitsOn(store);
    const broken = waits.until(
      run,
      (count) => {
        if (count > 0) throw new Error('broken');
        return undefined;
      },
      NEVER,
    );
    const whole = waits.until(run, atLeast(1), NEVER);
    await write(run, 0, 1);
    await expect(broken).rejects.toThrow('broken');
    expect(await whole).toBe('1 of 1');
  });

  it('are all told, whenever they come and whatever is written meanwhile', async () => {
    const step = fc.oneof(
      fc.record({ write: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ wait: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ leave: fc.nat(5) }),
      fc.record({ rest: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const run = newRun();
        const waits = waitsOn(store);
        let count = 0;
        const waiting: { least: number; gone: AbortController; found: Promise<string | undefined> }[] = [];
        for (const each of steps) {
          if ('write' in each) {
            await write(run, count, each.write);
            count += each.write;
          } else if ('wait' in each) {
            const gone = new AbortController();
            const found = waits.until(run, atLeast(each.wait), gone.signal);
            waiting.push({ least: each.wait, gone, found });
          } else if ('leave' in each) waiting[each.leave]?.gone.abort();
          else await new Promise((resolve) => setImmediate(resolve));
        }
        for (const { least, gone, found } of waiting) {
          const isDue = least <= count;
          if (!isDue) gone.abort();
          const text = await found;
          if (!isDue) expect(text).toBeUndefined();
          else if (!gone.signal.aborted) expect(text).toMatch(new RegExp(`^${least} of `));
        }
        await expect.poll(waits.following).toBe(0);
      }),
      runs(200, 5_000),
    );
  });
});
