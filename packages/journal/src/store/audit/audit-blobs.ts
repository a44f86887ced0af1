import { guard } from '@cuebook/guard';
import type { RunId } from '../../contract.js';
import { contentOf } from '../keep/blob.js';
import { DELETION } from '../keep/delete-blob.js';
import type { SqlSession } from '../port/driver.js';
import { hex, keyOf } from '../row/chain.js';
import { BLOB_COLUMNS, isWhole, toBlobRow } from '../row/rows.js';
import { attempt } from './attempt.js';
import type { AuditReport } from './report.js';

export interface KeptBlobs {
  readonly run: RunId;
  readonly id: number;
  /** Names in hexadecimal by row number. */
  readonly blobs: ReadonlyMap<number, string>;
  /** The commands of the run: deletions are among them. */
  readonly commands: ReadonlySet<string>;
}

/** Every blob that the chain names is there, is what its name says, and is noted as kept. */
export async function auditBlobs(session: SqlSession, kept: KeptBlobs, report: AuditReport): Promise<void> {
  const deleted = new Set<string>();
  for (const command of kept.commands) {
    if (command.startsWith(DELETION)) deleted.add(command.slice(DELETION.length, DELETION.length + 64));
  }
  for (const [id, name] of kept.blobs) {
    const place = { kind: 'blob', run: kept.run, ...(name ? { blob: `sha256:${name}` } : {}) } as const;
    const problem = await attempt(
      () => findProblem(session, { id, run: kept.id, isDeleted: deleted.has(name) }),
      (code) => report({ ...place, message: `it cannot be read (${code})` }),
    );
    if (problem) report({ ...place, message: problem });
  }
}

/** What is wrong with a blob, or undefined. `run` 0 is the store itself, which keeps no record of deletions. */
export async function findProblem(
  session: SqlSession,
  { id, run, isDeleted }: { readonly id: number; readonly run: number; readonly isDeleted: boolean },
): Promise<string | undefined> {
  const [[cells], [link]] = await Promise.all([
    session.rows(`SELECT ${BLOB_COLUMNS} FROM cuebook_blobs WHERE id = ?`, [id]),
    session.rows('SELECT 1 FROM cuebook_refs WHERE blob = ? AND run = ?', [id, run]),
  ]);
  if (cells === undefined) return 'it is not there';
  const row = toBlobRow(cells);
  const found = await session.rows('SELECT id FROM cuebook_blobs WHERE name_key = ?', [keyOf(row.name)]);
  const isIndexed = row.key === keyOf(row.name) && found.some(([other]) => Number(other) === id);
  if (guard('audit.blob', !isWhole('blobs', cells) || !isIndexed || link === undefined)) {
    return 'its row is not as it was written';
  }
  if (row.data === null) {
    return guard('audit.deletion', !isDeleted)
      ? 'its content is gone, and no deletion is on record'
      : undefined;
  }
  const plain = contentOf(row);
  return guard('audit.blob', plain === undefined)
    ? `its content is not what its name says: ${hex(row.name)}`
    : undefined;
}
