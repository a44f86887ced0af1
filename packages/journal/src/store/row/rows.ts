import { guard } from '@cuebook/guard';
import { JournalFailure } from '../../error.js';
import type { SqlRow } from '../port/driver.js';
import { type Cell, placedSum, sumOf } from './sum.js';

// Each table's columns once, for writing and for reading; the check sum comes last.

/** The tables whose rows end with a check sum. */
export type SummedTable = keyof typeof PLACES;

/** Which column of a table is a position in the journal. */
const PLACES = { runs: 3, commits: 0, projections: 3, blobs: undefined } as const;

/** A row to be written whose sum is moved by its position. */
const withPlacedSum = (table: SummedTable, cells: readonly Cell[]): readonly Cell[] => [
  ...cells,
  placedSumOf(table, cells),
];

/** The sum of all columns but the position, which a database may give later. */
export const unplacedSum = (table: SummedTable, cells: readonly Cell[]): number =>
  sumOf(...cells.map((cell, index) => (index === PLACES[table] ? null : cell)));

function placedSumOf(table: SummedTable, cells: readonly Cell[]): number {
  const place = PLACES[table];
  return place === undefined
    ? sumOf(...cells)
    : placedSum(unplacedSum(table, cells), Number(cells[place] ?? 0));
}

/**
 * Whether a row that ends with its check sum is as it was written. Rows of layouts before 6 have a plain sum, with the
 * position among the other columns.
 */
export function isWhole(table: SummedTable, row: SqlRow): boolean {
  const cells = row.slice(0, -1);
  const sum = row.at(-1);
  return sum === placedSumOf(table, cells) || sum === sumOf(...cells);
}

/** The row, if it is as it was written. `what` names it to whoever reads the failure. */
export function requireWhole(table: SummedTable, row: SqlRow, what: string): SqlRow {
  if (guard('read.sum', !isWhole(table, row))) throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what });
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
  withPlacedSum('runs', [
    ...[run.id, run.name, run.seq, run.position, run.startedAt, run.lastAt],
    ...[run.removedAt, run.hash],
  ]);

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
  withPlacedSum('commits', [
    ...[row.position, row.run, row.seq, row.at],
    ...[row.commandKey, row.body, row.hash],
  ]);

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
  withPlacedSum('blobs', [row.id, row.key, row.size, row.name, row.data]);

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
  withPlacedSum('projections', [row.name, row.key, row.run, row.position, row.shared, row.value]);
