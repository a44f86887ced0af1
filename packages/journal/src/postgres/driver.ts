import pg from 'pg';
import { type JournalError, JournalFailure } from '../error.js';
import type { Tables } from '../schema/migrate.js';
import type { CommitSteps, SqlDriver, SqlRow, SqlSession } from '../store/port/driver.js';
import { createWriteQueue, NotCommitted, type WriteJob } from '../store/port/write-queue.js';
import { createSharedClock } from '../store/shared-clock.js';
import { openBroadcast } from './broadcast.js';
import { explainPostgres } from './explain.js';
import { listen } from './listen.js';
import { refusePool } from './refuse-pool.js';
import { namesOf, type SchemaName } from './schema.js';
import { PARSERS, type PostgresSession, toSession } from './session.js';

export interface PostgresOptions {
  /** How often to look for commits while somebody waits for one, beside being notified. */
  readonly pollMs: number;
  /** How long to wait for a connection and for the lock of the store. */
  readonly busyMs: number;
  /** Where its tables lie. */
  readonly schema?: SchemaName;
}

/** The driver takes anything else for a socket or a host, and says afterwards that nobody is there. */
const ADDRESS = /^postgres(?:ql)?:\/\//i;
const NO_ADDRESS: JournalError = {
  code: 'E_JOURNAL_UNAVAILABLE',
  reason: 'connection',
  system: 'address',
};

/** How long a lease is waited for at least. */
const LEASE_PATIENCE_MS = 5_000;

/** Connections for reading beside the one that writes. */
const CONNECTIONS = 4;

/**
 * The shared database. Every transaction that gives positions holds one advisory lock of the store until it is
 * committed: positions are given and become visible in the same order, so a reader that has seen one never finds a
 * lower one later. An append takes it inside one round trip; only what is rare (migrating, adopting and removing a run)
 * waits for answers with it. A process that is paused inside such a transaction loses it before others give up waiting
 * for the lock. Leases do not need it and have a connection of their own: they are renewed whatever else goes on.
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions): Promise<SqlDriver> {
  if (!ADDRESS.test(databaseUrl)) throw new JournalFailure(NO_ADDRESS);
  const settings = { connectionString: databaseUrl, types: PARSERS, connectionTimeoutMillis: options.busyMs };
  await refusePool({ connectionString: databaseUrl, connectionTimeoutMillis: options.busyMs });
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS, pipeline: true });
  const { lockKey, channel } = namesOf(options.schema);
  const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lockKey})`;
  const limits = `${pathOf(options.schema)} SET lock_timeout = ${options.busyMs};
    SET idle_in_transaction_session_timeout = ${Math.max(1, Math.floor(options.busyMs / 5))}`;
  // A connection that is dead and does not know it is given up: the next renewal opens another.
  const query_timeout = Math.max(LEASE_PATIENCE_MS, options.busyMs);
  const leasePool = new pg.Pool({ ...settings, max: 1, pipeline: true, query_timeout });
  for (const each of [pool, leasePool]) {
    // An idle connection that breaks is replaced when one is needed.
    each.on('error', () => undefined);
    // Without a listener a connection lost in use would end the process; its statements fail anyway.
    each.on('connect', (client) => {
      client.on('error', () => undefined);
      client.query(limits).catch(() => undefined); // A connection that is lost at once fails its first statement too.
    });
  }
  const broadcast = openBroadcast(settings, `${channel}_live`);
  const { watch, ...listener } = listen(settings, { pollMs: options.pollMs, channel });

  const withSession = async <Value>(
    use: (session: PostgresSession) => Promise<Value>,
    from: pg.Pool = pool,
  ): Promise<Value> => {
    const client = await from.connect();
    let isBroken = true;
    try {
      const value = await use(toSession(client));
      isBroken = false;
      return value;
    } finally {
      client.release(isBroken);
    }
  };
  const queue = createWriteQueue({
    run: (jobs, steps) =>
      withSession(async (session) => {
        const { values, keep, pending } = await runJobs(session, jobs, { begin, steps });
        if (!keep) {
          await session.rows('ROLLBACK');
          return values;
        }
        await allOf([pending, session.rows(`NOTIFY ${channel}; COMMIT`)]);
        watch.bump();
        await steps?.after();
        return values;
      }),
  });

  const calls = createWriteQueue({
    run: (jobs) =>
      withSession(async (session) => {
        return runCalls(session, jobs);
      }),
  });
  // A connection that was cut while it was idle is noticed only by using it. Reading again harms nobody.
  const read = async <Value>(use: (session: SqlSession) => Promise<Value>): Promise<Value> => {
    const began = performance.now();
    for (let pauseMs = 0; ; pauseMs = 2 * pauseMs + 50) {
      try {
        return await withSession(use);
      } catch (thrown) {
        if (!isLost(thrown) || performance.now() + pauseMs > began + PATIENCE_MS) throw thrown;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  };

  const timeOf = async (session: SqlSession): Promise<number> =>
    Number((await session.rows(SELECT_NOW, []))[0]?.[0]);
  const clock = createSharedClock({ ask: () => read(timeOf) });

  return {
    kind: 'postgres',
    clock,
    rows: (sql, values) => read((session) => session.rows(sql, values)),
    write: queue.write,
    change: (sql, values) => withSession((session) => session.rows(sql, values), leasePool),
    async numbers(session, blobs) {
      const [[run], ids] = await Promise.all([
        session.rows(NEXT_RUN, []),
        blobs === 0 ? [] : session.rows(NEXT_BLOBS, [blobs]),
      ]);
      return { run: Number(run?.[0]), blobs: ids.map(([id]) => Number(id)) };
    },
    trip: {
      read,
      async call(sql, values, run) {
        const row = await calls.write<SqlRow | undefined>(async (session) => ({
          keep: true,
          value: (await (session as PostgresSession).call(sql, values))[0],
        }));
        if (run !== undefined) watch.bump(run);
        return row;
      },
    },
    snapshot: (use) =>
      withSession(async (session) => {
        // It holds nothing that others wait for: who reads may think between two statements, however long.
        await session.rows(`BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;
          SET LOCAL idle_in_transaction_session_timeout = 0`);
        const value = await use(session);
        await session.rows('ROLLBACK');
        return value;
      }),
    async now(session) {
      const asked = clock.ticks();
      const now = await timeOf(session);
      clock.note(now, asked);
      return now;
    },
    changed: watch.changed,
    seen: watch.seen,
    broadcast,
    size: () => withSession(async (session) => Number((await session.rows(SELECT_SIZE))[0]?.[0])),
    problems: async () => [],
    scrub: async () => undefined,
    explain: explainPostgres,
    async close() {
      clock.stop();
      await Promise.all([queue.drain(), calls.drain()]);
      await Promise.all([listener.close(), broadcast.close()]);
      await Promise.all([pool.end(), leasePool.end()]);
    },
  };
}

interface Done {
  readonly values: readonly unknown[];
  readonly keep: boolean;
  /** What the last job did not wait for: it goes out together with the commit. */
  readonly pending: Promise<unknown> | undefined;
}

async function runJobs(
  session: SqlSession,
  jobs: readonly WriteJob[],
  { begin, steps }: { readonly begin: string; readonly steps: CommitSteps | undefined },
): Promise<Done> {
  const values: unknown[] = [];
  let keep = false;
  let pending: Promise<unknown> | undefined;
  try {
    let begun: Promise<unknown> | undefined = session.rows(begin);
    for (const { use } of jobs) {
      const [, , ended] = await allOf([begun, pending, use(session)]);
      begun = undefined;
      ({ pending } = ended);
      keep ||= ended.keep;
      values.push(ended.value);
    }
    if (keep && steps) {
      await pending;
      await steps.before();
    }
    return { values, keep, pending };
  } catch (cause) {
    throw new NotCommitted('', { cause });
  }
}

/**
 * Calls that take the lock themselves, and the commit, all sent before the first answer. A call that the server refuses
 * undoes the whole transaction. Of one whose connection was lost nobody knows whether it was committed.
 */
async function runCalls(session: SqlSession, jobs: readonly WriteJob[]): Promise<readonly unknown[]> {
  // One alone needs no transaction around it: the statement is one.
  const isOne = jobs.length === 1;
  const begun = isOne ? undefined : session.rows('BEGIN');
  const ended = jobs.map(({ use }) => use(session));
  const committed = isOne ? Promise.resolve() : session.rows('COMMIT');
  try {
    await allOf([begun, ...ended]);
  } catch (cause) {
    await Promise.allSettled([committed]); // Undone, or lost as well: the call says which.
    throw isLost(cause) ? cause : new NotCommitted('', { cause });
  }
  await committed;
  return Promise.all(ended.map(async (one) => (await one).value));
}

/** Connections that are cut one after the other are outlasted; a server that is away is told soon. */
const PATIENCE_MS = 1_000;

const isLost = (thrown: unknown): boolean => {
  const error = explainPostgres(thrown);
  return error.code === 'E_JOURNAL_UNAVAILABLE' && error.reason === 'connection';
};

/** Nothing of a project is looked for outside its schema. */
const pathOf = (schema: SchemaName): string => (schema === undefined ? '' : `SET search_path = "${schema}";`);

/** How Postgres names things. Tables of others in the same database are no concern of ours. */
export const postgresTables = (schema: SchemaName): Tables => ({
  types: { int: 'BIGINT', bytes: 'BYTEA', id: 'BIGINT PRIMARY KEY', keyOnly: '', server: namesOf(schema) },
  list: `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'cuebook\\_%'`,
});

const SELECT_NOW = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const NEXT_RUN = "SELECT nextval('cuebook_run_ids')";
const NEXT_BLOBS = "SELECT nextval('cuebook_blob_ids') FROM generate_series(1, ?::int)";

/** What the rows hold: a table does not shrink on the disk when rows go, and retention must see that they went. */
const SELECT_SIZE = `SELECT
  (SELECT coalesce(sum(octet_length(body) + 120), 0) FROM cuebook_commits) +
  (SELECT coalesce(sum(coalesce(octet_length(data), 0) + 120), 0) FROM cuebook_blobs) +
  (SELECT coalesce(sum(coalesce(octet_length(value), 0) + 120), 0) FROM cuebook_projections) +
  (SELECT count(*) * 120 FROM cuebook_runs) + (SELECT count(*) * 60 FROM cuebook_refs)`;

/** All of them, or the first failure once none is under way any more. */
async function allOf<const Waits extends readonly unknown[]>(
  waits: Waits,
): Promise<{ -readonly [Key in keyof Waits]: Awaited<Waits[Key]> }> {
  const settled = await Promise.allSettled(waits);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined)) as never;
}
