import type { SqlRow, SqlSession } from '../port/driver.js';
import type { PreparedBlob } from '../prepare.js';
import { pack } from '../row/pack.js';
import { BLOB_COLUMNS, type BlobRow, blobCells, requireWhole, toBlobRow } from '../row/rows.js';

/** A blob that is wanted, and its row if there is one. `data` of the row is left out; see `hasData`. */
export interface FoundBlob {
  readonly blob: PreparedBlob;
  readonly row: { readonly id: number; readonly hasData: boolean } | undefined;
}

export function findBlobs(
  session: SqlSession,
  blobs: readonly PreparedBlob[],
): Promise<readonly FoundBlob[]> {
  return Promise.all(
    blobs.map(async (blob) => {
      const isIt = ([, name]: SqlRow): boolean => Buffer.compare(name as Buffer, blob.name) === 0;
      // Two blobs of one key are so rare that the others are asked for only then.
      const [first] = await session.rows(SELECT_FIRST, [blob.key]);
      const others = first === undefined || isIt(first) ? [] : await session.rows(SELECT_NAME, [blob.key]);
      const row = first !== undefined && isIt(first) ? first : others.find(isIt);
      return { blob, row: row && { id: Number(row[0]), hasData: Number(row[2]) === 1 } };
    }),
  );
}

export interface LinkOptions {
  /** 0: the store itself. */
  readonly run: number;
  readonly ids: readonly number[];
  readonly found: readonly FoundBlob[];
}

/** The row numbers that the blobs have, or get. */
export function numberBlobs(found: readonly FoundBlob[], fresh: readonly number[]): readonly number[] {
  let next = 0;
  return found.map(({ row }) => row?.id ?? fresh[next++] ?? 0);
}

/** Stores what is not stored, and notes that the run keeps all of them. */
export async function linkBlobs(session: SqlSession, { run, ids, found }: LinkOptions): Promise<void> {
  const writes: Promise<unknown>[] = [];
  for (const [index, { blob, row }] of found.entries()) {
    const id = ids[index] ?? 0;
    if (blob.content && row?.hasData !== true) {
      const { size, plain } = blob.content;
      const cells = blobCells({ id, key: blob.key, size, name: blob.name, data: pack(plain) });
      writes.push(session.rows(UPSERT_BLOB, cells));
    }
    writes.push(session.rows(LINK, [id, run]));
  }
  await Promise.all(writes);
}

/** The row of a blob with its content. */
export async function findBlobRow(session: SqlSession, blob: PreparedBlob): Promise<BlobRow | undefined> {
  const rows = await session.rows(SELECT_WHOLE, [blob.key]);
  const row = rows.find((cells) => Buffer.compare(cells[3] as Buffer, blob.name) === 0);
  return row && toBlobRow(requireWhole('blobs', row, `the blob ${blob.name.toString('hex')}`));
}

const SELECT_NAME = `SELECT id, name, CASE WHEN data IS NULL THEN 0 ELSE 1 END FROM cuebook_blobs
  WHERE name_key = ?`;
const SELECT_FIRST = `${SELECT_NAME} LIMIT 1`;
const SELECT_WHOLE = `SELECT ${BLOB_COLUMNS} FROM cuebook_blobs WHERE name_key = ?`;
const LINK = 'INSERT INTO cuebook_refs (blob, run) VALUES (?, ?) ON CONFLICT (blob, run) DO NOTHING';

export const UPSERT_BLOB = `INSERT INTO cuebook_blobs (${BLOB_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET data = excluded.data, sum = excluded.sum`;
