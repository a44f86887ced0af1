import type {
  Catalogue,
  Issuer,
  KeySigner,
  Lifetimes,
  Objects,
  Scenario,
  SignedMetadata,
  SignerKeys,
} from '@cuebook/bundle';
import type { Store } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';

/**
 * What a platform works with. Its own record is the journal; what agents see is in the object store. It holds the keys
 * that assign and those of the log, and none that write words: roots, library and reviews are signed elsewhere.
 */
export interface PlatformParts {
  readonly name: string;
  readonly store: Store;
  readonly objects: Objects;
  readonly issuer: Issuer;
  readonly online: KeySigner;
  readonly log: KeySigner;
  readonly trust: OfflineTrust;
  /** Seals session challenges. */
  readonly secret: Uint8Array;
  readonly catalogue: Catalogue;
  /** What was assigned when the platform was founded. How it stands now is on record: `findLibrary`. */
  readonly active: readonly Scenario[];
  /** Every version that the library of the founding lists. */
  readonly library: readonly Scenario[];
  readonly lifetimes: Lifetimes;
  readonly now: () => number;
  /** Takes over keys and metadata that another process has changed since. Left out: nothing of it changes. */
  readonly follow?: () => Promise<Result<void, FollowError>>;
}

/** Why the newest keys and metadata cannot be taken over. */
export interface FollowError {
  readonly code: string;
  readonly reason?: string;
}

/** What was signed away from the server. */
export interface OfflineTrust {
  readonly root: SignedMetadata;
  readonly targets: SignedMetadata;
  readonly library: SignedMetadata;
  /** The roots before this one: agents that were away follow them one after the other. */
  readonly roots?: readonly SignedMetadata[];
}

/** The keys that certify what this platform publishes. */
export const ringOf = ({ online }: Pick<PlatformParts, 'online'>): SignerKeys =>
  new Map([[online.keyId, online.publicKey.object]]);

/** What every manifest of this platform is certified with. */
export const manifestOptions = (
  { online, name, lifetimes, now }: Pick<PlatformParts, 'online' | 'name' | 'lifetimes' | 'now'>,
  version: number,
) => ({ signer: online, issuer: name, version, now: now(), lifetimeMs: lifetimes.cert });
