import { OWNER_SINCE } from '../../src/owner/claim.js';
import { KEY_COLUMNS, KEYS_SINCE } from '../../src/owner/key-rows.js';
import { setLayout, type Tables } from '../../src/schema/migrate.js';
import { LEASE_COLUMNS } from '../../src/store/lease-row.js';
import type { SqlSession } from '../../src/store/port/driver.js';
import {
  BLOB_COLUMNS,
  COMMIT_COLUMNS,
  PROJECTION_COLUMNS,
  projectionCells,
  RUN_COLUMNS,
  toProjectionRow,
} from '../../src/store/row/rows.js';
import { type Cell, sumOf } from '../../src/store/row/sum.js';

/** The layout from which on a check sum is moved by its position, and that from which on what is at rest is marked. */
const PLACED_SINCE = 6;
const REST_SINCE = 7;

interface OldTable {
  readonly name: string;
  readonly columns: string;
  readonly order: string;
  readonly isSummed?: boolean;
}

const REMOVAL_COLUMNS = 'run, seq, removed_at, hash, signed_by, signature';
const OWNER_COLUMNS = 'id, project, name, signed_by, signature';

/** The tables of a layout, before machines could join a project (version 8), with the columns that it has. */
export const tablesOf = (layout: number): readonly OldTable[] => [
  { name: 'cuebook_runs', columns: RUN_COLUMNS, order: 'id', isSummed: true },
  { name: 'cuebook_commits', columns: COMMIT_COLUMNS, order: 'position', isSummed: true },
  { name: 'cuebook_blobs', columns: BLOB_COLUMNS, order: 'id', isSummed: true },
  { name: 'cuebook_refs', columns: 'blob, run', order: 'blob, run' },
  { name: 'cuebook_projections', columns: PROJECTION_COLUMNS, order: 'name, key', isSummed: true },
  ...(layout < 2
    ? []
    : [
        {
          name: 'cuebook_leases',
          columns: layout < 3 ? 'scope, token, owner, expires_at' : LEASE_COLUMNS,
          order: 'scope',
        },
      ]),
  ...(layout < OWNER_SINCE
    ? []
    : [
        { name: 'cuebook_owner', columns: OWNER_COLUMNS, order: 'id' },
        { name: 'cuebook_removals', columns: REMOVAL_COLUMNS, order: 'run' },
      ]),
  ...(layout < KEYS_SINCE ? [] : [{ name: 'cuebook_keys', columns: KEY_COLUMNS, order: 'fingerprint' }]),
];

/**
 * Lays out an empty place as an earlier version did, and writes there what a store of the newest layout holds, as that
 * version wrote it: its tables and columns, its check sums, its flags.
 */
export async function writeOlder(
  from: SqlSession,
  { to, tables, layout }: { readonly to: SqlSession; readonly tables: Tables; readonly layout: number },
): Promise<void> {
  await setLayout(to, tables, layout);
  for (const { name, columns, isSummed = false } of tablesOf(layout)) {
    const names = columns.split(', ');
    const insert = `INSERT INTO ${name} (${columns}) VALUES (${names.map(() => '?').join(', ')})`;
    for (const row of await from.rows(`SELECT ${columns} FROM ${name}`)) {
      await to.rows(insert, isSummed ? olderRow(row as readonly Cell[], names, layout) : row);
    }
  }
  const names = layout < OWNER_SINCE ? ['floor'] : ['floor', 'anchored'];
  for (const name of names) {
    const [row] = await from.rows('SELECT value FROM cuebook_meta WHERE name = ?', [name]);
    await to.rows('UPDATE cuebook_meta SET value = ? WHERE name = ?', [Number(row?.[0]), name]);
  }
}

function olderRow(row: readonly Cell[], names: readonly string[], layout: number): readonly Cell[] {
  if (layout >= REST_SINCE) return row;
  const cells = row.map((cell, index) => (names[index] === 'shared' ? Number(cell) & 1 : cell)).slice(0, -1);
  if (layout < PLACED_SINCE) return [...cells, sumOf(...cells)];
  return names.includes('shared') ? projectionCells(toProjectionRow(cells)) : row;
}

/** Every row of a place of an earlier layout, and the layout itself. */
export async function rowsOfLayout(session: SqlSession, layout: number): Promise<unknown> {
  const found: unknown[] = [await session.rows('SELECT name, value FROM cuebook_meta ORDER BY name')];
  for (const { name, columns, order } of tablesOf(layout)) {
    found.push([name, await session.rows(`SELECT ${columns} FROM ${name} ORDER BY ${order}`)]);
  }
  return found;
}
