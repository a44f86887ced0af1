import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { Append, Appended, StoreFault } from '../contract.js';
import type { JournalError } from '../error.js';
import type { JournalResult } from '../result.js';
import { insertCommit, readState } from './commit.js';
import { findCommandRow, toAppended } from './find-command.js';
import { findBlobs } from './keep/blob-rows.js';
import type { SqlDriver, SqlSession, TransactionEnding } from './port/driver.js';
import { type PreparedAppend, prepareAppend } from './prepare.js';
import { findProjections } from './projection.js';
import { hex } from './row/chain.js';
import type { OnHead, Witness } from './witness.js';

export interface AppendOptions {
  readonly now: () => number;
  readonly fault?: StoreFault | undefined;
  readonly witness: Witness;
}

/** The one write of the journal: check, then blobs, events, projections and the receipt in one transaction. */
export async function append(
  driver: SqlDriver,
  batch: Append,
  options: AppendOptions,
): Promise<JournalResult<Appended>> {
  const prepared = prepareAppend(batch);
  if (!prepared.ok) return prepared;
  const { fault, witness } = options;
  const steps = fault && { before: () => fault.before?.('commit'), after: () => fault.after?.('commit') };
  try {
    return await witness(
      driver,
      (session, onHead) => appendIn(driver, session, batch, prepared.value, { ...options, onHead }),
      steps,
    );
  } catch (thrown) {
    return fail(driver.explain(thrown));
  }
}

async function appendIn(
  driver: SqlDriver,
  session: SqlSession,
  batch: Append,
  prepared: PreparedAppend,
  { now, fault, onHead }: AppendOptions & { readonly onHead: OnHead },
): Promise<TransactionEnding<JournalResult<Appended>>> {
  const refuse = (error: JournalError) => ({ keep: false, value: fail(error) });
  const [state, earlier, fenced, blobs, projections] = await Promise.all([
    readState(session, batch.run),
    findCommandRow(session, batch.run, batch.command),
    isFenced(driver, session, batch),
    findBlobs(session, prepared.blobs),
    findProjections(session, prepared.projections),
  ]);
  if (guard('append.removed', state.run !== undefined && state.run.removedAt !== null)) {
    return refuse({ code: 'E_JOURNAL_REMOVED', run: batch.run });
  }
  if (guard('append.repeat', earlier !== undefined) && earlier !== undefined) {
    const isClash = earlier.body.target !== batch.target;
    if (guard('append.conflict', isClash)) {
      return refuse({ code: 'E_JOURNAL_CONFLICT', run: batch.run, command: batch.command });
    }
    return { keep: false, value: ok(toAppended(earlier)) };
  }
  if (batch.fence && fenced) return refuse({ code: 'E_JOURNAL_FENCED', ...batch.fence });
  const found = state.run?.seq ?? 0;
  if (guard('append.moved', found !== batch.expectedSeq)) {
    return refuse({ code: 'E_JOURNAL_MOVED', run: batch.run, expected: batch.expectedSeq, found });
  }
  // A run cannot begin to keep what was deleted: its chain would hold no record of the deletion.
  const missing = blobs.find(({ row, blob }) => row?.hasData !== true && blob.content === undefined);
  if (guard('append.keeps', missing !== undefined) && missing !== undefined) {
    return refuse({ code: 'E_JOURNAL_BLOB_MISSING', blob: `sha256:${hex(missing.blob.name)}` });
  }

  return insertCommit(session, {
    state,
    run: batch.run,
    command: batch.command,
    target: batch.target,
    at: Math.trunc(now()),
    prepared,
    blobs,
    projections,
    fault,
    onHead,
  });
}

/** Whether the batch asks for a lease that is not held any more. */
async function isFenced(driver: SqlDriver, session: SqlSession, { fence }: Append): Promise<boolean> {
  if (fence === undefined) return false;
  const sql = 'SELECT token, expires_at FROM cuebook_leases WHERE scope = ?';
  const [[row], now] = await Promise.all([session.rows(sql, [fence.scope]), driver.now(session)]);
  const isOther = row === undefined || Number(row[0]) !== fence.token;
  const isExpired = row !== undefined && Number(row[1]) <= now;
  return guard('append.fenced', isOther) || guard('append.expired', isExpired);
}
