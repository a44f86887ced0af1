import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { openForTest, type Places } from '../places.js';
import { batch, codeOf, eventsOf, must, OTHER, problemsOf, RUN } from '../write.js';

const text = (of: Uint8Array | 'deleted' | undefined): string | undefined =>
  of instanceof Uint8Array ? Buffer.from(of).toString() : of;

export function keepCases(places: Places): void {
  it('stores blobs once, under the sha256 of their content', async () => {
    const store = await openForTest(await places.fresh());
    const hash = await store.putBlob(Buffer.from('abc'));
    expect(hash).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await store.putBlob(Buffer.from('abc'))).toBe(hash);
    expect(text(await store.getBlob(hash))).toBe('abc');
    const empty = await store.putBlob(new Uint8Array());
    expect(text(await store.getBlob(empty))).toBe('');
    const large = 'words that repeat '.repeat(100_000);
    expect(text(await store.getBlob(await store.putBlob(Buffer.from(large))))).toBe(large);
    expect(await store.size()).toBeLessThan(200_000);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('deletes the content of a blob and keeps its name, with a record in each chain', async () => {
    const store = await openForTest(await places.fresh());
    const content = Buffer.from('to be forgotten '.repeat(20));
    must(await store.append(batch({ blobs: [content] })));
    const [hash = ''] = (await store.commits(RUN))[0]?.blobs ?? [];
    must(await store.append(batch({ run: OTHER, keeps: [hash] })));
    expect(await store.deleteBlob(hash)).toBe(true);
    expect(await store.getBlob(hash)).toBe('deleted');
    expect(await store.deleteBlob(hash)).toBe(false);
    expect(await store.deleteBlob(`sha256:${'1'.repeat(64)}`)).toBe(false);
    for (const run of [RUN, OTHER]) {
      expect((await store.commits(run)).at(-1)).toMatchObject({
        events: [],
        answer: { deleted: hash },
        target: hash,
      });
    }
    expect((await store.head(RUN))?.seq).toBe(1);
    expect(await problemsOf(store)).toEqual([]);
    // The same words said again are new words.
    must(await store.append(batch({ blobs: [content], expectedSeq: 1 })));
    expect(text(await store.getBlob(hash))).toBe(content.toString());
    expect(await store.deleteBlob(hash)).toBe(true);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('removes a run to its tombstone, with the blobs that nobody else keeps', async () => {
    const store = await openForTest(await places.fresh());
    const pinned = await store.putBlob(Buffer.from('pinned'));
    const view = (key: string, value: number) => ({ name: 'view', key, value });
    const first = batch({
      events: eventsOf(3),
      blobs: ['mine', 'ours', 'pinned'].map((content) => Buffer.from(content)),
      projections: [view('mine', 1), view('ours', 1)],
    });
    must(await store.append(first));
    const [mine = '', ours = ''] = (await store.commits(RUN))[0]?.blobs ?? [];
    must(
      await store.append(
        batch({ run: OTHER, keeps: [ours], projections: [view('ours', 2), view('theirs', 2)] }),
      ),
    );
    must(await store.append(batch({ expectedSeq: 3, projections: [view('ours', 3)] })));
    const head = await store.head(RUN);
    const last = (await store.readAll()).at(-1)?.position ?? 0;

    expect(await store.removeRun(RUN)).toBe(true);
    expect(await store.removeRun(RUN)).toBe(false);
    expect(await store.head(RUN)).toBeUndefined();
    expect(await store.read(RUN)).toEqual([]);
    expect((await store.runs()).map(({ run }) => run)).toEqual([OTHER]);
    expect(await store.removedRuns()).toMatchObject([{ run: RUN, seq: 4, hash: head?.hash }]);
    expect(await store.getBlob(mine)).toBeUndefined();
    expect(text(await store.getBlob(ours))).toBe('ours');
    expect(text(await store.getBlob(pinned))).toBe('pinned');
    expect([...(await store.projections('view'))]).toEqual([['theirs', 2]]);
    expect(codeOf(await store.append(batch({ expectedSeq: 4 })))).toBe('E_JOURNAL_REMOVED');
    expect(codeOf(await store.append(first))).toBe('E_JOURNAL_REMOVED');
    expect(await problemsOf(store)).toEqual([]);
    // A position is never given twice: a subscriber's cursor stays good.
    must(await store.append(batch({ run: OTHER, expectedSeq: 1 })));
    expect((await store.readAll()).at(-1)?.position).toBeGreaterThan(last);
  });

  it('takes less room after a run was removed', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch()));
    const before = await store.size();
    const content = createHash('shake256', { outputLength: 200_000 }).update('noise').digest();
    must(await store.append(batch({ run: OTHER, blobs: [content], events: [{ type: 'a', data: 'x' }] })));
    const full = await store.size();
    await store.removeRun(OTHER);
    expect(await store.size()).toBeLessThan(before + (full - before) / 2);
  });
}
