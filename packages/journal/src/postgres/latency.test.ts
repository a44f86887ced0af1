import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { runs } from '../../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../../test/shared-postgres.js';
import { type SlowLine, slowLine } from '../../../../test/slow-line.js';
import { openForTest } from '../../test/places.js';
import { batch, codeOf, must, OTHER, problemsOf, RUN } from '../../test/write.js';
import type { RunId } from '../contract.js';
import { placedSum } from '../store/row/sum.js';

describePart('postgres', 'a store on a database that is far away', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  const lineTo = async (databaseUrl: string, roundTripMs = 0): Promise<SlowLine> => {
    const line = await slowLine(databaseUrl, roundTripMs);
    onTestFinished(() => line.close());
    return line;
  };

  it('holds the lock over no round trip: wherever a writer stands still, others write', async () => {
    const databaseUrl = await server.createDatabase();
    const line = await lineTo(databaseUrl);
    const far = await openForTest({ databaseUrl: line.url });
    const near = await openForTest({ databaseUrl });
    must(await far.append(batch()));
    let farSeq = 1;
    let nearSeq = 0;
    // Standing still before it reads, and after it has read: it has read when its answer took one of the numbers.
    for (const isBefore of [true, false]) {
      const reads = await numbersOf(databaseUrl);
      if (isBefore) line.freeze();
      const blobs = [Buffer.from(`content ${isBefore}`)];
      const writing = far.append(batch({ expectedSeq: farSeq, blobs }));
      if (!isBefore) {
        while ((await numbersOf(databaseUrl)) === reads)
          await new Promise((resolve) => setImmediate(resolve));
        line.freeze();
      }
      for (let count = 0; count < 5; count += 1) {
        expect(codeOf(await near.append(batch({ run: OTHER, expectedSeq: nearSeq, blobs })))).toBe('ok');
        nearSeq += 1;
      }
      expect(await locksOf(databaseUrl)).toBe(0);
      line.thaw();
      must(await writing);
      farSeq += 1;
    }
    expect((await near.read(RUN)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await problemsOf(near)).toEqual([]);
  });

  it('renews leases while a transaction holds the lock', async () => {
    const databaseUrl = await server.createDatabase();
    const store = await openForTest({ databaseUrl });
    const lease = await store.acquireLease('work', 'me', 60_000);
    await withClient(databaseUrl, async (client) => {
      await client.query('BEGIN; SELECT pg_advisory_xact_lock(1668638050)');
      expect(lease && (await store.renewLease(lease, 60_000))).toBe(true);
      expect(await store.acquireLease('other work', 'me', 60_000)).toMatchObject({ token: 1 });
      await client.query('ROLLBACK');
    });
  });

  it('writers near and far give every run its seqs without a gap, and positions in the order of commits', async () => {
    const databaseUrl = await server.createDatabase();
    const lines = await Promise.all([50, 200].map((ms) => lineTo(databaseUrl, ms)));
    const stores = await Promise.all(
      [databaseUrl, ...lines.map(({ url }) => url)].map((url) =>
        openForTest({ databaseUrl: url }, { pollMs: 20 }),
      ),
    );
    const [near] = stores;
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { position } of near?.subscribe({ signal: stop.signal }) ?? []) seen.push(position);
    })();
    const each = [12, 4, 3];
    await Promise.all(
      stores.map(async (store, index) => {
        const run = `run_far${index}` as RunId;
        for (let seq = 0; seq < (each[index] ?? 0); seq += 1) {
          // All of them want the same blob and the same projection at the same time.
          const blobs = [Buffer.from(`shared ${seq}`)];
          const projections = [{ name: 'view', key: 'all', value: `${index} ${seq}` }];
          must(await store.append(batch({ run, expectedSeq: seq, blobs, projections })));
        }
      }),
    );
    stop.abort();
    await following;
    for (const [index, count] of each.entries()) {
      const events = await near?.read(`run_far${index}` as RunId);
      expect(events?.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, seq) => seq + 1));
    }
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect(new Set(seen).size).toBe(seen.length);
    if (near) expect(await problemsOf(near)).toEqual([]);
  });

  it('writes over nothing where the numbers of rows fell behind, as after a copy of the tables alone', async () => {
    const databaseUrl = await server.createDatabase();
    const store = await openForTest({ databaseUrl });
    const content = (index: number) => [Buffer.from(`content ${index}`)];
    const names = Array.from({ length: 6 }, (_, index) => `run_number${index}` as RunId);
    for (const [index, run] of names.entries()) {
      must(await store.append(batch({ run, blobs: content(index) })));
      await withClient(databaseUrl, (client) =>
        client.query("SELECT setval('cuebook_run_ids', 1, false), setval('cuebook_blob_ids', 1, false)"),
      );
    }
    expect((await store.runs()).map(({ run }) => run)).toEqual(names);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('the server completes a check sum as this process does, for every sum and position', async () => {
    const databaseUrl = await server.createDatabase();
    await openForTest({ databaseUrl });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    const whole = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    await fc.assert(
      fc.asyncProperty(whole, fc.maxSafeNat(), async (sum, position) => {
        const { rows } = await client.query('SELECT cuebook_placed($1, $2) AS sum', [sum, position]);
        expect(Number(rows[0].sum)).toBe(placedSum(sum, position));
      }),
      runs(500, 20_000),
    );
  });
});

/** How many numbers of blobs were taken. */
const numbersOf = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT last_value, is_called FROM cuebook_blob_ids');
    return Number(rows[0].last_value) + (rows[0].is_called ? 1 : 0);
  });

/** How many hold the lock of the store. */
const locksOf = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    return rows[0].n;
  });
