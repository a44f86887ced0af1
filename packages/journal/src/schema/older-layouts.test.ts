import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { compilePackage } from '../../../../test/compile.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it, sampled } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { ownerOf, verifyPlace } from '../../test/owner.js';
import { scratchFolder } from '../../test/places.js';
import { FILLED, type Filled, fillStore, seenIn } from '../../test/schema/filled.js';
import { rowsOfLayout, writeOlder } from '../../test/schema/older-layout.js';
import { batch, codeOf, must, problemsOf } from '../../test/write.js';
import type { RunId } from '../contract.js';
import { OWNER_SINCE } from '../owner/claim.js';
import type { StoreOwner } from '../owner/project.js';
import { openPostgres, postgresTables } from '../postgres/driver.js';
import { connect } from '../sqlite/connection.js';
import { openSqlite, SQLITE_TABLES } from '../sqlite/driver.js';
import { setUpFile } from '../sqlite/mark.js';
import { openStore, restoreStore, type StorePlace } from '../store/open.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { migrate, type Tables } from './migrate.js';
import { SCHEMA_VERSION, STEPS, type Types } from './steps.js';

const OPTIONS = { now: Date.now, pollMs: 1_000, busyMs: 10_000 };
const CHILD = fileURLToPath(new URL('../../test/migrate-child.mjs', import.meta.url));
/** From the newest layout there is nothing to do. */
const LAYOUTS = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1);

let built: ReturnType<typeof compilePackage>;
beforeAll(() => {
  built = compilePackage('journal');
});
afterAll(() => built.remove());

/** Where a process can die: before each statement of each layout's migration, that of the version, and the commit. */
const pointsOf = (types: Types) =>
  LAYOUTS.flatMap((layout) => {
    const statements = STEPS.slice(layout).flatMap((step) => step(types)).length;
    return Array.from({ length: statements + 2 }, (_, statement) => ({ layout, statement }));
  });

/** One of the two databases: where a store of an earlier layout is made, looked at, and left in the middle. */
interface Older {
  readonly tables: Tables;
  fresh(home: string): Promise<StorePlace>;
  /** The driver, past the checks that a store makes. */
  open(place: StorePlace): Promise<SqlDriver>;
  killAt(place: StorePlace, statement: number): Promise<void>;
}

const inFile: Older = {
  tables: SQLITE_TABLES,
  async fresh(home) {
    const file = join(home, 'journal.db');
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    writeFileSync(file, '', { mode: 0o600 });
    const connection = connect(file);
    setUpFile(connection);
    connection.close();
    return { file };
  },
  open: (place) => openSqlite('file' in place ? place.file : '', OPTIONS),
  async killAt(place, statement) {
    const file = 'file' in place ? place.file : '';
    const killed = spawnSync(process.execPath, [CHILD, built.url, file, String(statement)], {
      encoding: 'utf8',
    });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
  },
};

const inDatabase = (server: () => Databases): Older => {
  const open = (place: StorePlace) =>
    openPostgres('databaseUrl' in place ? place.databaseUrl : '', { pollMs: 1_000, busyMs: 10_000 });
  return {
    tables: postgresTables(undefined),
    fresh: async () => ({ databaseUrl: await server().createDatabase() }),
    open,
    async killAt(place, statement) {
      const driver = await open(place);
      await expect(migrate(dyingAt(driver, statement), postgresTables(undefined))).rejects.toThrow();
      await driver.close();
    },
  };
};

/** The connection dies before a statement of the transaction, or before its commit, as it does with its process. */
function dyingAt(driver: SqlDriver, statement: number): SqlDriver {
  let left = statement;
  const step = async (session: SqlSession): Promise<void> => {
    if (left === 0) await session.rows('SELECT pg_terminate_backend(pg_backend_pid())');
    left -= 1;
  };
  const dying = (session: SqlSession): SqlSession => ({
    async rows(sql, values) {
      if (!sql.startsWith('SELECT') || sql.includes('cuebook_align')) await step(session);
      return session.rows(sql, values);
    },
  });
  return {
    ...driver,
    write: (use, steps) =>
      driver.write(async (session) => {
        const ended = await use(dying(session));
        await step(session);
        return ended;
      }, steps),
  };
}

/** A home of a project, and what a store of a layout in it holds. */
async function homeWith(older: Older, layout: number) {
  const root = scratchFolder();
  const home = join(root, 'home');
  const owner = await ownerOf(home);
  const filled = await fillStore(home, owner);
  const place = await olderOf(older, { home, layout, filled });
  return { root, home, owner, filled, place };
}

interface Given {
  readonly home: string;
  readonly layout: number;
  readonly filled: Filled;
}

async function olderOf(older: Older, { home, layout, filled }: Given): Promise<StorePlace> {
  const newest = `${filled.file}.newest`;
  cpSync(filled.file, newest);
  const source = connect(newest);
  const place = await older.fresh(home);
  const driver = await older.open(place);
  try {
    await driver.write(async (to) => {
      await writeOlder(source, { to, tables: older.tables, layout });
      return { keep: true, value: undefined };
    });
  } finally {
    await driver.close();
    source.close();
    rmSync(newest);
  }
  // Nothing outside the store noted where its runs stand, before it had an owner.
  if (layout < OWNER_SINCE) rmSync(join(home, 'anchor.jsonl'));
  return place;
}

const rowsOf = async (older: Older, place: StorePlace, layout: number): Promise<unknown> => {
  const driver = await older.open(place);
  try {
    return await rowsOfLayout(driver, layout);
  } finally {
    await driver.close();
  }
};

/** All that was in the store is there as it was, verifies, and goes on. */
async function expectGoesOn(
  place: StorePlace,
  { home, owner, filled, layout }: Given & { readonly owner: StoreOwner },
): Promise<void> {
  const [a, b, gone] = FILLED as [RunId, RunId, RunId];
  const store = must(await openStore(place, { owner, home }));
  expect(store.schemaVersion).toBe(SCHEMA_VERSION);
  expect(await seenIn(store)).toEqual(filled.seen);
  expect(await problemsOf(store)).toEqual([]);
  expect(await store.vault?.open(a, filled.sealed)).toBe('a secret of the run');
  const again = await store.append(batch({ run: a, command: 'cmd_again', expectedSeq: 0 }));
  expect(again).toMatchObject({ ok: true, value: { repeated: true, answer: { fits: true } } });
  expect(codeOf(await store.append(batch({ run: gone })))).not.toBe('ok');
  for (const run of [a, b]) {
    const { seq = 0 } = (await store.head(run)) ?? {};
    const projections = [
      { name: 'view', key: run, value: { status: 'went on' } },
      { name: 'view', key: 'both', value: { by: run } },
    ];
    const blobs = [Buffer.from('a text that is kept '.repeat(40)), Buffer.from(`new of ${run} `.repeat(40))];
    must(await store.append(batch({ run, expectedSeq: seq, projections, blobs })));
  }
  must(
    await store.append(batch({ run: 'run_new' as RunId, blobs: [Buffer.from('of a new run '.repeat(40))] })),
  );
  expect((await store.runs()).map(({ run }) => run).sort()).toEqual([a, b, 'run_new'].sort());
  // Tokens of a scope only grow, also over a migration, from the layout on that has leases.
  const lease = await store.acquireLease('work', 'somebody else', 60_000);
  if (layout >= 2) expect(lease?.token).toBe(filled.lease.token + 1);
  expect(await problemsOf(store)).toEqual([]);
  await store.close();
  expect(await verifyPlace(place, owner)).toEqual([]);
}

function casesOf(older: Older): void {
  it('killed at any statement it leaves every row as it was, and whoever opens it next goes on with all of it', async () => {
    for (const { layout, statement } of sampled(pointsOf(older.tables.types), 2)) {
      const { home, owner, filled, place } = await homeWith(older, layout);
      const before = await rowsOf(older, place, layout);
      await older.killAt(place, statement);
      expect(await rowsOf(older, place, layout), `${layout} ${statement}`).toEqual(before);
      await expectGoesOn(place, { home, owner, filled, layout });
    }
  });

  it('opened by several at the same time it is brought there once', async () => {
    for (const layout of sampled(LAYOUTS, 1)) {
      const { home, owner, filled, place } = await homeWith(older, layout);
      const stores = await Promise.all([1, 2, 3].map(() => openStore(place, { owner, home })));
      for (const store of stores) await must(store).close();
      await expectGoesOn(place, { home, owner, filled, layout });
    }
  });
}

describe('a migration of a file with all that an earlier layout can hold', () => {
  casesOf(inFile);

  it('of a backup: it is restored with all of it, and left as it is', async () => {
    for (const layout of sampled(LAYOUTS, 1)) {
      const { root, home, owner, filled, place } = await homeWith(inFile, layout);
      const before = await rowsOf(inFile, place, layout);
      const file = join(root, 'restored.db');
      const restored = must(await restoreStore('file' in place ? place.file : '', { file }, { owner, home }));
      await restored.close();
      expect(await rowsOf(inFile, place, layout)).toEqual(before);
      await expectGoesOn({ file }, { home, owner, filled, layout });
    }
  });
});

describePart('postgres', 'a migration of a database with all that an earlier layout can hold', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  casesOf(inDatabase(() => server));
});
