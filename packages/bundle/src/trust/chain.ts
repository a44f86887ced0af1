import { fail, ok, type Result } from '@cuebook/prompt';
import { TrustedMetadataStore } from 'tuf-js/dist/store.js';
import type { TrustRoles } from './accept.js';
import { type TrustError, trustError } from './error.js';
import { parseTargets } from './metadata.js';
import { readMetadata } from './spelling.js';

/**
 * The checks of The Update Framework over metadata in memory: signatures, thresholds, versions, hashes, expiry.
 * A step that fails leaves what the steps before it established.
 */
export interface Chain {
  readonly rootVersion: () => number;
  /** In milliseconds since 1970. */
  readonly rootEnds: () => number;
  readonly versions: () => { readonly timestamp: number; readonly snapshot: number } | undefined;
  root(bytes: Uint8Array): Result<void, TrustError>;
  /** Whether the newest root that was taken vouches for a list of roles, whatever was pinned since. */
  vouches(targets: Uint8Array): Result<void, TrustError>;
  timestamp(bytes: Uint8Array): Result<void, TrustError>;
  /** `trusted` for one that was checked against a timestamp before. */
  snapshot(bytes: Uint8Array, trusted?: boolean): Result<void, TrustError>;
  role(bytes: Uint8Array, name: RoleName): Result<void, TrustError>;
  /** What the timestamp says of the snapshot, or the snapshot of a role. */
  pinned(name: 'snapshot' | RoleName): { readonly version: number; readonly length: number } | undefined;
  /** All four roles, once each is loaded. */
  roles(): TrustRoles | undefined;
}

export const ROLE_NAMES = ['targets', 'library', 'reviews', 'assignment'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** Starts from a root that came with the agent. `now` is the time of the whole check. */
export function openChain(pinnedRoot: Uint8Array, now: number): Result<Chain, TrustError> {
  const root = readMetadata(pinnedRoot, 'root');
  if (!root.ok) return root;
  const opened = attempt('root', () => new TrustedMetadataStore(root.value));
  if (!opened.ok) return opened;
  const store = opened.value;
  // The store takes the time of its construction; the time handed in takes that place.
  (store as unknown as { referenceTime: Date }).referenceTime = new Date(now);
  return ok(chainOf(store));
}

function chainOf(store: TrustedMetadataStore): Chain {
  const step = (bytes: Uint8Array, at: string, run: (bytes: Buffer) => unknown): Result<void, TrustError> => {
    const read = readMetadata(bytes, at);
    if (!read.ok) return read;
    const done = attempt(at, () => run(read.value));
    return done.ok ? ok(undefined) : done;
  };
  return {
    rootVersion: () => store.root.signed.version,
    rootEnds: () => Date.parse(store.root.signed.expires),
    versions: () =>
      store.timestamp === undefined
        ? undefined
        : {
            timestamp: store.timestamp.signed.version,
            snapshot: store.timestamp.signed.snapshotMeta.version,
          },
    root: (bytes) => step(bytes, 'root', (read) => store.updateRoot(read)),
    vouches: (bytes) =>
      step(bytes, 'targets', (read) => store.root.verifyDelegate('targets', parseTargets(read))),
    timestamp: (bytes) => step(bytes, 'timestamp', (read) => store.updateTimestamp(read)),
    snapshot: (bytes, trusted = false) =>
      step(bytes, 'snapshot', (read) => store.updateSnapshot(read, trusted)),
    role: (bytes, name) =>
      step(bytes, name, (read) =>
        store.updateDelegatedTargets(read, name, name === 'targets' ? 'root' : 'targets'),
      ),
    pinned(name) {
      const meta =
        name === 'snapshot'
          ? store.timestamp?.signed.snapshotMeta
          : store.snapshot?.signed.meta[`${name}.json`];
      // Metadata without a length or a hash would be taken on its signature alone.
      if (meta?.length === undefined || meta.hashes?.sha256 === undefined) return undefined;
      return { version: meta.version, length: meta.length };
    },
    roles() {
      const [targets, library, reviews, assignment] = ROLE_NAMES.map((name) => store.getRole(name));
      return targets && library && reviews && assignment
        ? { targets, library, reviews, assignment }
        : undefined;
    },
  };
}

function attempt<Value>(at: string, run: () => Value): Result<Value, TrustError> {
  try {
    return ok(run());
  } catch (error) {
    return fail(trustError(error, at));
  }
}
