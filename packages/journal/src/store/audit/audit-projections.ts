import { guard } from '@cuebook/guard';
import type { RunId } from '../../contract.js';
import { BOUNDS } from '../bounds.js';
import type { SqlRow, SqlSession } from '../port/driver.js';
import { digest, hex } from '../row/chain.js';
import { unpack } from '../row/pack.js';
import { isWhole, PROJECTION_COLUMNS, toProjectionRow } from '../row/rows.js';
import { attempt } from './attempt.js';
import type { AuditReport } from './report.js';

/** What the chain says last about a projection. */
export interface LastChange {
  readonly name: string;
  readonly key: string;
  readonly hash: string | null;
  readonly position: number;
}

export interface ProjectionAudit {
  readonly run: RunId;
  readonly id: number;
  readonly changes: ReadonlyMap<string, LastChange>;
}

/** Every projection is what the run's chain says last, or what a later commit of another run made of it. */
export async function auditProjections(
  session: SqlSession,
  audit: ProjectionAudit,
  report: AuditReport,
): Promise<void> {
  const { run, id, changes } = audit;
  for (const { name, key, hash, position } of changes.values()) {
    const rows = await attempt(
      () => session.rows(SELECT_ONE, [name, key]),
      (code) =>
        report({
          kind: 'projection',
          run,
          projection: { name, key },
          message: `it cannot be read (${code})`,
        }),
    );
    if (rows === undefined) continue;
    const [cells] = rows;
    const isRight = cells === undefined ? hash === null : fits(cells, { id, hash, position });
    if (guard('audit.projection', !isRight)) {
      report({
        kind: 'projection',
        run,
        projection: { name, key },
        message: 'it is not what the chain says',
      });
    }
  }
  const mine = await session.rows('SELECT name, key FROM cuebook_projections WHERE run = ?', [id]);
  for (const [name, key] of mine) {
    const isKnown = changes.has(JSON.stringify([name, key]));
    if (guard('audit.projection', !isKnown)) {
      const projection = { name: String(name), key: String(key) };
      report({ kind: 'projection', run, projection, message: 'nothing in the chain wrote it' });
    }
  }
}

const SELECT_ONE = `SELECT ${PROJECTION_COLUMNS} FROM cuebook_projections WHERE name = ? AND key = ?`;

function fits(
  cells: SqlRow,
  { id, hash, position }: { readonly id: number; readonly hash: string | null; readonly position: number },
): boolean {
  if (!isWhole('projections', cells)) return false;
  const row = toProjectionRow(cells);
  if (row.run !== id) return row.position > position;
  if (row.position !== position) return false;
  if (row.value === null || hash === null) return row.value === null && hash === null;
  const plain = unpack(row.value, BOUNDS.value);
  return plain !== undefined && hex(digest(plain)) === hash;
}
