import { THE_STORE } from '../keep/blob.js';
import type { Session } from '../port/driver.js';
import { findProblem } from './audit-blobs.js';
import type { Report } from './report.js';

/** Blobs that belong to the store itself. */
export async function auditStoredBlobs(session: Session, report: Report): Promise<void> {
  const ids = await session.rows('SELECT blob FROM cuebook_refs WHERE run = ? ORDER BY blob', [THE_STORE]);
  for (const [id] of ids) {
    const message = await findProblem(session, { id: Number(id), run: THE_STORE, isDeleted: true });
    if (message) report({ kind: 'blob', message });
  }
}

/** Rows that belong to nothing. */
export async function auditStrays(session: Session, report: Report): Promise<void> {
  for (const { kind, sql, message } of STRAYS) {
    const [row] = await session.rows(sql);
    if (Number(row?.[0]) > 0) report({ kind, message });
  }
}

const NO_RUN = 'NOT EXISTS (SELECT 1 FROM cuebook_runs r WHERE r.id = x.run AND r.removed_at IS NULL)';
const STRAYS = [
  {
    kind: 'commit',
    sql: `SELECT count(*) FROM cuebook_commits x WHERE ${NO_RUN}`,
    message: 'there are commits of no run',
  },
  {
    kind: 'projection',
    sql: `SELECT count(*) FROM cuebook_projections x WHERE value IS NOT NULL AND ${NO_RUN}`,
    message: 'there are projections of no run',
  },
  {
    kind: 'blob',
    sql: `SELECT count(*) FROM cuebook_blobs b WHERE NOT EXISTS (SELECT 1 FROM cuebook_refs k WHERE k.blob = b.id)`,
    message: 'there are blobs that nobody keeps',
  },
] as const;
