import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readAnchor } from '../src/anchor/read.js';
import type { RunId, StoreFaultPoint } from '../src/contract.js';
import { openStore, type StorePlace } from '../src/store/open.js';
import { ownerOf } from './owner.js';
import { must, problemsOf } from './write.js';

const CHILD = fileURLToPath(new URL('./writer-child.mjs', import.meta.url));

export const LANES = 4;

/** Where a child kills itself: the n-th time it comes by. */
export interface Death {
  readonly point: StoreFaultPoint;
  readonly side: 'before' | 'after';
  readonly hit: number;
}

export interface Ordeal {
  readonly url: string;
  readonly place: StorePlace;
  /** Where its owner keeps key and anchor. */
  readonly home: string;
  /** What was acknowledged so far, by lane. Changed by each life. */
  readonly acknowledged: number[];
}

export interface Life {
  readonly die?: Death;
  /** Killed from outside when this many more writes were acknowledged. */
  readonly killAfter?: number;
  /** Ends by itself when this many more were written on each lane. */
  readonly count?: number;
  /** The lanes of this writer: all of them if not said. */
  readonly lanes?: readonly [first: number, end: number];
}

/** One life of a writer; answers the signal that ended it. */
export function live({ url, place, home, acknowledged }: Ordeal, life: Life): Promise<string | null> {
  const {
    die = null,
    killAfter,
    count: more = 10_000,
    lanes: [first, end] = [0, acknowledged.length],
  } = life;
  const input = JSON.stringify({
    place,
    home,
    lanes: acknowledged.slice(first, end),
    first,
    count: more,
    die,
  });
  const child = spawn(process.execPath, [CHILD, url, input], { stdio: ['ignore', 'pipe', 'inherit'] });
  let rest = '';
  let count = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [lane = 0, number = 0] = line.split(' ').map(Number);
      acknowledged[lane] = number;
      count += 1;
    }
    if (killAfter !== undefined && count >= killAfter) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
}

/**
 * After a death: nothing torn, every acknowledged write there, at most the one in flight besides, nothing twice, and
 * the projections are what the log says. What was acknowledged is in the anchor, and nothing that is not in the store.
 */
export async function expectWhole({ place, home, acknowledged }: Ordeal): Promise<void> {
  const owner = await ownerOf(home);
  const { heads } = readAnchor(readFileSync(owner.anchorFile, 'latin1'), owner.publicKeys);
  for (const [lane, done] of acknowledged.entries()) {
    expect(heads.get(`run_lane${lane}`)?.seq ?? 0).toBeGreaterThanOrEqual(2 * done);
  }
  const store = must(await openStore(place, { owner }));
  try {
    // Takes the lock that writers take: a commit that the dead one had sent is done after this.
    await store.putBlob(Buffer.from('after the death'));
    expect(await problemsOf(store)).toEqual([]);
    for (const head of heads.values()) expect(await store.hasHead(head)).toBe(true);
    for (const [lane, done] of acknowledged.entries()) {
      const run = `run_lane${lane}` as RunId;
      const events = await store.read(run, { limit: 100_000 });
      const last = events.length / 2;
      expect([done, done + 1]).toContain(last);
      const numbers = events.map(({ data }) => (data as { number: number }).number);
      expect(numbers).toEqual(Array.from({ length: events.length }, (_, index) => (index >> 1) + 1));
      expect(await store.projection('lane', run)).toEqual(last === 0 ? undefined : { number: last });
      if (last > 0) {
        expect(await store.findCommand(run, `cmd_${last}`)).toMatchObject({ answer: { number: last } });
      }
    }
  } finally {
    await store.close();
  }
}
