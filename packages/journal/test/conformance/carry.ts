import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Adoption, Store } from '../../src/contract.js';
import { restoreStore } from '../../src/store/open.js';
import { openForTest, type Places, scratchFolder, sqlitePlaces } from '../places.js';
import { batch, codeOf, eventsOf, must, OTHER, photograph, problemsOf, RUN, rejection } from '../write.js';

/** A store with something of everything. */
async function filled(store: Store): Promise<string> {
  const blobs = [Buffer.from('one '.repeat(50)), Buffer.from('two')];
  must(
    await store.append(
      batch({ events: eventsOf(3), blobs, projections: [{ name: 'view', key: 'a', value: [1] }] }),
    ),
  );
  must(await store.append(batch({ expectedSeq: 3, events: [], answer: { nothing: true } })));
  must(await store.append(batch({ run: OTHER, projections: [{ name: 'view', key: 'b', value: 'two' }] })));
  must(await store.append(batch({ expectedSeq: 3, projections: [{ name: 'view', key: 'c', value: 3 }] })));
  must(await store.append(batch({ expectedSeq: 4, projections: [{ name: 'view', key: 'c', value: null }] })));
  const [gone = ''] = (await store.commits(RUN))[0]?.blobs ?? [];
  await store.deleteBlob(gone);
  await store.putBlob(Buffer.from('by itself'));
  await store.acquireLease('work', 'me', 1000);
  return gone;
}

async function adoptionOf(store: Store, gone: string): Promise<Adoption> {
  const commits = await store.commits(RUN);
  const names = [...new Set(commits.flatMap(({ blobs }) => blobs))].filter((name) => name !== gone);
  const blobs = (await Promise.all(names.map((name) => store.getBlob(name)))) as Uint8Array[];
  const projections = [{ name: 'view', key: 'a', value: [1] }];
  return { run: RUN, commits, blobs, deleted: [{ hash: gone, size: 200 }], projections };
}

export function carryCases(places: Places): void {
  it('takes in a run of another store, hashes included', async () => {
    const source = await openForTest(await sqlitePlaces.fresh());
    const adoption = await adoptionOf(source, await filled(source));
    const target = await openForTest(await places.fresh());
    must(await target.append(batch({ run: OTHER })));
    expect(must(await target.adopt(adoption))).toEqual({ lastSeq: 5, repeated: false });
    expect(must(await target.adopt(adoption))).toEqual({ lastSeq: 5, repeated: true });
    expect(await target.head(RUN)).toEqual(await source.head(RUN));
    const bare = async (store: Store) =>
      (await store.read(RUN)).map(({ position, ...event }) => ({ ...event, placed: position > 0 }));
    expect(await bare(target)).toEqual(await bare(source));
    expect(await target.projection('view', 'a')).toEqual([1]);
    expect(await target.getBlob(adoption.deleted?.[0]?.hash ?? '')).toBe('deleted');
    expect(await problemsOf(target)).toEqual([]);
    expect(codeOf(await target.append(batch({ expectedSeq: 5 })))).toBe('ok');
    expect(codeOf(await target.adopt(adoption))).toBe('E_JOURNAL_CONFLICT');
    expect(await problemsOf(target)).toEqual([]);
  });

  it('takes a removed run in again, as what it was', async () => {
    const store = await openForTest(await places.fresh());
    const adoption = await adoptionOf(store, await filled(store));
    await store.removeRun(RUN);
    const less = {
      ...adoption,
      commits: adoption.commits.slice(0, 1),
      projections: adoption.projections ?? [],
    };
    expect(codeOf(await store.adopt(less))).toBe('E_JOURNAL_BLOB_MISSING');
    expect(must(await store.adopt(adoption)).repeated).toBe(false);
    expect((await store.head(RUN))?.seq).toBe(5);
    expect(await store.removedRuns()).toEqual([]);
    expect(await problemsOf(store)).toEqual([]);
  });

  const spoiled: readonly (readonly [string, (adoption: Adoption) => Adoption, string])[] = [
    [
      'an event was changed',
      (adoption) => {
        const changed = structuredClone(adoption) as unknown as {
          commits: { events: { data: unknown }[] }[];
        };
        (changed.commits[0]?.events[1] as { data: unknown }).data = { number: 7 };
        return changed as never;
      },
      'E_JOURNAL_CORRUPT',
    ],
    [
      'a commit is missing',
      (adoption) => ({ ...adoption, commits: adoption.commits.slice(1) }),
      'E_JOURNAL_CORRUPT',
    ],
    ['it is another run', (adoption) => ({ ...adoption, run: OTHER }), 'E_JOURNAL_CORRUPT'],
    ['a blob is missing', (adoption) => ({ ...adoption, blobs: [] }), 'E_JOURNAL_BLOB_MISSING'],
    [
      'a blob is said to be deleted and no record says so',
      (adoption) => ({
        ...adoption,
        blobs: [],
        deleted: adoption.commits.flatMap(({ blobs }) => blobs).map((hash) => ({ hash, size: 3 })),
      }),
      'E_JOURNAL_BLOB_MISSING',
    ],
    ['a projection is missing', (adoption) => ({ ...adoption, projections: [] }), 'E_JOURNAL_CORRUPT'],
    [
      'a projection was changed',
      (adoption) => ({ ...adoption, projections: [{ name: 'view', key: 'a', value: [2] }] }),
      'E_JOURNAL_CORRUPT',
    ],
    ['it is empty', (adoption) => ({ ...adoption, commits: [] }), 'E_JOURNAL_INVALID'],
  ];
  it.each(spoiled)('a run is not taken in when %s', async (_name, spoil, code) => {
    const source = await openForTest(await sqlitePlaces.fresh());
    const adoption = await adoptionOf(source, await filled(source));
    const target = await openForTest(await places.fresh());
    expect(codeOf(await target.adopt(spoil(adoption)))).toBe(code);
    expect(await target.runs()).toEqual([]);
    expect(await problemsOf(target)).toEqual([]);
  });

  it('copies itself into one private file while writers go on, and is restored from it', async () => {
    const store = await openForTest(await places.fresh());
    await filled(store);
    for (let index = 0; index < 150; index += 1)
      must(await store.append(batch({ run: `run_x${index}` as never })));
    const before = await photograph(store, [RUN, OTHER]);
    const file = join(scratchFolder(), 'copies', 'copy.db');
    const copying = store.backup(file);
    const busy = Promise.all(
      Array.from({ length: 50 }, (_, index) => store.append(batch({ run: `run_b${index}` as never }))),
    );
    await copying;
    expect((await busy).every(({ ok }) => ok)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(['copy.db']);
    expect(await rejection(store.backup(file))).toMatchObject({ error: { code: 'E_JOURNAL_FOREIGN' } });

    const place = await places.fresh();
    const restored = must(await restoreStore(file, place));
    onTestFinished(() => restored.close());
    const after = await photograph(restored, [RUN, OTHER]);
    expect(after.each).toEqual(before.each);
    expect(after.projections).toEqual(before.projections);
    expect(after.all.slice(0, before.all.length)).toEqual(before.all);
    expect(await problemsOf(restored)).toEqual([]);
    expect(await restored.acquireLease('work', 'me', 1000)).toMatchObject({ token: 2 });
    expect(codeOf(await restored.append(batch({ expectedSeq: 5 })))).toBe('ok');
    const again = await restoreStore(file, place);
    expect(codeOf(again)).toBe('E_JOURNAL_FOREIGN');
    expect((await restored.head(RUN))?.seq).toBe(6);
  });

  it.each([
    ['is not there', undefined],
    ['is something else', 'not a database '.repeat(100)],
  ])('restores nothing from a backup that %s', async (_name, text) => {
    const file = join(scratchFolder(), 'backup.db');
    if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
    const place = await places.fresh();
    expect((await restoreStore(file, place)).ok).toBe(false);
    const store = await openForTest(place);
    expect(await store.runs()).toEqual([]);
  });
}
