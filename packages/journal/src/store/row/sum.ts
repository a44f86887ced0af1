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

/**
 * The same for a row that has a place in the journal: the sum of its other columns, moved by its position. So a
 * database that gives the position as it commits can complete the sum with one multiplication. The modulus is prime
 * and no power of two divides it, so a changed position always changes the sum.
 */
export const placedSum = (sum: number, position: number): number =>
  (sum + (position % PLACE_MODULUS) * PLACE_FACTOR) % PLACE_MODULUS;

/** The largest prime below 2^32. */
export const PLACE_MODULUS = 4_294_967_291;
/** Small enough that a product stays exact in a double and in 64 bits. */
export const PLACE_FACTOR = 1_000_003;
