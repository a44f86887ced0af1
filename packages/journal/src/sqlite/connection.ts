import { createRequire } from 'node:module';
import type Database from 'libsql';
import { JournalFailure } from '../error.js';
import { missingPart } from '../store/missing-part.js';
import type { SqlRow, SqlSession } from '../store/port/driver.js';
import type { Cell } from '../store/row/sum.js';
import { readTexts, withTextsAsBytes } from './text-cells.js';

/** One connection with its prepared statements. */
export interface SqliteConnection extends SqlSession {
  /** At once: the database is in this process. */
  run(sql: string, values?: readonly Cell[]): readonly SqlRow[];
  /** To its end, whatever it answers: a pragma that works in steps is not done after the first. */
  finish(sql: string): void;
  readonly isInTransaction: () => boolean;
  close(): void;
}

/** How long the database itself waits for a lock, with the whole process: short, the rest is waited outside. */
export const LOCK_MS = 20;

/** Statements are kept prepared; the store's own are few, so this is only a limit. */
const MAX_PREPARED = 200;

/**
 * Opens a database file. Every connection is durable: a commit is on the disk when it answers. `secure_delete`
 * overwrites what is deleted.
 */
export function connect(path: string): SqliteConnection {
  const database = new (loadDatabase())(path, { timeout: LOCK_MS });
  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const isQuery = sql.startsWith('SELECT');
    const statement = database.prepare(isQuery ? withTextsAsBytes(sql) : sql);
    const isReader = statement.reader;
    if (isReader) statement.raw(true);
    const made = { statement, isReader, isQuery, isSingle: /\bLIMIT 1$/.test(sql) };
    prepared.set(sql, made);
    return made;
  };
  let isOpen = true;
  // Asked about its state after it was closed, the database ends the whole process.
  const requireOpen = (): void => {
    if (!isOpen) throw new JournalFailure({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'connection' });
  };
  const run = (sql: string, values: readonly Cell[] = []): readonly SqlRow[] => {
    requireOpen();
    const { statement, isReader, isQuery, isSingle } = prepare(sql);
    const bound = values.map(toValue);
    if (!isReader) {
      statement.run(bound);
      return [];
    }
    const rows = (
      isSingle ? [statement.get(bound)].filter(isRow) : statement.all(bound)
    ) as readonly SqlRow[];
    return isQuery ? rows.map(readTexts) : rows;
  };
  return {
    run,
    rows: async (sql, values) => run(sql, values),
    finish: (sql) => {
      requireOpen();
      database.exec(sql);
    },
    isInTransaction: () => isOpen && database.inTransaction,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      prepared.clear();
      database.close();
    },
  };
}

/** Required, not imported: Node 20 ends the process when a CommonJS module fails to load in an import. */
function loadDatabase(): typeof Database {
  try {
    return createRequire(import.meta.url)('libsql') as typeof Database;
  } catch (thrown) {
    const error = missingPart(thrown);
    throw error === undefined ? thrown : new JournalFailure(error);
  }
}

interface Prepared {
  readonly statement: Database.Statement;
  /** Whether it answers rows. Asking the database each time costs as much as a small statement. */
  readonly isReader: boolean;
  /** Whether it reads what is stored, not what the database says of itself. */
  readonly isQuery: boolean;
  /** Whether it answers one row at most: asking for one is cheaper than asking for all. */
  readonly isSingle: boolean;
}

const isRow = (row: unknown): boolean => row !== undefined;

/** The database takes a `Buffer` for bytes and nothing else. */
const toValue = (cell: Cell): Cell =>
  cell instanceof Uint8Array && !Buffer.isBuffer(cell)
    ? Buffer.from(cell.buffer, cell.byteOffset, cell.length)
    : cell;
