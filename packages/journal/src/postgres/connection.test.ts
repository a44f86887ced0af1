import pg from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { openForTest } from '../../test/places.js';
import { batch, codeOf, must, OTHER, problemsOf, RUN, take } from '../../test/write.js';
import { JournalFailure } from '../error.js';
import { audit } from '../store/audit/audit.js';
import { openStore } from '../store/open.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { openPostgres } from './driver.js';
import { namesOf } from './schema.js';

describePart('postgres', 'a store on postgres', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('lives beside the tables of others and leaves them alone', async () => {
    const databaseUrl = await server.createDatabase();
    await query(databaseUrl, 'CREATE TABLE notes (text TEXT)');
    const store = await openForTest({ databaseUrl });
    must(await store.append(batch()));
    expect(await query(databaseUrl, 'SELECT count(*)::int FROM notes')).toEqual([{ count: 0 }]);
  });

  it('goes on after its connections were cut: subscribers miss nothing, writes are settled by repeating', async () => {
    const databaseUrl = await server.createDatabase();
    const reader = await openForTest({ databaseUrl }, { pollMs: 20 });
    const writer = await openForTest({ databaseUrl });
    const taking = take(reader.subscribe({ run: RUN }), 30);
    for (let seq = 0; seq < 30; seq += 1) {
      if (seq % 10 === 5) await cutAll(databaseUrl);
      const command = batch({ expectedSeq: seq });
      let result = await writer.append(command);
      for (let tries = 0; !result.ok && tries < 20; tries += 1) {
        expect(result.error.code).toBe('E_JOURNAL_UNAVAILABLE');
        result = await writer.append(command);
      }
      expect(codeOf(result)).toBe('ok');
    }
    expect((await taking).map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(await problemsOf(writer)).toEqual([]);
  });

  it('keeps a moment that is read, however long whoever reads it thinks', async () => {
    const databaseUrl = await server.createDatabase();
    const driver = await openPostgres(databaseUrl, { pollMs: 1_000, busyMs: 250 });
    const read = await driver.snapshot(async (session) => {
      const [first] = await session.rows('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, 500));
      return [first, ...(await session.rows('SELECT 2'))];
    });
    expect(read).toEqual([[1], [2]]);
    await driver.close();
  });

  it('is no damaged one where its connection is cut before any statement of an audit', async () => {
    const databaseUrl = await server.createDatabase();
    const store = await openForTest({ databaseUrl });
    must(await store.append(batch()));
    const driver = await openPostgres(databaseUrl, { pollMs: 1_000, busyMs: 10_000 });
    let left = 0;
    const cutting = (session: SqlSession): SqlSession => ({
      async rows(sql, values) {
        left -= 1;
        if (left === 0) await cutAll(databaseUrl);
        return session.rows(sql, values);
      },
    });
    const cut: SqlDriver = { ...driver, snapshot: (use) => driver.snapshot((each) => use(cutting(each))) };
    let cuts = 0;
    do {
      cuts += 1;
      left = cuts;
      const told: unknown[] = [];
      const end = await (async () => {
        for await (const problem of audit(cut)) told.push(problem);
      })().then(
        () => 'whole',
        (thrown: unknown) => (thrown instanceof JournalFailure ? thrown.error : thrown),
      );
      expect(told).toEqual([]);
      if (left <= 0) expect(end).toMatchObject({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'connection' });
      else expect(end).toBe('whole');
    } while (left <= 0);
    expect(cuts).toBeGreaterThan(5);
    await driver.close();
  });

  it('listens again after a cut, without waiting for the poll', async () => {
    const databaseUrl = await server.createDatabase();
    const reader = await openForTest({ databaseUrl }, { pollMs: 1_000_000 });
    const writer = await openForTest({ databaseUrl });
    const events = reader.subscribe({ run: RUN })[Symbol.asyncIterator]();
    const first = events.next();
    must(await writer.append(batch()));
    await first;
    const second = events.next();
    await cutAll(databaseUrl);
    const command = batch({ expectedSeq: 1 });
    while (codeOf(await writer.append(command)) !== 'ok');
    expect((await second).value?.seq).toBe(2);
    await events.return?.();
  });

  it('wakes those who follow a run for that run alone', async () => {
    const databaseUrl = await server.createDatabase();
    const writer = await openForTest({ databaseUrl });
    const driver = await openPostgres(databaseUrl, { pollMs: 1_000_000, busyMs: 10_000 });
    onTestFinished(() => driver.close());
    const { signal } = new AbortController();
    // Listening has begun when everybody was woken once for it.
    await driver.changed(driver.seen(), signal);
    let woken = 0;
    const seen = driver.seen();
    const mine = driver.changed(seen, signal, RUN).then(() => {
      woken += 1;
    });
    let seq = 0;
    for (let at = driver.seen(); seq < 5; at = driver.seen()) {
      const any = driver.changed(at, signal);
      must(await writer.append(batch({ run: OTHER, expectedSeq: seq })));
      await any;
      seq += 1;
    }
    expect(woken).toBe(0);
    must(await writer.append(batch()));
    await mine;
    expect(woken).toBe(1);
  });

  it.each([
    ['nobody listens', () => 'postgres://someone:pass-word-1@127.0.0.1:1/some-place'],
    ['there is no such database', () => server.url.replace('/postgres', '/no-such-place')],
    ['it is no address', () => 'this is no address'],
  ])('says without the address that it cannot be reached: %s', async (_name, url) => {
    const opened = await openStore({ databaseUrl: url() }, { busyMs: 2000 });
    expect(codeOf(opened)).toBe('E_JOURNAL_UNAVAILABLE');
    expect(JSON.stringify(opened)).not.toMatch(/pass-word|some-place|127\.0|no-such/);
  });

  itInTurn('says so when another holds the lock for too long', async () => {
    const databaseUrl = await server.createDatabase();
    // As long for a connection as for the lock: a busy machine needs a while for the first.
    const store = await openForTest({ databaseUrl }, { busyMs: 5_000 });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${namesOf(undefined).lockKey})`);
    const refused = await store.append(batch());
    expect(refused).toMatchObject({ ok: false, error: { code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy' } });
    await client.end();
    expect(codeOf(await store.append(batch()))).toBe('ok');
  });
});

async function query(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const cutAll = (databaseUrl: string): Promise<unknown> =>
  query(
    databaseUrl,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
