import { guard } from '@cuebook/guard';
import { JournalFailure } from '../../error.js';
import type { SqlRow } from '../port/driver.js';
import { type Cell, sumOf } from './sum.js';

// Each table's columns once, for writing and for reading; the check sum comes last.

/** A row to be written: its columns and their check sum. */
export const withSum = (...cells: readonly Cell[]): readonly Cell[] => [...cells, sumOf(...cells)];

/** Whether a row that ends with its check sum is as it was written. */
export function isWhole(row: SqlRow): boolean {
  return sumOf(...row.slice(0, -1)) === row.at(-1);
}

/** The row, if it is as it was written. `what` names it to whoever reads the failure. */
export function requireWhole(row: SqlRow, what: string): SqlRow {
  if (guard('read.sum', !isWhole(row))) throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what });
  return row;
}

export const RUN_COLUMNS = 'id, name, seq, position, started_at, last_at, removed_at, hash, sum';
export const COMMIT_COLUMNS = 'position, run, seq, at, command_key, body, hash, sum';
export const BLOB_COLUMNS = 'id, name_key, size, name, data, sum';
export const PROJECTION_COLUMNS = 'name, key, run, position, shared, value, sum';

export interface RunRow {
  readonly id: number;
  readonly name: string;
  readonly seq: number;
  readonly position: number;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly removedAt: number | null;
  readonly hash: Buffer;
}

export const toRunRow = ([id, name, seq, position, startedAt, lastAt, removedAt, hash]: SqlRow): RunRow => ({
  id: Number(id),
  name: String(name),
  seq: Number(seq),
  position: Number(position),
  startedAt: Number(startedAt),
  lastAt: Number(lastAt),
  removedAt: removedAt === null || removedAt === undefined ? null : Number(removedAt),
  hash: hash as Buffer,
});

/** The cells of a run's row, with their sum. */
export const runCells = (run: RunRow): readonly Cell[] =>
  withSum(run.id, run.name, run.seq, run.position, run.startedAt, run.lastAt, run.removedAt, run.hash);

export interface CommitRow {
  readonly position: number;
  readonly run: number;
  readonly seq: number;
  readonly at: number;
  readonly commandKey: number;
  readonly body: Buffer;
  readonly hash: Buffer;
}

export const toCommitRow = ([position, run, seq, at, commandKey, body, hash]: SqlRow): CommitRow => ({
  position: Number(position),
  run: Number(run),
  seq: Number(seq),
  at: Number(at),
  commandKey: Number(commandKey),
  body: body as Buffer,
  hash: hash as Buffer,
});

export const commitCells = (row: CommitRow): readonly Cell[] =>
  withSum(row.position, row.run, row.seq, row.at, row.commandKey, row.body, row.hash);

export interface BlobRow {
  readonly id: number;
  readonly key: number;
  readonly size: number;
  readonly name: Buffer;
  readonly data: Buffer | null;
}

export const toBlobRow = ([id, key, size, name, data]: SqlRow): BlobRow => ({
  id: Number(id),
  key: Number(key),
  size: Number(size),
  name: name as Buffer,
  data: (data as Buffer | null) ?? null,
});

export const blobCells = (row: BlobRow): readonly Cell[] =>
  withSum(row.id, row.key, row.size, row.name, row.data);

export interface ProjectionRow {
  readonly name: string;
  readonly key: string;
  readonly run: number;
  readonly position: number;
  readonly shared: number;
  readonly value: Buffer | null;
}

export const toProjectionRow = ([name, key, run, position, shared, value]: SqlRow): ProjectionRow => ({
  name: String(name),
  key: String(key),
  run: Number(run),
  position: Number(position),
  shared: Number(shared),
  value: (value as Buffer | null) ?? null,
});

export const projectionCells = (row: ProjectionRow): readonly Cell[] =>
  withSum(row.name, row.key, row.run, row.position, row.shared, row.value);
