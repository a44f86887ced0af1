import { KEYS } from '../ids.js';
import type { Objects } from '../objects/contract.js';
import { type HashAt, nodeHash } from './merkle.js';

/**
 * A log is stored in tiles: `log/tiles/L/I/W.bin` holds the `W` hashes from `256 * I` on of the subtrees of
 * `256^L` leaves. A tile never changes, since its width is part of its name; a reader of a log of some size knows
 * from the size which tiles there are.
 */
export const TILE = 256;
const HASH = 32;

/** Reads hashes of a log of this size from its tiles, each tile once. Undefined for a tile that is not as it must be. */
export function tileHashes(objects: Pick<Objects, 'get'>, size: number): HashAt {
  const read = new Map<string, Promise<Buffer | undefined>>();
  const tile = (level: number, index: number): Promise<Buffer | undefined> => {
    const width = tileWidth(size, level, index);
    const key = KEYS.tile(level, index, width);
    const known = read.get(key) ?? readTile(objects, key, width);
    read.set(key, known);
    return known;
  };
  return async (level, index) => {
    const tileLevel = Math.floor(level / 8);
    const span = 2 ** (level % 8);
    const first = index * span;
    const bytes = await tile(tileLevel, Math.floor(first / TILE));
    const from = (first % TILE) * HASH;
    if (bytes === undefined || bytes.length < from + span * HASH) return undefined;
    return subtreeHash(splitHashes(bytes.subarray(from, from + span * HASH)));
  };
}

/** The root of a complete subtree from its leaves' hashes, a power of two of them. */
export function subtreeHash(hashes: readonly Buffer[]): Buffer {
  let row = hashes;
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, at) =>
      nodeHash(row[2 * at] as Buffer, row[2 * at + 1] as Buffer),
    );
  return row[0] as Buffer;
}

export const splitHashes = (bytes: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.floor(bytes.length / HASH) }, (_, at) =>
    bytes.subarray(at * HASH, (at + 1) * HASH),
  );

/** How many hashes the tile holds in a log of this size. */
export function tileWidth(size: number, level: number, index: number): number {
  const count = Math.floor(size / TILE ** level);
  return Math.max(0, Math.min(TILE, count - index * TILE));
}

async function readTile(
  objects: Pick<Objects, 'get'>,
  key: string,
  width: number,
): Promise<Buffer | undefined> {
  if (width === 0) return undefined;
  const bytes = await objects.get(key, { limit: TILE * HASH });
  return bytes.ok && bytes.value.length === width * HASH ? Buffer.from(bytes.value) : undefined;
}
