import { guard } from '../../guard.js';
import { readState, UPSERT_RUN } from '../commit.js';
import type { Driver, Session } from '../port/driver.js';
import { UPSERT_PROJECTION } from '../projection.js';
import { PROJECTION_COLUMNS, projectionCells, runCells, toProjectionRow } from '../row/rows.js';

/** Takes a run away and leaves its tombstone. Positions that it had are never given again. */
export async function removeRun(driver: Driver, name: string, now: () => number): Promise<boolean> {
  const isRemoved = await driver.write<boolean>(async (session) => {
    const state = await readState(session, name);
    const { run } = state;
    if (run === undefined || run.removedAt !== null) return { keep: false, value: false };
    await removeBlobs(session, run.id);
    await removeProjections(session, run.id);
    await session.rows('DELETE FROM cuebook_commits WHERE run = ?', [run.id]);
    await session.rows(RAISE_FLOOR, [Math.max(state.floor, state.maxPosition)]);
    await session.rows(UPSERT_RUN, runCells({ ...run, removedAt: Math.trunc(now()) }));
    return { keep: true, value: true };
  });
  if (isRemoved) await driver.scrub();
  return isRemoved;
}

/** A blob goes with the last that keeps it. */
async function removeBlobs(session: Session, run: number): Promise<void> {
  const kept = await session.rows(SELECT_KEPT, [run]);
  await session.rows('DELETE FROM cuebook_refs WHERE run = ?', [run]);
  for (const [blob, others] of kept) {
    const isShared = guard('remove.shared', Number(others) > 0);
    if (!isShared) await session.rows('DELETE FROM cuebook_blobs WHERE id = ?', [Number(blob)]);
  }
}

/** One that other runs have written too stays as a removed value: their chains say that it was there. */
async function removeProjections(session: Session, run: number): Promise<void> {
  await session.rows('DELETE FROM cuebook_projections WHERE run = ? AND shared = 0', [run]);
  const shared = await session.rows(SELECT_SHARED, [run]);
  for (const cells of shared) {
    await session.rows(UPSERT_PROJECTION, projectionCells({ ...toProjectionRow(cells), value: null }));
  }
}

const SELECT_KEPT = `SELECT k.blob, (SELECT count(*) FROM cuebook_refs o WHERE o.blob = k.blob AND o.run <> k.run)
  FROM cuebook_refs k WHERE k.run = ?`;
const SELECT_SHARED = `SELECT ${PROJECTION_COLUMNS} FROM cuebook_projections WHERE run = ?`;
const RAISE_FLOOR = "UPDATE cuebook_meta SET value = ? WHERE name = 'floor'";
