import type { RunPageQuery, RunSummary } from '../contract.js';
import { NOT_A_REGISTER } from '../register/register-run.js';
import type { SqlSession } from './port/driver.js';
import { RUN_COLUMNS, type RunRow, requireWhole, toRunRow } from './row/rows.js';

/** A page of runs from the newest on, without registers; undefined: there is no run to begin before. */
export async function readRecentRuns(
  session: SqlSession,
  { before, limit }: RunPageQuery,
): Promise<readonly RunSummary[] | undefined> {
  const [from] = before === undefined ? [[LAST]] : await session.rows(SELECT_ID, [before]);
  if (from === undefined) return undefined;
  const rows = await session.rows(SELECT_RECENT, [Number(from[0]), limit]);
  return rows.map((row) => toSummary(toRunRow(requireWhole('runs', row, 'the row of a run'))));
}

/** The highest position that was given. */
export async function readNewest(session: SqlSession): Promise<number> {
  const [row = []] = await session.rows(SELECT_MAXIMA);
  return Math.max(...row.map((value) => Number(value ?? 0)), 0);
}

export const toSummary = ({ name, seq, startedAt, lastAt }: RunRow): RunSummary => ({
  run: name as RunSummary['run'],
  seq,
  startedAt,
  lastAt,
});

const SELECT_MAXIMA = `SELECT (SELECT max(position) FROM cuebook_commits),
  (SELECT value FROM cuebook_meta WHERE name = 'floor') LIMIT 1`;

/** Above every number of a run. */
const LAST = Number.MAX_SAFE_INTEGER;

const SELECT_ID = 'SELECT id FROM cuebook_runs WHERE name = ?';
/** By the index of the runs that were not removed. */
export const SELECT_RECENT = `SELECT ${RUN_COLUMNS} FROM cuebook_runs WHERE removed_at IS NULL AND id < ?
  AND ${NOT_A_REGISTER} ORDER BY id DESC LIMIT ?`;
