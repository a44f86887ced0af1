import {
  createSealedKeys,
  KEYS,
  type KeyPlace,
  type KeySigner,
  libraryMetadata,
  type ObjectError,
  type Objects,
  rootMetadata,
  type SealedKeyError,
  SHIPPED_VERSIONS,
  targetsMetadata,
} from '@cuebook/bundle';
import { type Files, openFolder } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { OfflineTrust } from '../desk.js';
import { delegated, rootRoles, YEAR } from '../keys/change.js';
import type { PlatformRoles } from '../keys/roles.js';
import type { PlatformConfig } from './config.js';
import { type HomeError, makeServerKeys, saveOffline } from './home.js';
import { saveTemplates } from './templates.js';

/** What a new platform is made of. */
export interface Founding {
  readonly name: string;
  readonly url: string;
  readonly store: PlatformConfig['store'];
  /** Where the root keys go: places and passphrases of their own, none of them the platform's folder. */
  readonly roots: readonly KeyPlace[];
  /** How many root keys must agree. */
  readonly threshold: number;
  readonly library: KeyPlace;
  readonly reviewer: KeyPlace;
  readonly now: number;
}

export type FoundError =
  | SealedKeyError
  | HomeError
  | {
      readonly code: 'E_PLATFORM_HOME';
      readonly reason: 'there-already' | 'threshold';
      readonly what: string;
    };

/**
 * Makes a platform in a folder: keys that assign, which stay in it, and keys that are kept elsewhere, encrypted. What
 * they sign now is all that the server ever has of them.
 */
export async function foundPlatform(
  folder: string,
  founding: Founding,
): Promise<Result<PlatformConfig, FoundError>> {
  const { roots, threshold } = founding;
  const files = await newFolder(folder, { threshold, roots: roots.length });
  if (!files.ok) return files;
  const rootKeys = await createSealedKeys(roots);
  if (!rootKeys.ok) return rootKeys;
  const [library, reviewer] = await Promise.all([
    createSealedKeys([founding.library]),
    createSealedKeys([founding.reviewer]),
  ]);
  if (!library.ok) return library;
  if (!reviewer.ok) return reviewer;
  return foundWith(folder, founding, {
    roots: rootKeys.value,
    library: library.value[0] as KeySigner,
    reviewers: reviewer.value,
  });
}

/** The holders of the keys that are kept offline. */
export interface Holders {
  readonly roots: readonly KeySigner[];
  readonly library: KeySigner;
  readonly reviewers: readonly KeySigner[];
}

/** The same where the keys are made already. */
export async function foundWith(
  folder: string,
  { name, url, store, threshold, now }: Omit<Founding, 'roots' | 'library' | 'reviewer'>,
  { roots, library, reviewers }: Holders,
): Promise<Result<PlatformConfig, FoundError>> {
  const files = await newFolder(folder, { threshold, roots: roots.length });
  if (!files.ok) return files;
  const server = await makeServerKeys(files.value);
  if (!server.ok) return server;
  const { online, log } = server.value;
  const roles: PlatformRoles = {
    root: { keys: roots.map(hexOf), threshold },
    library: { keys: [hexOf(library)], threshold: 1 },
    reviews: { keys: reviewers.map(hexOf), threshold: 1 },
    online: { keys: [hexOf(online)], threshold: 1 },
    log: { keys: [hexOf(log)], threshold: 1 },
  };
  const config: PlatformConfig = {
    format: 'cuebook-platform-1',
    ...{ name, url, store },
    keys: {
      ...{ root: roots.map(hexOf), threshold, library: hexOf(library) },
      ...{ reviewers: reviewers.map(hexOf), reviewer_threshold: 1 },
      ...{ online: hexOf(online), log: hexOf(log) },
    },
    versions: { root: 1, targets: 1, library: 1 },
  };
  const common = { version: 1, expires: now + YEAR };
  const trust: OfflineTrust = {
    root: rootMetadata(rootRoles(roles), { ...common, signers: roots }),
    targets: targetsMetadata(delegated(roles), { ...common, signers: roots }),
    library: libraryMetadata(SHIPPED_VERSIONS, { ...common, signers: [library] }),
  };
  const kept = await saveTemplates(files.value, SHIPPED_VERSIONS);
  if (!kept.ok) return kept;
  const saved = await saveOffline(files.value, config, trust);
  return saved.ok ? ok(config) : saved;
}

/** A folder in which there is no platform yet. */
async function newFolder(
  folder: string,
  { threshold, roots }: { readonly threshold: number; readonly roots: number },
): Promise<Result<Files, FoundError>> {
  if (!Number.isSafeInteger(threshold) || threshold < 1 || threshold > roots)
    return fail({ code: 'E_PLATFORM_HOME', reason: 'threshold', what: `${threshold} of ${roots}` });
  const files = await openFolder(folder, { create: true });
  if (!files.ok) return files;
  const there = await files.value.exists('platform.json');
  if (!there.ok) return there;
  return there.value
    ? fail({ code: 'E_PLATFORM_HOME', reason: 'there-already', what: 'platform.json' })
    : files;
}

/**
 * Puts what was signed offline where agents find it, every root that there was included: a chain with a hole is a dead
 * end for who was away. Each version is written once.
 */
export async function publishOffline(
  objects: Objects,
  trust: OfflineTrust,
): Promise<Result<void, ObjectError>> {
  if (PUBLISHED.get(trust) === objects) return ok(undefined);
  const named = [
    ...(trust.roots ?? []).map(({ version, bytes }) => [KEYS.root(version), bytes] as const),
    [KEYS.root(trust.root.version), trust.root.bytes],
    [KEYS.shared('targets', trust.targets.version), trust.targets.bytes],
    [KEYS.shared('library', trust.library.version), trust.library.bytes],
  ] as const;
  for (const [key, bytes] of named) {
    const put = await objects.put(key, bytes, { ifAbsent: true });
    if (!put.ok && put.error.reason !== 'exists') return put;
  }
  PUBLISHED.set(trust, objects);
  return ok(undefined);
}

/** What this process has put there. */
const PUBLISHED = new WeakMap<OfflineTrust, Objects>();

const hexOf = ({ publicKey }: KeySigner): string => publicKey.hex;
