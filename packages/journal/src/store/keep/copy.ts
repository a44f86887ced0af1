import { KEY_COLUMNS, KEYS_SINCE } from '../../owner/key-rows.js';
import { MEMBERS_SINCE } from '../../owner/members.js';
import { FILE_COLUMNS } from '../../shared/shared-home.js';
import { LEASE_COLUMNS } from '../lease-row.js';
import type { SqlSession } from '../port/driver.js';
import { BLOB_COLUMNS, COMMIT_COLUMNS, PROJECTION_COLUMNS, RUN_COLUMNS } from '../row/rows.js';
import type { Cell } from '../row/sum.js';

/** A table as a copy needs it: its columns, those of its key, and in which layouts it has them. */
interface Table {
  readonly name: string;
  readonly columns: string;
  /** Indexes into the columns. */
  readonly key: readonly number[];
  readonly since: number;
  readonly until?: number;
}

const REMOVAL_COLUMNS = 'run, seq, removed_at, hash, signed_by, signature';

const TABLES: readonly Table[] = [
  { name: 'cuebook_runs', columns: RUN_COLUMNS, key: [0], since: 1 },
  { name: 'cuebook_commits', columns: COMMIT_COLUMNS, key: [0], since: 1 },
  { name: 'cuebook_blobs', columns: BLOB_COLUMNS, key: [0], since: 1 },
  { name: 'cuebook_refs', columns: 'blob, run', key: [0, 1], since: 1 },
  { name: 'cuebook_projections', columns: PROJECTION_COLUMNS, key: [0, 1], since: 1 },
  { name: 'cuebook_leases', columns: 'scope, token, owner, expires_at', key: [0], since: 2, until: 2 },
  { name: 'cuebook_leases', columns: LEASE_COLUMNS, key: [0], since: 3 },
  // Whose work it is stays behind: who restores a copy makes it their own.
  { name: 'cuebook_removals', columns: REMOVAL_COLUMNS, key: [0], since: 4 },
  { name: 'cuebook_keys', columns: KEY_COLUMNS, key: [0], since: KEYS_SINCE },
  // Who restores it with the key of the same project opens them; the members stay behind with the project.
  { name: 'cuebook_files', columns: FILE_COLUMNS, key: [0], since: MEMBERS_SINCE },
];

/** Rows that are in memory at once. */
const PAGE = 64;

/** Copies every row, as it is, from one store into the empty tables of another of the same layout. */
export async function copyTables(from: SqlSession, to: SqlSession, version: number): Promise<void> {
  for (const table of TABLES) {
    const { since, until = version } = table;
    if (since <= version && version <= until) await copyTable(from, to, table);
  }
  const [floor] = await from.rows("SELECT value FROM cuebook_meta WHERE name = 'floor'");
  await to.rows("UPDATE cuebook_meta SET value = ? WHERE name = 'floor'", [Number(floor?.[0])]);
}

async function copyTable(from: SqlSession, to: SqlSession, { name, columns, key }: Table): Promise<void> {
  const names = columns.split(', ');
  const order = key.map((index) => names[index]).join(', ');
  const marks = (of: readonly unknown[]): string => of.map(() => '?').join(', ');
  const first = `SELECT ${columns} FROM ${name} ORDER BY ${order} LIMIT ?`;
  const next = `SELECT ${columns} FROM ${name} WHERE (${order}) > (${marks(key)}) ORDER BY ${order} LIMIT ?`;
  const insert = `INSERT INTO ${name} (${columns}) VALUES (${marks(names)})`;
  let cursor: readonly Cell[] | undefined;
  for (;;) {
    const page = cursor ? await from.rows(next, [...cursor, PAGE]) : await from.rows(first, [PAGE]);
    for (const row of page) await to.rows(insert, row);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    cursor = key.map((index) => last[index] ?? null);
    // Let the process do something else between pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
