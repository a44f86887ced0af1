import { guard } from '@cuebook/guard';
import { recordRemoval } from '../../anchor/proof.js';
import type { Signer } from '../../turn/key/key.js';
import { headChange, readState, UPSERT_RUN } from '../commit.js';
import type { Leases } from '../lease.js';
import { LEASE_COLUMNS, toLeaseRow } from '../lease-row.js';
import type { SqlDriver, SqlSession } from '../port/driver.js';
import { UPSERT_PROJECTION } from '../projection.js';
import { hex } from '../row/chain.js';
import { PROJECTION_COLUMNS, projectionCells, runCells, toProjectionRow } from '../row/rows.js';
import type { Witness } from '../witness.js';

/** Takes a run away and leaves its tombstone. Positions that it had are never given again. */
export async function removeRun(
  driver: SqlDriver,
  name: string,
  { now, leases, witness, signer }: RemoveOptions,
): Promise<boolean> {
  const isRemoved = await witness.write<boolean>(driver, async (session, onHead) => {
    const state = await readState(session, name);
    const { run } = state;
    if (run === undefined || run.removedAt !== null) return { keep: false, value: false };
    await removeBlobs(session, run.id);
    await removeProjections(session, run.id);
    await removeLeases(driver, session, name, leases);
    await session.rows('DELETE FROM cuebook_commits WHERE run = ?', [run.id]);
    await session.rows(RAISE_FLOOR, [Math.max(state.floor, state.maxPosition)]);
    const removed = { ...run, removedAt: Math.trunc(now()) };
    await session.rows(UPSERT_RUN, runCells(removed));
    const { seq, removedAt } = removed;
    if (signer) await recordRemoval(session, { run: name, seq, removedAt, hash: hex(run.hash) }, signer);
    onHead(headChange(removed, run));
    return { keep: true, value: true };
  });
  if (isRemoved) await driver.scrub();
  return isRemoved;
}

export interface RemoveOptions {
  readonly now: () => number;
  readonly leases: Leases;
  readonly witness: Witness;
  /** Signs for the removal; without one nobody can tell it from a theft. */
  readonly signer?: Signer | undefined;
}

/** A blob goes with the last that keeps it. */
async function removeBlobs(session: SqlSession, run: number): Promise<void> {
  const kept = await session.rows(SELECT_KEPT, [run]);
  await session.rows('DELETE FROM cuebook_refs WHERE run = ?', [run]);
  for (const [blob, others] of kept) {
    const isShared = guard('remove.shared', Number(others) > 0);
    if (!isShared) await session.rows('DELETE FROM cuebook_blobs WHERE id = ?', [Number(blob)]);
  }
}

/** One that other runs have written too stays as a removed value: their chains say that it was there. */
async function removeProjections(session: SqlSession, run: number): Promise<void> {
  await session.rows('DELETE FROM cuebook_projections WHERE run = ? AND shared IN (0, 2)', [run]);
  const shared = await session.rows(SELECT_SHARED, [run]);
  for (const cells of shared) {
    await session.rows(UPSERT_PROJECTION, projectionCells({ ...toProjectionRow(cells), value: null }));
  }
}

/**
 * Leases of its lanes. One that is held stays: its holder finds the run removed and lets go. Tokens may begin again,
 * since nothing is written to a removed run, whatever its fence.
 */
async function removeLeases(
  driver: SqlDriver,
  session: SqlSession,
  run: string,
  leases: Leases,
): Promise<void> {
  const now = await driver.now(session);
  for (const cells of await session.rows(SELECT_LEASES, [`/${run}/`])) {
    const row = toLeaseRow(cells);
    const isHeld = guard('remove.held', leases.isHeld(row, now));
    if (!isHeld) await session.rows('DELETE FROM cuebook_leases WHERE scope = ?', [row.scope]);
  }
}

// `LIKE` tells letters apart by their case in one of the two databases only.
const SELECT_LEASES = `SELECT ${LEASE_COLUMNS} FROM cuebook_leases WHERE replace(scope, ?, '') <> scope`;
const SELECT_KEPT = `SELECT k.blob, (SELECT count(*) FROM cuebook_refs o WHERE o.blob = k.blob AND o.run <> k.run)
  FROM cuebook_refs k WHERE k.run = ?`;
const SELECT_SHARED = `SELECT ${PROJECTION_COLUMNS} FROM cuebook_projections WHERE run = ?`;
const RAISE_FLOOR = "UPDATE cuebook_meta SET value = ? WHERE name = 'floor'";
