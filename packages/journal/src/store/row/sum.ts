import { crc32 } from 'node:zlib';

/** A value of a row. */
export type Cell = number | string | Uint8Array | null;

/**
 * A check sum over all other columns of a row. The hash chain covers what was said; the sum covers how it is
 * stored, row numbers and compressed bytes included, so that no flipped byte goes unseen.
 */
export function sumOf(...cells: readonly Cell[]): number {
  let sum = 0;
  for (const cell of cells) {
    if (cell instanceof Uint8Array) sum = crc32(cell, crc32(`b${cell.length};`, sum));
    else sum = crc32(cell === null ? 'z;' : `${typeof cell}${String(cell).length};${cell}`, sum);
  }
  return sum;
}
