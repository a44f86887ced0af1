import type { JsonValue } from '@cuebook/prompt';
import type { ProjectionQuery } from '../contract.js';
import { JournalFailure } from '../error.js';
import { BOUNDS } from './bounds.js';
import type { SqlSession } from './port/driver.js';
import type { PreparedProjection } from './prepare.js';
import { unpack } from './row/pack.js';
import {
  PROJECTION_COLUMNS,
  type ProjectionRow,
  projectionCells,
  requireWhole,
  toProjectionRow,
} from './row/rows.js';

export interface ProjectionWrite {
  readonly run: number;
  readonly position: number;
  readonly changes: readonly FoundProjection[];
}

/** A change, and the row that it changes if there is one. */
export interface FoundProjection {
  readonly change: PreparedProjection;
  readonly row: ProjectionRow | undefined;
}

/** The rows that the changes are about. Of several changes of one key the last one counts. */
export function findProjections(
  session: SqlSession,
  changes: readonly PreparedProjection[],
): Promise<readonly FoundProjection[]> {
  const last = new Map(changes.map((change) => [JSON.stringify([change.name, change.key]), change]));
  return Promise.all(
    [...last.values()].map(async (change) => ({
      change,
      row: await findProjection(session, change.name, change.key),
    })),
  );
}

/** Writes the changes. */
export async function saveProjections(session: SqlSession, write: ProjectionWrite): Promise<void> {
  const { run, position, changes } = write;
  await Promise.all(
    changes.map(({ change, row }) => {
      const { name, key, value } = change;
      const shared = flagsOf(change, row, run);
      if (value === null && shared === 0) return session.rows(DELETE, [name, key]);
      return session.rows(UPSERT_PROJECTION, projectionCells({ name, key, run, position, shared, value }));
    }),
  );
}

/** What the column `shared` says: 1, other runs than the last one have written it too; 2, it is at rest; 3, both. */
const SHARED = 1;
const AT_REST = 2;

/** The flags of a row after a change by a run. */
export const flagsOf = (
  { isAtRest }: Pick<PreparedProjection, 'isAtRest'>,
  row: ProjectionRow | undefined,
  run: number,
): number => {
  const isShared = row !== undefined && ((row.shared & SHARED) !== 0 || row.run !== run);
  return (isShared ? SHARED : 0) + (isAtRest ? AT_REST : 0);
};

export async function findProjection(
  session: SqlSession,
  name: string,
  key: string,
): Promise<ProjectionRow | undefined> {
  const [row] = await session.rows(SELECT_ONE, [name, key]);
  return row && toProjectionRow(requireWhole('projections', row, `the projection ${name} ${key}`));
}

/** The value, or undefined for one that was removed. */
export function projectionValue({ name, key, value }: ProjectionRow): JsonValue | undefined {
  if (value === null) return undefined;
  const plain = unpack(value, BOUNDS.value);
  if (plain === undefined) {
    throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: `the projection ${name} ${key}` });
  }
  return JSON.parse(plain.toString('utf8')) as JsonValue;
}

/** Those of a name, sorted by key. */
export async function readProjections(
  session: SqlSession,
  name: string,
  { active = false }: ProjectionQuery = {},
): Promise<Map<string, JsonValue>> {
  const rows = await session.rows(active ? SELECT_ACTIVE : SELECT_NAME, [name]);
  const found = new Map<string, JsonValue>();
  for (const row of rows) {
    const projection = toProjectionRow(requireWhole('projections', row, `a projection ${name}`));
    const value = projectionValue(projection);
    if (value !== undefined) found.set(projection.key, value);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const SELECT_ONE = `SELECT ${PROJECTION_COLUMNS} FROM cuebook_projections WHERE name = ? AND key = ? LIMIT 1`;
const SELECT_NAME = `SELECT ${PROJECTION_COLUMNS} FROM cuebook_projections WHERE name = ?`;
/** By the index of the active ones. */
export const SELECT_ACTIVE = `${SELECT_NAME} AND shared < ${AT_REST}`;
const DELETE = 'DELETE FROM cuebook_projections WHERE name = ? AND key = ?';

export const UPSERT_PROJECTION = `INSERT INTO cuebook_projections (${PROJECTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (name, key) DO UPDATE SET run = excluded.run, position = excluded.position,
  shared = excluded.shared, value = excluded.value, sum = excluded.sum`;
