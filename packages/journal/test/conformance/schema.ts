import { expect, it } from 'vitest';
import type { RunId } from '../../src/contract.js';
import { SCHEMA_VERSION } from '../../src/schema/steps.js';
import { openStore, restoreStore } from '../../src/store/open.js';
import { openForTest, type Places, sqlitePlaces } from '../places.js';
import { type Cell, rawDatabase } from '../raw.js';
import { V1_HEADS, V1_ROWS, V1_TABLES } from '../schema/v1.js';
import { batch, codeOf, must, problemsOf } from '../write.js';

const FIRST = 'run_first' as RunId;
const SECOND = 'run_second' as RunId;

export function schemaCases(places: Places): void {
  it('brings a store of version 1 to the newest layout, with all that is in it', async () => {
    const place = await placeOfV1(places);
    const store = await openForTest(place);
    expect(store.schemaVersion).toBe(SCHEMA_VERSION);
    await expectV1(store);
    expect(await store.acquireLease('work', 'me', 1000)).toMatchObject({ token: 1 });
    expect(must(await store.append(batch({ run: FIRST, command: 'cmd_1', target: 'start' })))).toMatchObject({
      firstSeq: 1,
      lastSeq: 2,
      answer: { accepted: true },
      repeated: true,
    });
    expect(codeOf(await store.append(batch({ run: FIRST, expectedSeq: 3 })))).toBe('ok');
    await store.close();
    const again = await openForTest(place);
    expect(await problemsOf(again)).toEqual([]);
    expect((await again.head(FIRST))?.seq).toBe(4);
  });

  it('brings it there once when several open it at the same time', async () => {
    const place = await placeOfV1(places);
    const stores = await Promise.all([openForTest(place), openForTest(place), openForTest(place)]);
    for (const store of stores) expect(await store.head(FIRST)).toEqual(V1_HEADS.run_first);
    expect(await stores[0]?.acquireLease('work', 'me', 1000)).toMatchObject({ token: 1 });
  });

  it('makes a new store once when several open it at the same time', async () => {
    const place = await places.fresh();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openForTest(place)));
    const results = await Promise.all(
      stores.map((store, index) => store.append(batch({ run: `run_s${index}` as RunId }))),
    );
    expect(results.map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect((await stores[0]?.runs())?.length).toBe(5);
  });

  it('refuses a store of a newer version and leaves it as it is', async () => {
    const place = await places.fresh();
    const store = await openForTest(place);
    must(await store.append(batch()));
    await store.close();
    const raw = await rawDatabase(place);
    await raw.run("UPDATE cuebook_meta SET value = ? WHERE name = 'schema'", [SCHEMA_VERSION + 1]);
    const before = await raw.read('cuebook_commits');
    const opened = await openStore(place);
    expect(opened).toEqual({
      ok: false,
      error: { code: 'E_JOURNAL_SCHEMA_NEWER', found: SCHEMA_VERSION + 1, known: SCHEMA_VERSION },
    });
    expect(await raw.read('cuebook_commits')).toEqual(before);
    expect(await raw.run("SELECT value FROM cuebook_meta WHERE name = 'schema'")).toEqual([
      [SCHEMA_VERSION + 1],
    ]);
    await raw.close();
  });

  it('restores a backup of version 1 into the newest layout, and leaves the backup as it is', async () => {
    const backup = await placeOfV1(sqlitePlaces);
    const restored = must(await restoreStore('file' in backup ? backup.file : '', await places.fresh()));
    try {
      await expectV1(restored);
      expect(await restored.acquireLease('work', 'me', 1000)).toMatchObject({ token: 1 });
    } finally {
      await restored.close();
    }
    const raw = await rawDatabase(backup);
    expect(await raw.run("SELECT value FROM cuebook_meta WHERE name = 'schema'")).toEqual([[1]]);
    await raw.close();
  });
}

async function expectV1(store: Awaited<ReturnType<typeof openForTest>>): Promise<void> {
  expect(await problemsOf(store)).toEqual([]);
  expect(await store.head(FIRST)).toEqual(V1_HEADS.run_first);
  expect(await store.head(SECOND)).toEqual(V1_HEADS.run_second);
  expect((await store.readAll()).map(({ run, type }) => `${run} ${type}`)).toEqual([
    'run_first run.started',
    'run_first turn.recorded',
    'run_second run.started',
    'run_first run.finished',
  ]);
  expect(await store.projection('view', FIRST)).toEqual({ status: 'done', turns: 1 });
  const [block = ''] = (await store.commits(FIRST))[0]?.blobs ?? [];
  expect(Buffer.from((await store.getBlob(block)) as Uint8Array).toString()).toBe(
    'a block of text that is kept '.repeat(5),
  );
}

/** A place with a store of version 1 in it. */
async function placeOfV1(places: Places) {
  const place = await places.fresh();
  const raw = await rawDatabase(place);
  for (const statement of V1_TABLES(places.kind)) await raw.run(statement);
  for (const [table, rows] of Object.entries(V1_ROWS)) {
    for (const row of rows) {
      const cells = row.map(toCell);
      await raw.run(`INSERT INTO ${table} VALUES (${cells.map(() => '?').join(', ')})`, cells);
    }
  }
  await raw.close();
  return place;
}

const toCell = (cell: string | number | null): Cell =>
  typeof cell === 'string' && cell.startsWith('x:') ? Buffer.from(cell.slice(2), 'hex') : cell;
