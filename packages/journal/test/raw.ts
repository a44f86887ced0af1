import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import type { StorePlace } from '../src/store/open.js';
import { decodeBody, encodeBody } from '../src/store/row/body.js';
import { pack } from '../src/store/row/pack.js';
import { sumOf } from '../src/store/row/sum.js';

export type Cell = number | string | Uint8Array | null;

/** One cell of one row, and what to put there. */
export interface CellChange {
  readonly table: string;
  readonly columns: readonly string[];
  readonly row: readonly Cell[];
  readonly column: string;
  readonly value: Cell;
}

/** The tables of a store behind its back. */
export interface RawDatabase {
  read(
    table: string,
  ): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }>;
  run(sql: string, values?: readonly Cell[]): Promise<readonly (readonly Cell[])[]>;
  /** False when the database itself does not take it. */
  tryUpdate(change: CellChange): Promise<boolean>;
  restoreRow(change: CellChange): Promise<void>;
  /** Flips a bit in the middle of the first row's value. */
  damage(table: string, column: string): Promise<void>;
  /** Takes the content of the first blob away and fixes the check sum. */
  forgeDeletion(): Promise<void>;
  /** Puts other content under the name of the first blob and fixes the check sum. */
  forgeContent(): Promise<void>;
  /** Files the first commit under another command id and fixes the check sum. */
  forgeCommand(): Promise<void>;
  /** Rewrites the first event and fixes the check sum. */
  forgeEvent(): Promise<void>;
  close(): Promise<void>;
}

export async function rawDatabase(place: StorePlace): Promise<RawDatabase> {
  const { query, close } = 'file' in place ? rawSqlite(place.file) : await rawPostgres(place.databaseUrl);
  const read: RawDatabase['read'] = async (table) => {
    const columns = COLUMNS[table] ?? [];
    return { columns, rows: await query(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY 1, 2`, []) };
  };
  const update = async (
    { table, columns, row, column, value }: CellChange,
    isBack: boolean,
  ): Promise<void> => {
    const key = KEYS[table] ?? 1;
    const index = columns.indexOf(column);
    const old = [...row];
    if (isBack) old[index] = value;
    const where = columns.slice(0, key).map((name) => `${name} = ?`);
    const next = isBack ? (row[index] ?? null) : value;
    await query(`UPDATE ${table} SET ${column} = ? WHERE ${where.join(' AND ')}`, [
      next,
      ...old.slice(0, key),
    ]);
  };
  const first = async (table: string): Promise<Cell[]> => [...((await read(table)).rows[0] ?? [])];
  const put = (table: string, column: string, cells: readonly Cell[]): Promise<unknown> => {
    const columns = COLUMNS[table] ?? [];
    const sum = sumOf(...cells.slice(0, -1));
    const value = cells[columns.indexOf(column)] ?? null;
    return query(`UPDATE ${table} SET ${column} = ?, sum = ? WHERE ${columns[0]} = ?`, [
      value,
      sum,
      cells[0] ?? null,
    ]);
  };
  return {
    read,
    run: (sql, values = []) => query(sql, values),
    async tryUpdate(change) {
      try {
        await update(change, false);
        return true;
      } catch {
        return false; // The database knows better: not a value that can be there.
      }
    },
    restoreRow: (change) => update(change, true),
    async damage(table, column) {
      const columns = COLUMNS[table] ?? [];
      const cells = await first(table);
      const bytes = Buffer.from(cells[columns.indexOf(column)] as Uint8Array);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      await query(`UPDATE ${table} SET ${column} = ? WHERE ${columns[0]} = ?`, [bytes, cells[0] ?? null]);
    },
    async forgeDeletion() {
      const cells = await first('cuebook_blobs');
      cells[4] = null;
      await put('cuebook_blobs', 'data', cells);
    },
    async forgeContent() {
      const cells = await first('cuebook_blobs');
      cells[4] = pack(Buffer.alloc(Number(cells[2]), 'x'));
      await put('cuebook_blobs', 'data', cells);
    },
    async forgeCommand() {
      const cells = await first('cuebook_commits');
      cells[4] = Number(cells[4]) + 1;
      await put('cuebook_commits', 'command_key', cells);
    },
    async forgeEvent() {
      const cells = await first('cuebook_commits');
      const body = decodeBody(cells[5] as Uint8Array);
      if (body === undefined) throw new Error('no body');
      cells[5] = encodeBody({
        ...body,
        events: body.events.map(({ type }) => ({ type, data: '{"forged":true}' })),
      });
      await put('cuebook_commits', 'body', cells);
    },
    close,
  };
}

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  cuebook_runs: ['id', 'name', 'seq', 'position', 'started_at', 'last_at', 'removed_at', 'hash', 'sum'],
  cuebook_commits: ['position', 'run', 'seq', 'at', 'command_key', 'body', 'hash', 'sum'],
  cuebook_blobs: ['id', 'name_key', 'size', 'name', 'data', 'sum'],
  cuebook_refs: ['blob', 'run'],
  cuebook_projections: ['name', 'key', 'run', 'position', 'shared', 'value', 'sum'],
};

/** How many of the first columns are the key. */
const KEYS: Readonly<Record<string, number>> = { cuebook_refs: 2, cuebook_projections: 2 };

interface Raw {
  readonly query: (sql: string, values: readonly Cell[]) => Promise<readonly (readonly Cell[])[]>;
  readonly close: () => Promise<void>;
}

function rawSqlite(file: string): Raw {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, '', { mode: 0o600 });
  }
  const database = new Database(file, { timeout: 5000 });
  database.exec('PRAGMA foreign_keys = OFF');
  return {
    query: async (sql, values) => {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.raw(true).all(values) as never;
      statement.run(values);
      return [];
    },
    close: async () => void database.close(),
  };
}

async function rawPostgres(databaseUrl: string): Promise<Raw> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // Off as for SQLite: an edit by hand does not mind other tables.
  await client.query("SET session_replication_role = 'replica'");
  // Of the one project that is there, or else of a store that belongs to nobody.
  const { rows: schemas } = await client.query(
    "SELECT nspname FROM pg_namespace WHERE nspname ~ '^cuebook_prj_[a-z0-9]*$'",
  );
  if (schemas.length === 1) await client.query(`SET search_path = "${schemas[0].nspname}"`);
  return {
    query: async (sql, values) => {
      let count = 0;
      const text = sql.replace(/\?/g, () => `$${++count}`);
      const { rows, fields } = await client.query({ text, values: [...values], rowMode: 'array' });
      return rows.map((row: unknown[]) =>
        row.map((cell, index) => (fields[index]?.dataTypeID === 20 && cell !== null ? Number(cell) : cell)),
      ) as never;
    },
    close: () => client.end(),
  };
}
