import type { JsonValue } from '@cuebook/prompt';
import { insertCommit, readState } from '../commit.js';
import type { SqlDriver, SqlSession } from '../port/driver.js';
import { RESERVED } from '../prepare.js';
import { hex, keyOf, readHash } from '../row/chain.js';
import { blobCells } from '../row/rows.js';
import type { OnHead, Witness } from '../witness.js';
import { findBlobRow, UPSERT_BLOB } from './blob-rows.js';

/** The beginning of the command under which a deletion stands in a chain; the blob's digits follow. */
export const DELETION = `${RESERVED}blob.delete:`;

/**
 * Takes the content of a blob away. Each run that keeps it gets a commit without events that says so: an audit
 * accepts missing content only with that record.
 */
export async function deleteBlob(
  driver: SqlDriver,
  shown: string,
  { now, witness }: { readonly now: () => number; readonly witness: Witness },
): Promise<boolean> {
  const name = readHash(shown);
  if (name === undefined) return false;
  const isDeleted = await witness.write<boolean>(driver, async (session, onHead) => {
    const row = await findBlobRow(session, { name, key: keyOf(name) });
    if (row === undefined || row.data === null) return { keep: false, value: false };
    await session.rows(UPSERT_BLOB, blobCells({ ...row, data: null }));
    const runs = await session.rows(SELECT_KEEPERS, [row.id]);
    for (const [run] of runs) {
      await recordDeletion(driver, session, {
        run: String(run),
        digits: hex(name),
        at: Math.trunc(now()),
        onHead,
      });
    }
    return { keep: true, value: true };
  });
  if (isDeleted) await driver.scrub();
  return isDeleted;
}

interface Deletion {
  readonly run: string;
  readonly digits: string;
  readonly at: number;
  readonly onHead: OnHead;
}

async function recordDeletion(
  driver: SqlDriver,
  session: SqlSession,
  { run, digits, at, onHead }: Deletion,
): Promise<void> {
  const [state, numbers] = await Promise.all([readState(session, run), driver.numbers(session, 0)]);
  const answer = JSON.stringify({ deleted: `sha256:${digits}` } satisfies JsonValue);
  const { pending } = await insertCommit(session, {
    state,
    numbers,
    run,
    // A blob that was stored again can be deleted again: the position makes the id a new one.
    command: `${DELETION}${digits}:${Math.max(state.maxPosition, state.floor)}`,
    target: `sha256:${digits}`,
    at,
    prepared: { answer, events: [], projections: [], blobs: [] },
    blobs: [],
    projections: [],
    onHead,
  });
  await pending;
}

const SELECT_KEEPERS = `SELECT r.name FROM cuebook_refs k JOIN cuebook_runs r ON r.id = k.run
  WHERE k.blob = ? AND r.removed_at IS NULL ORDER BY r.id`;
