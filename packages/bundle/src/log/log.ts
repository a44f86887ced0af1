import { createHash } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { KEYS } from '../ids.js';
import type { ObjectError, Objects } from '../objects/contract.js';
import type { Checkpoint } from './checkpoint.js';
import {
  consistencyProof,
  emptyRoot,
  type HashAt,
  inclusionProof,
  leafHash,
  nodeHash,
  provesConsistency,
  provesInclusion,
} from './merkle.js';
import { splitHashes, subtreeHash, TILE, tileHashes, tileWidth } from './tiles.js';

/** `E_LOG`: the log does not show what it must. */
export interface LogError {
  readonly code: 'E_LOG';
  readonly reason: 'not-included' | 'forked' | 'shrunk' | 'unreadable';
}

/** Everything that was published, in order, one writer at a time. */
export interface LogWriter {
  readonly size: () => number;
  readonly root: () => Buffer;
  /** Takes an object in and answers its index. Nothing is stored before `flush`. */
  append(object: Uint8Array): number;
  /** Stores the tiles that changed. The checkpoint of this size may be published after it. */
  flush(): Promise<Result<void, ObjectError | LogError>>;
}

/**
 * Goes on with the log of a checkpoint, or begins one. What a writer stored and did not live to sign is taken over: a
 * tile never changes, so the log goes on with it or not at all.
 */
export async function openLog(
  objects: Objects,
  checkpoint: Pick<Checkpoint, 'size' | 'root'> | undefined,
): Promise<Result<LogWriter, LogError>> {
  const start = checkpoint?.size ?? 0;
  const edges: Buffer[][] = [];
  for (let level = 0; TILE ** level <= start; level += 1) {
    const index = Math.floor(Math.floor(start / TILE ** level) / TILE);
    const width = tileWidth(start, level, index);
    const tile = width === 0 ? undefined : await objects.get(KEYS.tile(level, index, width));
    if (tile !== undefined && (!tile.ok || tile.value.length !== width * 32)) return refuse('unreadable');
    edges.push(tile === undefined ? [] : [...splitHashes(Buffer.from(tile.value))]);
  }
  const writer = writeFrom(objects, start, edges);
  if (checkpoint !== undefined && !writer.root().equals(checkpoint.root)) return refuse('forked');
  return takeOver(objects, writer, [...(edges[0] ?? [])]);
}

/** Adds the leaves of tiles beyond the checkpoint, from the first one that is not full on. */
async function takeOver(
  objects: Objects,
  writer: Writer,
  known: readonly Buffer[],
): Promise<Result<LogWriter, LogError>> {
  let have = known;
  for (let tiles = 0; tiles < MAX_TAKEN; tiles += 1) {
    const index = Math.floor(writer.size() / TILE);
    const prefix = KEYS.tile(0, index, 1).replace(/[^/]*$/, '');
    const listed = await objects.list(prefix);
    if (!listed.ok) return refuse('unreadable');
    const widths = listed.value.keys.map((key) => Number(/(\d+)\.bin$/.exec(key)?.[1] ?? 0));
    const width = Math.max(0, ...widths.filter((each) => each <= TILE));
    if (width <= have.length) return ok(writer);
    const tile = await objects.get(KEYS.tile(0, index, width));
    if (!tile.ok || tile.value.length !== width * 32) return refuse('unreadable');
    const hashes = splitHashes(Buffer.from(tile.value));
    if (!have.every((hash, at) => hashes[at]?.equals(hash) === true)) return refuse('forked');
    for (const hash of hashes.slice(have.length)) writer.take(hash);
    have = [];
    if (width < TILE) return ok(writer);
  }
  return refuse('unreadable');
}

/** As many tiles as one publication can have left behind. */
const MAX_TAKEN = 4096;

interface Writer extends LogWriter {
  /** Takes in a leaf by its hash. */
  take(hash: Buffer): void;
}

function writeFrom(objects: Objects, start: number, edges: Buffer[][]): Writer {
  let size = start;
  let full = new Map<string, Buffer>();
  const push = (level: number, hash: Buffer): void => {
    const edge = edges[level] ?? [];
    edges[level] = edge;
    edge.push(hash);
    if (edge.length < TILE) return;
    const index = Math.floor(size / TILE ** (level + 1)) - 1;
    full.set(KEYS.tile(level, index, TILE), Buffer.concat(edge));
    edges[level] = [];
    push(level + 1, subtreeHash(edge));
  };
  const take = (hash: Buffer): void => {
    size += 1;
    push(0, hash);
  };
  return {
    size: () => size,
    root: () => rootOf(edges),
    take,
    append(object) {
      take(leafHash(digestOf(object)));
      return size - 1;
    },
    async flush() {
      const partial = edges.flatMap((edge, level): [string, Buffer][] => {
        const index = Math.floor(Math.floor(size / TILE ** level) / TILE);
        return edge.length === 0 ? [] : [[KEYS.tile(level, index, edge.length), Buffer.concat(edge)]];
      });
      for (const [key, bytes] of [...full, ...partial]) {
        const stored = await putOnce(objects, key, bytes);
        if (!stored.ok) return stored;
      }
      full = new Map();
      return ok(undefined);
    },
  };
}

/** A tile that is there already must be this one: another would be the work of a second writer. */
async function putOnce(
  objects: Objects,
  key: string,
  bytes: Buffer,
): Promise<Result<void, ObjectError | LogError>> {
  const put = await objects.put(key, bytes, { ifAbsent: true });
  if (put.ok || put.error.reason !== 'exists') return put;
  const there = await objects.get(key);
  return there.ok && bytes.equals(there.value) ? ok(undefined) : refuse('forked');
}

/** The subtrees on the right edge, largest first, folded from the right. */
function rootOf(edges: readonly (readonly Buffer[])[]): Buffer {
  const peaks = edges.toReversed().flatMap((edge) => {
    const found: Buffer[] = [];
    let at = 0;
    for (let span = TILE / 2; span >= 1; span /= 2) {
      if (edge.length - at < span) continue;
      found.push(subtreeHash(edge.slice(at, at + span)));
      at += span;
    }
    return found;
  });
  return peaks.length === 0 ? emptyRoot() : peaks.reduceRight((right, left) => nodeHash(left, right));
}

/** What an agent saw of a log, and what it finds there now. */
export interface LogCheck {
  readonly objects: Pick<Objects, 'get'>;
  readonly seen: Checkpoint | undefined;
  readonly now: Checkpoint;
  /** Published objects with the index that was told for each. */
  readonly entries: readonly { readonly object: Uint8Array; readonly index: number }[];
  /** Hashes that are at hand already, before those of tiles. */
  readonly hashes?: (hashAt: HashAt) => HashAt;
}

/** Checks that the log only grew, and that the objects are in it. Reads tiles; believes only hashes. */
export async function checkLog(check: LogCheck): Promise<Result<void, LogError>> {
  const { objects, seen, now, entries, hashes = (hashAt) => hashAt } = check;
  const hashAt = hashes(tileHashes(objects, now.size));
  if (seen !== undefined) {
    if (guard('log.shrunk', now.size < seen.size)) return refuse('shrunk');
    const proof = await consistencyProof(seen.size, now.size, hashAt);
    if (proof === undefined) return refuse('unreadable');
    if (guard('log.consistency', !provesConsistency(seen, now, proof))) return refuse('forked');
  }
  for (const { object, index } of entries) {
    if (index >= now.size) return refuse('not-included');
    const proof = await inclusionProof(index, now.size, hashAt);
    if (proof === undefined) return refuse('unreadable');
    const place = { index, size: now.size, root: now.root };
    if (guard('log.inclusion', !provesInclusion(leafHash(digestOf(object)), place, proof)))
      return refuse('not-included');
  }
  return ok(undefined);
}

const digestOf = (object: Uint8Array): Buffer => createHash('sha256').update(object).digest();
const refuse = (reason: LogError['reason']) => fail<LogError>({ code: 'E_LOG', reason });
