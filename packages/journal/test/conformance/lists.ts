import { expect, it, onTestFinished } from 'vitest';
import type { RunId, Store } from '../../src/contract.js';
import { openPostgres } from '../../src/postgres/driver.js';
import { openSqlite } from '../../src/sqlite/driver.js';
import type { StorePlace } from '../../src/store/open.js';
import type { SqlDriver, SqlSession } from '../../src/store/port/driver.js';
import { encodeBody } from '../../src/store/row/body.js';
import { commandKey, digest, keyOf } from '../../src/store/row/chain.js';
import { pack } from '../../src/store/row/pack.js';
import { blobCells, commitCells, projectionCells, runCells } from '../../src/store/row/rows.js';
import { createStore } from '../../src/store/store.js';
import { openForTest, type Places } from '../places.js';
import { type Cell, type RawDatabase, rawDatabase } from '../raw.js';
import { batch, must } from '../write.js';

/** Enough that no planner reads a table from end to end because it is small. */
const MANY = 3_000;
const OPEN = 'run_open' as RunId;

export function listCases(places: Places): void {
  it('lists pages of runs from the newest on, removed ones left out', async () => {
    const store = await openForTest(await places.fresh());
    const names = Array.from({ length: 7 }, (_, index) => `run_list${index}` as RunId);
    for (const run of names) must(await store.append(batch({ run })));
    await store.removeRun('run_list3' as RunId);
    const listed: RunId[] = [];
    for (let before: RunId | undefined; ; before = listed.at(-1)) {
      const page = await store.recentRuns({ limit: 2, ...(before && { before }) });
      listed.push(...(page ?? []).map(({ run }) => run));
      if (page?.length !== 2) break;
    }
    expect(listed).toEqual(names.filter((run) => run !== 'run_list3').reverse());
    expect(await store.recentRuns({ limit: 2, before: 'run_none' as RunId })).toBeUndefined();
    expect(await store.newest()).toBe(7);
  });

  it('leaves what is at rest out of the list of what is active, until it is written again', async () => {
    const store = await openForTest(await places.fresh());
    const put = (expectedSeq: number, isAtRest: boolean, run = OPEN) =>
      store.append(
        batch({ run, expectedSeq, projections: [{ name: 'view', key: 'a', value: expectedSeq, isAtRest }] }),
      );
    const active = async () => [...(await store.projections('view', { active: true })).values()];
    must(await put(0, false));
    expect(await active()).toEqual([0]);
    must(await put(1, true));
    expect(await active()).toEqual([]);
    expect([...(await store.projections('view')).values()]).toEqual([1]);
    must(await put(0, true, 'run_other' as RunId));
    must(await put(2, false));
    expect(await active()).toEqual([2]);
    await store.removeRun(OPEN);
    expect([...(await store.projections('view')).values()]).toEqual([]);
  });

  it('reads no table from end to end: listing runs, what is active, opening one run, writing to it', async () => {
    const place = await places.fresh();
    await (await openForTest(place)).close();
    const raw = await rawDatabase(place);
    onTestFinished(() => raw.close());
    await fill(raw);
    const { store, statements } = await recorded(place);
    must(await store.append(batch({ run: OPEN })));
    statements.clear();
    await readAsLists(store);
    must(await store.append(batch({ run: OPEN, expectedSeq: 1, blobs: [Buffer.from('text')] })));
    expect(statements.size).toBeGreaterThan(8);
    for (const [sql, values] of statements) {
      expect({ sql, scans: await scansOf(raw, places.kind, sql, values) }).toEqual({ sql, scans: [] });
    }
  });
}

async function readAsLists(store: Store): Promise<void> {
  expect(await store.recentRuns({ limit: 50 })).toHaveLength(50);
  expect(await store.recentRuns({ limit: 50, before: 'run_many1500' as RunId })).toHaveLength(50);
  expect((await store.projections('standings', { active: true })).size).toBe(3);
  await store.projection('standings', OPEN);
  await store.read(OPEN);
  await store.readAll({ after: MANY - 10, limit: 5 });
  await store.head(OPEN);
  await store.commits(OPEN);
  await store.findCommand(OPEN, 'none');
  await store.findLease('none');
  await store.newest();
}

/** A store whose statements are written down, each once, with values. */
async function recorded(place: StorePlace) {
  const options = { pollMs: 1_000, busyMs: 10_000 };
  const driver =
    'file' in place
      ? await openSqlite(place.file, { ...options, now: () => Date.now() })
      : await openPostgres(place.databaseUrl, options);
  const statements = new Map<string, readonly Cell[]>();
  const listening = (session: SqlSession): SqlSession => ({
    rows(sql, values) {
      if (sql.startsWith('SELECT')) statements.set(sql, (values ?? []) as readonly Cell[]);
      return session.rows(sql, values);
    },
  });
  const { trip } = driver;
  const heard: SqlDriver = {
    ...driver,
    ...listening(driver),
    write: (use, steps) => driver.write((session) => use(listening(session)), steps),
    ...(trip && { trip: { ...trip, read: (use) => trip.read((session) => use(listening(session))) } }),
  };
  const store = createStore({
    driver: heard,
    schemaVersion: 0,
    now: Date.now,
    ticks: () => performance.now(),
  });
  onTestFinished(() => store.close());
  return { store, statements };
}

/** Tables that a statement reads from end to end. */
async function scansOf(
  raw: RawDatabase,
  kind: Places['kind'],
  sql: string,
  values: readonly Cell[],
): Promise<readonly string[]> {
  if (kind === 'sqlite') {
    const plan = await raw.run(`EXPLAIN QUERY PLAN ${sql}`, values);
    return plan.map((row) => String(row[3])).filter((line) => /^SCAN (?!CONSTANT)/.test(line));
  }
  const plan = await raw.run(`EXPLAIN ${sql}`, values);
  return plan.map(([line]) => String(line)).filter((line) => /Seq Scan on cuebook_(?!meta)/.test(line));
}

/** Runs that are over, with a commit and a standing each; three of them are active. */
async function fill(raw: RawDatabase): Promise<void> {
  const runs: Cell[][] = [];
  const commits: Cell[][] = [];
  const projections: Cell[][] = [];
  const blobs: Cell[][] = [];
  const leases: Cell[][] = [];
  for (let id = 1; id <= MANY; id += 1) {
    const name = `run_many${id}`;
    const hash = digest(Buffer.from(name));
    const times = { startedAt: id, lastAt: id, removedAt: null };
    runs.push([...runCells({ id, name, seq: 1, position: id, ...times, hash })] as Cell[]);
    const body = encodeBody({
      ...{ command: 'c', target: 't', answer: 'null', projections: [], blobs: [] },
      events: [{ type: 'thing.done', data: 'null' }],
    });
    const commit = { position: id, run: id, seq: 1, at: id, commandKey: commandKey(name, 'c'), body, hash };
    const data = pack(Buffer.from(name));
    blobs.push([...blobCells({ id, key: keyOf(hash), size: name.length, name: hash, data })] as Cell[]);
    leases.push([`engine/lane/${name}/main`, 1, 'me', 0, 1_000, null, 0]);
    commits.push([...commitCells(commit)] as Cell[]);
    const row = { name: 'standings', key: name, run: id, position: id, shared: id <= 3 ? 0 : 2 };
    projections.push([...projectionCells({ ...row, value: pack(Buffer.from('{}')) })] as Cell[]);
  }
  await insert(raw, 'cuebook_runs', runs);
  await insert(raw, 'cuebook_commits', commits);
  await insert(raw, 'cuebook_projections', projections);
  await insert(raw, 'cuebook_blobs', blobs);
  await insert(raw, 'cuebook_leases', leases);
  await raw.run('ANALYZE');
}

async function insert(raw: RawDatabase, table: string, rows: readonly (readonly Cell[])[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 100) {
    const page = rows.slice(from, from + 100);
    const marks = page.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
    await raw.run(`INSERT INTO ${table} VALUES ${marks}`, page.flat());
  }
}
