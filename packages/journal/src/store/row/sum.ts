import { crc32 } from 'node:zlib';

/** A value of a row. */
export type Cell = number | string | Uint8Array | null;

/**
 * A check sum over all other columns of a row. The hash chain covers what was said; the sum covers how it is
 * stored, row numbers and compressed bytes included, so that no flipped byte goes unseen.
 */
export function sumOf(...cells: readonly Cell[]): number {
  const bytes: Uint8Array[] = [];
  let text = '';
  for (const cell of cells) {
    if (cell instanceof Uint8Array) {
      bytes.push(cell);
      text += `b${cell.length};`;
    } else {
      text += cell === null ? 'z;' : `${typeof cell}${String(cell).length};${cell}`;
    }
  }
  return bytes.reduce((sum, part) => crc32(part, sum), crc32(text));
}
