import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { Append, Appended, StoreFault } from '../contract.js';
import type { JournalResult } from '../result.js';
import { type NewCommit, readRunRow, type StoreState } from './commit.js';
import { type CommandRow, findCommandRow, toAppended } from './find-command.js';
import { type FoundBlob, findBlobs } from './keep/blob-rows.js';
import type { OwnAppends } from './own-appends.js';
import type { RowNumbers, SqlDriver, SqlSession } from './port/driver.js';
import type { PreparedAppend } from './prepare.js';
import { type FoundProjection, findProjections } from './projection.js';
import { hex } from './row/chain.js';
import type { RunRow } from './row/rows.js';
import type { Witness } from './witness.js';

export interface AppendOptions {
  readonly now: () => number;
  readonly fault?: StoreFault | undefined;
  readonly witness: Witness;
  readonly own: OwnAppends;
}

/** An append, and what was made of it before any lock. */
export interface GivenAppend {
  readonly batch: Append;
  readonly prepared: PreparedAppend;
}

/** What an append is judged by, and stands on. */
export interface FoundAppend {
  readonly run: RunRow | undefined;
  readonly earlier: CommandRow | undefined;
  readonly fenced: boolean;
  readonly blobs: readonly FoundBlob[];
  readonly projections: readonly FoundProjection[];
  readonly numbers: RowNumbers;
}

/**
 * Reads it. The run is read first: a command that came later is found, or has moved the run. `state` is what a
 * transaction has read already.
 */
export async function lookFor(
  driver: SqlDriver,
  session: SqlSession,
  { batch, prepared }: GivenAppend,
  state?: StoreState,
): Promise<FoundAppend> {
  const fresh = prepared.blobs.filter(({ content }) => content !== undefined).length;
  const [run, earlier, fenced, blobs, projections, numbers] = await Promise.all([
    state ? state.run : readRunRow(session, batch.run),
    findCommandRow(session, batch.run, batch.command),
    isFenced(driver, session, batch),
    findBlobs(session, prepared.blobs),
    findProjections(session, prepared.projections),
    fresh > 0 || batch.expectedSeq === 0 ? driver.numbers(session, fresh, state?.last) : NO_NUMBERS,
  ]);
  return { run, earlier, fenced, blobs, projections, numbers };
}

const NO_NUMBERS: RowNumbers = { run: 0, blobs: [] };

/** What is answered without writing: a refusal, or what the same command answered before. */
export function answerWithout(
  { batch }: GivenAppend,
  { run, earlier, fenced, blobs }: FoundAppend,
): JournalResult<Appended> | undefined {
  if (guard('append.removed', run !== undefined && run.removedAt !== null)) {
    return fail({ code: 'E_JOURNAL_REMOVED', run: batch.run });
  }
  if (guard('append.repeat', earlier !== undefined) && earlier !== undefined) {
    const isClash = earlier.body.target !== batch.target;
    if (guard('append.conflict', isClash)) {
      return fail({ code: 'E_JOURNAL_CONFLICT', run: batch.run, command: batch.command });
    }
    return ok(toAppended(earlier));
  }
  if (batch.fence && fenced) return fail({ code: 'E_JOURNAL_FENCED', ...batch.fence });
  const found = run?.seq ?? 0;
  if (guard('append.moved', found !== batch.expectedSeq)) {
    return fail({ code: 'E_JOURNAL_MOVED', run: batch.run, expected: batch.expectedSeq, found });
  }
  // A run cannot begin to keep what was deleted: its chain would hold no record of the deletion.
  const missing = blobs.find(({ row, blob }) => row?.hasData !== true && blob.content === undefined);
  if (guard('append.keeps', missing !== undefined) && missing !== undefined) {
    return fail({ code: 'E_JOURNAL_BLOB_MISSING', blob: `sha256:${hex(missing.blob.name)}` });
  }
  return undefined;
}

/** The commit of an append that nothing speaks against. */
export const newCommit = (
  { batch, prepared }: GivenAppend,
  { run, blobs, projections, numbers }: FoundAppend,
  now: () => number,
): NewCommit => ({
  state: { run },
  numbers,
  run: batch.run,
  command: batch.command,
  target: batch.target,
  at: Math.trunc(now()),
  prepared,
  blobs,
  projections,
});

/** Whether the batch asks for a lease that is not held any more. */
async function isFenced(driver: SqlDriver, session: SqlSession, { fence }: Append): Promise<boolean> {
  if (fence === undefined) return false;
  const sql = 'SELECT token, expires_at FROM cuebook_leases WHERE scope = ?';
  const [[row], now] = await Promise.all([session.rows(sql, [fence.scope]), driver.now(session)]);
  const isOther = row === undefined || Number(row[0]) !== fence.token;
  const isExpired = row !== undefined && Number(row[1]) <= now;
  return guard('append.fenced', isOther) || guard('append.expired', isExpired);
}
