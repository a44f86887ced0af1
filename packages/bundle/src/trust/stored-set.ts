import { readJson } from '../json/read.js';
import type { Digest, PinnedMetadata, SignedMetadata } from './metadata.js';

/** A certified object in the store: its digest, its place in the log, and until when its certificate holds. */
export interface StoredObject extends Digest {
  readonly version: number;
  readonly logIndex: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/**
 * What the store holds of one agent, as it was written: enough to renew any part of it without reading the others.
 * Plain JSON, to be kept on the platform's record.
 */
export interface StoredSet {
  /** The id of the server's key that signed all of it. */
  readonly key: string;
  readonly isPublic: boolean;
  readonly card: StoredObject;
  readonly bundle: StoredObject;
  readonly reviews: PinnedMetadata;
  readonly assignment: PinnedMetadata;
  readonly snapshot: PinnedMetadata;
  readonly timestamp: PinnedMetadata;
  /** What was signed offline and is pinned by the snapshot. */
  readonly targets: PinnedMetadata;
  readonly library: PinnedMetadata;
  /** The size of the log when it was written. */
  readonly logSize?: number;
}

/** What an agent that is up to date knows, as `AgentWork` takes it. */
export const knownOf = ({ targets, library, logSize }: StoredSet) => ({
  ...{ targets: targets.version, library: library.version, logSize },
});

/** When metadata ends, in milliseconds since 1970; undefined for bytes that say no time. */
export function endOf(bytes: Uint8Array): number | undefined {
  const read = readJson(bytes, { bytes: 4 * 1024 * 1024 });
  const signed = read.ok ? (read.value as { readonly signed?: { readonly expires?: unknown } })?.signed : {};
  const time = typeof signed?.expires === 'string' ? Date.parse(signed.expires) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Whether it is metadata with its bytes, and not only what is known of it. */
export const isSigned = (metadata: SignedMetadata | PinnedMetadata): metadata is SignedMetadata =>
  'bytes' in metadata;
