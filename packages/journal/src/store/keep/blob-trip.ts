import type { RoundTrip, SqlDriver } from '../port/driver.js';
import type { PreparedBlob } from '../prepare.js';
import { pack } from '../row/pack.js';
import { blobCells } from '../row/rows.js';
import type { Cell } from '../row/sum.js';
import { type FoundBlob, findBlobs, numberBlobs } from './blob-rows.js';

/** Keeps blobs for a run, or for the store itself, in one round trip to read and one to write. */
export async function keepBlobsInOneTrip(
  driver: SqlDriver,
  trip: RoundTrip,
  { keeper, blobs }: { readonly keeper: number; readonly blobs: readonly PreparedBlob[] },
): Promise<void> {
  for (;;) {
    const [found, numbers] = await trip.read((session) =>
      Promise.all([findBlobs(session, blobs), driver.numbers(session, blobs.length)]),
    );
    const ids = numberBlobs(found, numbers.blobs);
    const [isKept] = (await trip.call(KEEP, [keeper, ...blobColumns(found, ids)])) ?? [];
    if (isKept === 1) return;
  }
}

const KEEP = 'SELECT cuebook_keep_blobs(?, ?, ?, ?, ?, ?, ?)::int';

/** Six columns, one entry for each blob. Content that is stored already is left out. */
export function blobColumns(
  found: readonly FoundBlob[],
  ids: readonly number[],
): readonly (readonly Cell[])[] {
  const rows = found.map(({ blob, row }, index) => {
    const { name, key, content } = blob;
    const id = ids[index] ?? 0;
    if (content === undefined || row?.hasData === true) return [id, key, 0, name, null, 0];
    return blobCells({ id, key, size: content.size, name, data: pack(content.plain) });
  });
  return [0, 1, 2, 3, 4, 5].map((column) => rows.map((cells) => cells[column] ?? null));
}
