import { readVersion } from '../../schema/migrate.js';
import { THE_STORE } from '../keep/blob.js';
import type { SqlSession } from '../port/driver.js';
import { attempt } from './attempt.js';
import { findProblem } from './audit-blobs.js';
import type { AuditReport } from './report.js';

/** Blobs that belong to the store itself. */
export async function auditStoredBlobs(session: SqlSession, report: AuditReport): Promise<void> {
  const ids = await session.rows('SELECT blob FROM cuebook_refs WHERE run = ? ORDER BY blob', [THE_STORE]);
  for (const [id] of ids) {
    const message = await attempt(
      () => findProblem(session, { id: Number(id), run: THE_STORE, isDeleted: true }),
      (code) => report({ kind: 'blob', message: `a blob of the store itself cannot be read (${code})` }),
    );
    if (message) report({ kind: 'blob', message });
  }
}

/** Rows that belong to nothing. */
export async function auditStrays(session: SqlSession, report: AuditReport): Promise<void> {
  const version = await readVersion(session);
  for (const { kind, sql, message, since } of STRAYS) {
    if (version < since) continue;
    const rows = await attempt(
      () => session.rows(sql),
      (code) => report({ kind, message: `rows that belong to nothing cannot be looked for (${code})` }),
    );
    if (Number(rows?.[0]?.[0]) > 0) report({ kind, message });
  }
}

const NO_RUN = 'NOT EXISTS (SELECT 1 FROM cuebook_runs r WHERE r.id = x.run AND r.removed_at IS NULL)';
const STRAYS = [
  {
    kind: 'commit',
    sql: `SELECT count(*) FROM cuebook_commits x WHERE ${NO_RUN}`,
    message: 'there are commits of no run',
    since: 1,
  },
  {
    kind: 'projection',
    sql: `SELECT count(*) FROM cuebook_projections x WHERE value IS NOT NULL AND ${NO_RUN}`,
    message: 'there are projections of no run',
    since: 1,
  },
  {
    kind: 'blob',
    sql: `SELECT count(*) FROM cuebook_blobs b WHERE NOT EXISTS (SELECT 1 FROM cuebook_refs k WHERE k.blob = b.id)`,
    message: 'there are blobs that nobody keeps',
    since: 1,
  },
  {
    kind: 'run',
    sql: `SELECT count(*) FROM cuebook_removals x WHERE NOT EXISTS
      (SELECT 1 FROM cuebook_runs r WHERE r.name = x.run AND r.removed_at IS NOT NULL)`,
    message: 'there are removals of runs that were not removed',
    since: 4,
  },
] as const;
