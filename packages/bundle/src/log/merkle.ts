import { createHash } from 'node:crypto';

/** The hash of the complete subtree `index` of `2^level` leaves, as RFC 6962 computes it. */
export type HashAt = (level: number, index: number) => Promise<Buffer | undefined>;

/** A leaf is the sha256 of a published object: the log tells nothing of what or whose it is. */
export const leafHash = (digest: Uint8Array): Buffer =>
  createHash('sha256').update(LEAF).update(digest).digest();

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

/** The root of a log without entries. */
export const emptyRoot = (): Buffer => createHash('sha256').digest();

/** The hash of `size` leaves from `start`, where `start` is where such a subtree begins. */
export async function rangeHash(start: number, size: number, hashAt: HashAt): Promise<Buffer | undefined> {
  const level = Math.log2(size);
  if (Number.isInteger(level) && start % size === 0) return hashAt(level, start / size);
  const split = largestPowerBelow(size);
  const left = await rangeHash(start, split, hashAt);
  const right = await rangeHash(start + split, size - split, hashAt);
  return left === undefined || right === undefined ? undefined : nodeHash(left, right);
}

/** The hashes that lead from a leaf to the root, nearest first. Undefined when some hash cannot be had. */
export async function inclusionProof(
  index: number,
  size: number,
  hashAt: HashAt,
): Promise<readonly Buffer[] | undefined> {
  const proof: (Buffer | undefined)[] = [];
  let start = 0;
  let width = size;
  while (width > 1) {
    const split = largestPowerBelow(width);
    const isLeft = index < start + split;
    proof.unshift(
      isLeft ? await rangeHash(start + split, width - split, hashAt) : await rangeHash(start, split, hashAt),
    );
    if (!isLeft) start += split;
    width = isLeft ? split : width - split;
  }
  return whole(proof);
}

/** The hashes that show that a log of `newSize` begins with the log of `oldSize`, in the order of RFC 6962. */
export async function consistencyProof(
  oldSize: number,
  newSize: number,
  hashAt: HashAt,
): Promise<readonly Buffer[] | undefined> {
  if (oldSize === 0 || oldSize >= newSize) return [];
  const proof: (Buffer | undefined)[] = [];
  let start = 0;
  let width = newSize;
  let isWhole = true;
  while (oldSize - start !== width) {
    const split = largestPowerBelow(width);
    if (oldSize - start <= split) {
      proof.unshift(await rangeHash(start + split, width - split, hashAt));
      width = split;
    } else {
      proof.unshift(await rangeHash(start, split, hashAt));
      start += split;
      width -= split;
      isWhole = false;
    }
  }
  if (!isWhole) proof.unshift(await rangeHash(start, width, hashAt));
  return whole(proof);
}

/** Whether a leaf stands at an index of the log of this size and root. */
export function provesInclusion(
  leaf: Uint8Array,
  place: { readonly index: number; readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isIndex(place.index) || !isIndex(place.size) || place.index >= place.size) return false;
  let node = place.index;
  let last = place.size - 1;
  let hash: Uint8Array = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else hash = nodeHash(hash, sibling);
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && Buffer.compare(hash, place.root) === 0;
}

/** A log as somebody saw it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the newer log begins with the older one. */
export function provesConsistency(older: TreeHead, newer: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isIndex(older.size) || !isIndex(newer.size) || older.size > newer.size) return false;
  if (older.size === 0) return proof.length === 0;
  if (older.size === newer.size) return proof.length === 0 && Buffer.compare(older.root, newer.root) === 0;
  const steps = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : [...proof];
  const first = steps.shift();
  if (first === undefined) return false;
  let node = older.size - 1;
  let last = newer.size - 1;
  while (node % 2 === 1) {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  let oldHash = first;
  let newHash = first;
  for (const step of steps) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldHash = nodeHash(step, oldHash);
      newHash = nodeHash(step, newHash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else newHash = nodeHash(newHash, step);
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && Buffer.compare(oldHash, older.root) === 0 && Buffer.compare(newHash, newer.root) === 0;
}

const isIndex = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const whole = (proof: readonly (Buffer | undefined)[]): readonly Buffer[] | undefined =>
  proof.every((hash) => hash !== undefined) ? (proof as readonly Buffer[]) : undefined;

/** The largest power of two below a number above 1. Sizes stay below 2^53, so this is exact. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);
