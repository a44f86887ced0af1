import pg from 'pg';
import type { Tables } from '../schema/migrate.js';
import type { CommitSteps, SqlDriver, SqlSession } from '../store/port/driver.js';
import { createWriteQueue, NotCommitted, type WriteJob } from '../store/port/write-queue.js';
import { explainPostgres } from './explain.js';
import { CHANNEL, listen } from './listen.js';
import { PARSERS, toSession } from './session.js';

export interface PostgresOptions {
  /** How often to look for commits while somebody waits for one, beside being notified. */
  readonly pollMs: number;
  /** How long to wait for a connection and for the lock of the store. */
  readonly busyMs: number;
}

/** Connections for reading beside the one that writes. */
const CONNECTIONS = 4;

/** The advisory lock of the store, in its database: `cuebook` in numbers. */
export const LOCK_KEY = 0x6375_6562;

/**
 * The shared database. Every transaction that writes holds one advisory lock of the store until it is committed:
 * positions are given and become visible in the same order, so a reader that has seen one never finds a lower
 * one later. A process that is paused inside such a transaction loses it before others give up waiting for the lock.
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions): Promise<SqlDriver> {
  const settings = { connectionString: databaseUrl, types: PARSERS, connectionTimeoutMillis: options.busyMs };
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS, pipeline: true });
  // An idle connection that breaks is replaced when one is needed.
  pool.on('error', () => undefined);
  // Without a listener a connection lost in use would end the process; its statements fail anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { watch, ...listener } = listen(settings, options.pollMs);
  const begin = `BEGIN; SET LOCAL lock_timeout = ${options.busyMs};
    SET LOCAL idle_in_transaction_session_timeout = ${Math.max(1, Math.floor(options.busyMs / 5))};
    SELECT pg_advisory_xact_lock(${LOCK_KEY})`;

  const withSession = async <Value>(use: (session: SqlSession) => Promise<Value>): Promise<Value> => {
    const client = await pool.connect();
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
        const { values, keep, pending } = await runJobs(session, begin, jobs, steps);
        if (!keep) {
          await session.rows('ROLLBACK');
          return values;
        }
        await allOf([pending, session.rows(`NOTIFY ${CHANNEL}; COMMIT`)]);
        watch.bump();
        await steps?.after();
        return values;
      }),
  });

  return {
    kind: 'postgres',
    async rows(sql, values) {
      const read = () => withSession((session) => session.rows(sql, values));
      // A connection that was cut while it was idle is noticed only by using it. Reading twice harms nobody.
      return read().catch((thrown: unknown) => {
        const error = explainPostgres(thrown);
        if (error.code === 'E_JOURNAL_UNAVAILABLE' && error.reason === 'connection') return read();
        throw thrown;
      });
    },
    write: queue.write,
    snapshot: (use) =>
      withSession(async (session) => {
        await session.rows('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
        const value = await use(session);
        await session.rows('ROLLBACK');
        return value;
      }),
    async now(session) {
      const [row] = await session.rows(SELECT_NOW, []);
      return Number(row?.[0]);
    },
    changed: watch.changed,
    seen: watch.seen,
    size: () => withSession(async (session) => Number((await session.rows(SELECT_SIZE))[0]?.[0])),
    problems: async () => [],
    scrub: async () => undefined,
    explain: explainPostgres,
    async close() {
      await queue.drain();
      await listener.close();
      await pool.end();
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
  begin: string,
  jobs: readonly WriteJob[],
  steps: CommitSteps | undefined,
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

/** How Postgres names things. Tables of others in the same database are no concern of ours. */
export const POSTGRES_TABLES: Tables = {
  types: { int: 'BIGINT', bytes: 'BYTEA', id: 'BIGINT PRIMARY KEY', keyOnly: '' },
  list: `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'cuebook\\_%'`,
};

const SELECT_NOW = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

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
