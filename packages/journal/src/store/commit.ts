import { type JsonValue, ok } from '@cuebook/prompt';
import type { HeadChange } from '../anchor/keep.js';
import type { Appended, RunId, StoreFault, StoreFaultPoint } from '../contract.js';
import { JournalFailure } from '../error.js';
import type { JournalResult } from '../result.js';
import { type FoundBlob, linkBlobs, numberBlobs } from './keep/blob-rows.js';
import type { LastNumbers, RowNumbers, SqlSession, TransactionEnding } from './port/driver.js';
import type { PreparedAppend } from './prepare.js';
import { type FoundProjection, saveProjections } from './projection.js';
import { encodeBody } from './row/body.js';
import { chainCommit, commandKey, type EventText, genesis, hex, shownHash } from './row/chain.js';
import {
  COMMIT_COLUMNS,
  commitCells,
  RUN_COLUMNS,
  type RunRow,
  requireWhole,
  runCells,
  toRunRow,
} from './row/rows.js';

/** A commit that nothing speaks against. */
export interface NewCommit {
  readonly state: Pick<StoreState, 'run'>;
  /** For a run and for blobs that have none yet. */
  readonly numbers: RowNumbers;
  readonly run: string;
  readonly command: string;
  readonly target: string;
  readonly at: number;
  readonly prepared: PreparedAppend;
  readonly blobs: readonly FoundBlob[];
  readonly projections: readonly FoundProjection[];
  readonly fault?: StoreFault | undefined;
  /** Hears where the run stands, once for each try to write. */
  readonly onHead?: ((change: HeadChange) => void) | undefined;
  /** Called with what was written once it is kept. */
  readonly onKept?: ((kept: KeptCommit) => void) | undefined;
}

/** A commit as it is kept. */
export interface KeptCommit {
  readonly run: RunId;
  readonly command: string;
  readonly at: number;
  readonly lastSeq: number;
  /** That of its last event. */
  readonly position: number;
  readonly events: readonly EventText[];
  readonly hashes: readonly Buffer[];
}

/** A commit with everything but its position. */
export interface CommitDraft {
  readonly id: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly startedAt: number;
  readonly commandKey: number;
  readonly body: Buffer;
  readonly hash: Buffer;
  /** Of each event. */
  readonly hashes: readonly Buffer[];
  readonly blobIds: readonly number[];
  readonly value: JournalResult<Appended>;
}

/** What a commit at the end of its run is, wherever in the journal it will stand. */
export function draftCommit(given: NewCommit): CommitDraft {
  const { state, numbers, run, command, target, at, prepared, blobs } = given;
  const found = state.run?.seq ?? 0;
  const firstSeq = found + 1;
  const lastSeq = found + prepared.events.length;
  const text = { ...prepared, run, firstSeq, lastSeq, at, command, target };
  const names = prepared.blobs.map(({ name }) => hex(name));
  const { head: hash, events: hashes } = chainCommit(state.run?.hash ?? genesis(run), {
    ...text,
    blobs: names,
  });
  const blobIds = numberBlobs(blobs, numbers.blobs);
  const answer = JSON.parse(prepared.answer) as JsonValue;
  return {
    id: state.run?.id ?? numbers.run,
    ...{ firstSeq, lastSeq, hash, hashes, blobIds },
    startedAt: state.run?.startedAt ?? at,
    commandKey: commandKey(run, command),
    body: encodeBody({ ...text, blobs: blobIds }),
    value: ok({ firstSeq, lastSeq, answer, repeated: false, hash: shownHash(hash) }),
  };
}

/**
 * Writes the rows of a commit at the end of its run. The names in `fault` are the steps here; without faults
 * nothing is waited for in between.
 */
export async function insertCommit(
  session: SqlSession,
  given: NewCommit & { readonly state: StoreState },
): Promise<TransactionEnding<JournalResult<Appended>>> {
  const { state, run, command, at, prepared, blobs, projections, fault, onHead, onKept } = given;
  const { id, lastSeq, startedAt, commandKey, body, hash, hashes, blobIds: ids, value } = draftCommit(given);
  const position = Math.max(state.maxPosition, state.floor) + Math.max(1, prepared.events.length);
  const commit = { position, run: id, seq: lastSeq, at, commandKey, body, hash };
  const head = { id, name: run, seq: lastSeq, position, startedAt, lastAt: at, removedAt: null, hash };

  const steps: readonly (readonly [StoreFaultPoint, () => Promise<unknown>])[] = [
    ['blob', () => linkBlobs(session, { run: id, ids, found: blobs })],
    ['append', () => session.rows(INSERT_COMMIT, commitCells(commit))],
    ['project', () => saveProjections(session, { run: id, position, changes: projections })],
    ['receipt', () => session.rows(UPSERT_RUN, runCells(head))],
  ];
  const pending: Promise<unknown>[] = [];
  for (const [point, step] of steps) {
    if (fault === undefined) pending.push(step());
    else await withFault(fault, point, step);
  }
  onHead?.(headChange(head, state.run));
  const { events } = prepared;
  const kept =
    onKept && (() => onKept({ run: run as RunId, command, at, lastSeq, position, events, hashes }));
  return { keep: true, value, run, pending: Promise.all(pending), ...(kept && { kept }) };
}

/** How a run's row changed, as an anchor notes it. */
export const headChange = (
  { name, seq, position, hash, removedAt }: Omit<RunRow, 'id' | 'startedAt' | 'lastAt'>,
  before: RunRow | undefined,
): HeadChange => ({
  head: { run: name, seq, position, hash: hex(hash), ...(removedAt === null ? {} : { removedAt }) },
  ...(before === undefined ? {} : { before: hex(before.hash) }),
});

async function withFault(
  fault: StoreFault,
  point: StoreFaultPoint,
  step: () => Promise<unknown>,
): Promise<void> {
  await fault.before?.(point);
  await step();
  await fault.after?.(point);
}

/** Where the store and a run stand. */
export interface StoreState {
  readonly run: RunRow | undefined;
  readonly maxPosition: number;
  readonly floor: number;
  /** The highest row numbers in use. */
  readonly last: LastNumbers;
}

/** Where the store and the run stand, in one statement. Only of use inside a transaction that writes. */
export async function readState(session: SqlSession, run: string): Promise<StoreState> {
  const [cells] = await session.rows(SELECT_STATE, [run]);
  if (cells === undefined) throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: 'the floor' });
  const [floor = 0, maxPosition = 0, lastRun = 0, lastBlob = 0] = cells
    .slice(RUN_WIDTH)
    .map((value) => Number(value ?? 0));
  const isThere = (cells[0] ?? null) !== null;
  const row = isThere ? requireWhole('runs', cells.slice(0, RUN_WIDTH), `the row of ${run}`) : undefined;
  return { run: row && toRunRow(row), maxPosition, floor, last: { run: lastRun, blob: lastBlob } };
}

/** The row of a run, if there is one. */
export async function readRunRow(session: SqlSession, run: string): Promise<RunRow | undefined> {
  const [row] = await session.rows(SELECT_RUN, [run]);
  return row && toRunRow(requireWhole('runs', row, `the row of ${run}`));
}

const SELECT_RUN = `SELECT ${RUN_COLUMNS} FROM cuebook_runs WHERE name = ? LIMIT 1`;

const RUN_WIDTH = RUN_COLUMNS.split(',').length;

const SELECT_STATE = `SELECT ${RUN_COLUMNS.replace(/\w+/g, 'r.$&')}, m.value, (SELECT max(position) FROM cuebook_commits),
  (SELECT max(id) FROM cuebook_runs), (SELECT max(id) FROM cuebook_blobs)
  FROM cuebook_meta m LEFT JOIN cuebook_runs r ON r.name = ? WHERE m.name = 'floor' LIMIT 1`;

export const INSERT_COMMIT = `INSERT INTO cuebook_commits (${COMMIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export const UPSERT_RUN = `INSERT INTO cuebook_runs (${RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, position = excluded.position, last_at = excluded.last_at,
  removed_at = excluded.removed_at, hash = excluded.hash, sum = excluded.sum`;
