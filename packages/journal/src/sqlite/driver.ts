import { setTimeout as wait } from 'node:timers/promises';
import { guard } from '@cuebook/guard';
import { type JournalError, JournalFailure } from '../error.js';
import type { Tables } from '../schema/migrate.js';
import type { LastNumbers, SqlDriver, SqlSession } from '../store/port/driver.js';
import { createWatch } from '../store/port/watch.js';
import { createWriteQueue, NotCommitted } from '../store/port/write-queue.js';
import { connect, LOCK_MS, type SqliteConnection } from './connection.js';
import { requireOurs, setUpFile } from './mark.js';

export interface SqliteOptions {
  readonly now: () => number;
  /** How often to look for commits of other processes while somebody waits for one. */
  readonly pollMs: number;
  /** How long to wait for a lock that another process holds while nobody commits anything. */
  readonly busyMs: number;
  /** Nothing is written, whatever is found: for looking at what may be damaged. */
  readonly isReading?: boolean;
}

/**
 * The embedded database: one file, one connection that writes and one that reads. Transactions of this process
 * take turns; other processes are kept out by the file's own lock.
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<SqlDriver> {
  const { busyMs } = options;
  const writer = connect(path);
  const reader = connect(path);
  try {
    if (options.isReading) writer.run('PRAGMA query_only = ON');
    else await whileBusy(() => prepare(writer), { busyMs, connection: writer });
    await whileBusy(() => reader.run('PRAGMA query_only = ON'), { busyMs });
  } catch (thrown) {
    reader.close();
    writer.close();
    throw new JournalFailure(explainSqlite(thrown));
  }

  let poll: NodeJS.Timeout | undefined;
  let dataVersion: unknown;
  let strange = 0;
  /** The connection that writes is told by the database of commits that are not its own. */
  const others = (): number => {
    const version = versionOf(writer);
    if (version === undefined || version !== dataVersion) strange += 1;
    dataVersion = version;
    return strange;
  };
  const watch = createWatch((someone) => {
    clearInterval(poll);
    if (someone) poll = setInterval(look, options.pollMs);
  });
  const look = (): void => {
    const before = seenOthers;
    seenOthers = others();
    // Busy for now: whoever waits reads, and meets the failure there if it lasts.
    if (seenOthers !== before) watch.bump();
  };
  let seenOthers = 0;

  const patiently = <Value>(use: () => Value): Promise<Value> =>
    whileBusy(use, { busyMs, connection: writer });
  const queue = createWriteQueue({
    async run(jobs, steps) {
      const values: unknown[] = [];
      const changed = new Set<string | null | undefined>();
      let keep = false;
      const kept: (() => void)[] = [];
      try {
        await patiently(() => writer.run('BEGIN IMMEDIATE'));
        for (const { use } of jobs) {
          const ended = await use(writer);
          await ended.pending;
          keep ||= ended.keep;
          if (ended.keep) changed.add(ended.run);
          if (ended.keep && ended.kept) kept.push(ended.kept);
          values.push(ended.value);
        }
        if (keep) await steps?.before();
      } catch (cause) {
        if (writer.isInTransaction()) writer.run('ROLLBACK');
        throw new NotCommitted('', { cause });
      }
      if (!keep) {
        writer.run('ROLLBACK');
        return values;
      }
      commit(writer);
      for (const tell of kept) tell();
      if (changed.has(undefined)) {
        strange += 1;
        watch.bump();
      } else for (const run of changed) if (run != null) watch.bump(run);
      await steps?.after();
      return values;
    },
  });

  return {
    kind: 'sqlite',
    rows: (sql, values) => patiently(() => reader.run(sql, values)),
    write: queue.write,
    change: (sql, values) =>
      queue.write(async (session) => ({ keep: true, run: null, value: await session.rows(sql, values) })),
    async numbers(session, blobs, last) {
      const { run, blob } = last ?? (await readLast(session));
      return { run: run + 1, blobs: Array.from({ length: blobs }, (_, n) => blob + n + 1) };
    },
    async snapshot(use) {
      const own = connect(path);
      try {
        await patiently(() => own.run('BEGIN'));
        return await use(own);
      } finally {
        // Closing alone leaves the moment that is read open until the connection is collected.
        if (own.isInTransaction()) own.run('ROLLBACK');
        own.close();
      }
    },
    now: async () => options.now(),
    changed: watch.changed,
    seen: watch.seen,
    others,
    async size() {
      const of = (name: string): number => Number(reader.run(`PRAGMA ${name}`)[0]?.[0]);
      return patiently(() => (of('page_count') - of('freelist_count')) * of('page_size'));
    },
    async problems() {
      const rows = await patiently(() =>
        reader.run('SELECT integrity_check FROM pragma_integrity_check(20)'),
      );
      return rows.map(([line]) => String(line)).filter((line) => line !== 'ok');
    },
    async scrub() {
      await queue.drain();
      await patiently(() => writer.finish('PRAGMA incremental_vacuum'));
      // Who still reads an earlier moment holds it up. After a while the log is left to the next one who writes.
      const patience = { busyMs: Math.min(busyMs, SCRUB_MS) };
      await whileBusy(() => truncateLog(writer), patience).catch((thrown: unknown) => {
        if (!isBusy(thrown)) throw thrown;
      });
    },
    explain: explainSqlite,
    async close() {
      await queue.drain();
      clearInterval(poll);
      // The database does this itself only when the last statement is gone, whenever that is.
      try {
        if (!options.isReading) settle(writer);
      } finally {
        reader.close();
        writer.close();
      }
    },
  };
}

/** Sets up a new file, refuses one of something else, and makes every commit durable. */
function prepare(connection: SqliteConnection): void {
  setUpFile(connection);
  requireOurs(connection);
  connection.run('PRAGMA journal_mode = WAL');
  connection.run('PRAGMA synchronous = FULL');
  connection.run('PRAGMA foreign_keys = ON');
  connection.run('PRAGMA secure_delete = ON');
}

async function readLast(session: SqlSession): Promise<LastNumbers> {
  const [row] = await session.rows(SELECT_LAST);
  const [run = 0, blob = 0] = (row ?? []).map((value) => Number(value ?? 0));
  return { run, blob };
}

const SELECT_LAST = `SELECT (SELECT max(id) FROM cuebook_runs), (SELECT max(id) FROM cuebook_blobs) LIMIT 1`;

const SCRUB_MS = 2_000;

/** Empties the write-ahead log, which may hold what was deleted. The database says by a row that it could not. */
function truncateLog(connection: SqliteConnection): void {
  const [row] = connection.run('PRAGMA wal_checkpoint(TRUNCATE)');
  if (Number(row?.[0]) !== 0) throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
}

/**
 * Brings everything into the file itself. Others that read or write hold it up: then they do it. A disk that takes no more
 * holds it up too: what was committed is in the log, and the next one who writes brings it in.
 */
function settle(connection: SqliteConnection): void {
  try {
    connection.finish('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (thrown) {
    if (explainSqlite(thrown).code !== 'E_JOURNAL_UNAVAILABLE') throw thrown;
  }
}

function commit(connection: SqliteConnection): void {
  try {
    connection.run('COMMIT');
  } catch (thrown) {
    if (connection.isInTransaction()) connection.run('ROLLBACK');
    throw thrown;
  }
}

/** How the embedded database names things. The whole file is ours, so every table counts. */
export const SQLITE_TABLES: Tables = {
  types: {
    int: 'INTEGER',
    bytes: 'BLOB',
    id: 'INTEGER PRIMARY KEY',
    keyOnly: ' WITHOUT ROWID',
  },
  list: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
};

interface Patience {
  /** How long nobody commits anything before it is given up. */
  readonly busyMs: number;
  /** Asked whether others commit; left out: whatever others do, it is given up then. */
  readonly connection?: SqliteConnection;
}

/**
 * Tries again while another process holds the lock, without holding up this one: as long as others commit, the lock
 * goes from one to the next. A try counts for no longer than it is meant to take, so a machine that is too busy to
 * try uses up no patience.
 */
async function whileBusy<Value>(use: () => Value, { busyMs, connection }: Patience): Promise<Value> {
  let waitedMs = 0;
  let seen: unknown;
  for (;;) {
    const began = performance.now();
    try {
      return use();
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown;
      const version = connection && versionOf(connection);
      const hasMoved = seen !== undefined && version !== undefined && version !== seen;
      if (guard('sqlite.progress', hasMoved)) waitedMs = 0;
      seen = version ?? seen;
      if (waitedMs >= busyMs) throw thrown;
      const pauseMs = 1 + Math.random() * 10;
      await wait(pauseMs);
      waitedMs += Math.min(performance.now() - began, pauseMs + LOCK_MS);
    }
  }
}

/** Another one when another connection has committed; undefined while the database is too busy to say. */
function versionOf(connection: SqliteConnection): unknown {
  try {
    return connection.run('PRAGMA data_version')[0]?.[0];
  } catch {
    return undefined;
  }
}

const isBusy = (thrown: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(thrown));

function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
  return typeof code === 'string' && /^SQLITE_[A-Z_]+$/.test(code) ? code : '';
}

/** What a failure of the database means. Only its code is kept: messages may hold paths. */
export function explainSqlite(thrown: unknown): JournalError {
  if (thrown instanceof JournalFailure) return thrown.error;
  const system = codeOf(thrown);
  if (isBusy(thrown)) return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy', system };
  if (/^SQLITE_NOTADB/.test(system)) return { code: 'E_JOURNAL_FOREIGN', what: 'it is not a database file' };
  if (/^SQLITE_CORRUPT/.test(system)) return { code: 'E_JOURNAL_CORRUPT', what: 'the database file' };
  if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)/.test(system)) {
    return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'disk', system };
  }
  return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed', ...(system ? { system } : {}) };
}
