import type { JsonValue } from '@cuebook/prompt';
import { canonical } from '../canonical.js';
import { shortDigest } from '../digest.js';

/** A list or object where it stands, or the short hash of the blob that holds its JSON. */
export type Packed<Value extends object> = Value | string;

/** Collects what a receipt puts beside itself, each content once. */
export interface BlobSink {
  /** Answers the short hash. */
  add(bytes: Uint8Array): string;
  readonly blobs: readonly Uint8Array[];
}

export function blobSink(): BlobSink {
  const byHash = new Map<string, Uint8Array>();
  return {
    add: (bytes) => {
      const hash = shortDigest(bytes);
      byHash.set(hash, bytes);
      return hash;
    },
    get blobs() {
      return [...byHash.values()];
    },
  };
}

/** Keeps a small value where it stands and moves a large one into a blob, which other turns then share. */
export function pack<Value extends object>(
  value: Value,
  sink: BlobSink,
  limit = INLINE_LIMIT,
): Packed<Value> {
  const text = canonical(value as unknown as JsonValue);
  return text.length <= limit ? value : sink.add(Buffer.from(text));
}

/**
 * As `pack`, for a value whose keys were sent in the order that they have: the log sorts keys, so a value whose order
 * is another goes into a blob, spelled as it is.
 */
export function packSpelled<Value extends object>(value: Value, sink: BlobSink): Packed<Value> {
  const text = JSON.stringify(value);
  const isSorted = canonical(value as unknown as JsonValue) === text;
  return isSorted && text.length <= INLINE_LIMIT ? value : sink.add(Buffer.from(text));
}

/** Below this a row of its own costs more than the text. */
export const INLINE_LIMIT = 1024;
/** For what no other turn has: only its size in the log counts. */
export const UNSHARED_LIMIT = 16 * 1024;
