import {
  createKey,
  createSealedKeys,
  KEYS,
  type KeyPlace,
  type KeySigner,
  libraryMetadata,
  type ObjectError,
  type Objects,
  publicKeyOf,
  type RoleKeys,
  rootMetadata,
  type SealedKeyError,
  SHIPPED_VERSIONS,
  targetsMetadata,
} from '@cuebook/bundle';
import { type FileError, type Files, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { OfflineTrust } from '../desk.js';
import type { PlatformConfig } from './config.js';
import { type HomeError, makeServerKeys, onlinePath, saveOffline } from './home.js';
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
      readonly reason: 'there-already' | 'threshold' | 'root-key';
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
  const { roots, threshold, name, url, store, now } = founding;
  if (!Number.isSafeInteger(threshold) || threshold < 1 || threshold > roots.length)
    return fail({ code: 'E_PLATFORM_HOME', reason: 'threshold', what: `${threshold} of ${roots.length}` });
  const files = await openFolder(folder, { create: true });
  if (!files.ok) return files;
  const there = await files.value.exists('platform.json');
  if (!there.ok) return there;
  if (there.value) return fail({ code: 'E_PLATFORM_HOME', reason: 'there-already', what: 'platform.json' });
  const rootKeys = await createSealedKeys(roots);
  if (!rootKeys.ok) return rootKeys;
  const [library, reviewer] = await Promise.all([
    createSealedKeys([founding.library]),
    createSealedKeys([founding.reviewer]),
  ]);
  if (!library.ok) return library;
  if (!reviewer.ok) return reviewer;
  const server = await makeServerKeys(files.value);
  if (!server.ok) return server;
  const config: PlatformConfig = {
    format: 'cuebook-platform-1',
    name,
    url,
    store,
    keys: {
      root: rootKeys.value.map(hexOf),
      threshold,
      library: hexOf(library.value[0] as KeySigner),
      reviewer: hexOf(reviewer.value[0] as KeySigner),
      online: hexOf(server.value.online),
      log: hexOf(server.value.log),
    },
    versions: { root: 1, targets: 1, library: 1 },
  };
  const trust = signOffline(config, { roots: rootKeys.value, library: library.value[0] as KeySigner, now });
  const kept = await saveTemplates(files.value, SHIPPED_VERSIONS);
  if (!kept.ok) return kept;
  const saved = await saveOffline(files.value, config, trust);
  return saved.ok ? ok(config) : saved;
}

/** Puts what was signed offline where agents find it. Each version is written once. */
export async function publishOffline(
  objects: Objects,
  trust: OfflineTrust,
): Promise<Result<void, ObjectError>> {
  const named = [
    [KEYS.root(trust.root.version), trust.root.bytes],
    [KEYS.shared('targets', trust.targets.version), trust.targets.bytes],
    [KEYS.shared('library', trust.library.version), trust.library.bytes],
  ] as const;
  for (const [key, bytes] of named) {
    const put = await objects.put(key, bytes, { ifAbsent: true });
    if (!put.ok && put.error.reason !== 'exists') return put;
  }
  return ok(undefined);
}

/** What a rotation changes. `server` replaces the key that assigns, after a theft or from time to time. */
export interface Rotation {
  readonly replace: 'server' | 'root';
  /** Root keys of the threshold as it is now. */
  readonly signers: readonly KeySigner[];
  /** With `root`: the one that goes (its public key, a root key now) and the one that comes (none of them). */
  readonly root?: { readonly gone: string; readonly come: KeySigner };
  readonly now: number;
}

/**
 * A new root, and new keys below it. Agents follow it on their own, also those that were away: it is signed by the
 * root before it. The key of the server that was replaced is worth nothing from then on, once everything is published
 * again.
 */
export async function rotateKeys(
  files: Files,
  config: PlatformConfig,
  library: OfflineTrust['library'],
  rotation: Rotation,
): Promise<
  Result<{ readonly config: PlatformConfig; readonly trust: OfflineTrust }, FileError | FoundError>
> {
  const known = rotation.signers.filter(({ publicKey }) => config.keys.root.includes(publicKey.hex));
  if (new Set(known.map(({ keyId }) => keyId)).size < config.keys.threshold)
    return fail({
      code: 'E_PLATFORM_HOME',
      reason: 'threshold',
      what: `${known.length} of ${config.keys.threshold}`,
    });
  const { root } = rotation;
  const replaces =
    root !== undefined &&
    config.keys.root.includes(root.gone) &&
    !config.keys.root.includes(hexOf(root.come));
  if (guard('rotate.root', rotation.replace === 'root' && !replaces))
    return fail({ code: 'E_PLATFORM_HOME', reason: 'root-key', what: root?.gone ?? '' });
  const online = rotation.replace === 'server' ? createKey() : undefined;
  const next: PlatformConfig = {
    ...config,
    keys: {
      ...config.keys,
      ...(online === undefined ? {} : { online: hexOf(online.signer) }),
      ...(root === undefined
        ? {}
        : { root: config.keys.root.map((hex) => (hex === root.gone ? hexOf(root.come) : hex)) }),
    },
    versions: { ...config.versions, root: config.versions.root + 1, targets: config.versions.targets + 1 },
  };
  const roots = root === undefined ? known : [...known, root.come];
  const trust = { ...signOffline(next, { roots, now: rotation.now }), library };
  if (online !== undefined) {
    const path = onlinePath(hexOf(online.signer));
    const written = await files.writeText(path, online.pem, { mode: 0o600, ifMatch: 'absent' });
    if (!written.ok) return written;
  }
  const saved = await saveOffline(files, next, trust);
  if (!saved.ok) return saved;
  if (online !== undefined) {
    // Replaced: it signs nothing any more, and who finds it should not have it.
    const removed = await files.remove(onlinePath(config.keys.online));
    if (!removed.ok && removed.error.code !== 'E_FILE_NOT_FOUND') return removed;
  }
  return ok({ config: next, trust });
}

function signOffline(
  { keys, versions }: PlatformConfig,
  {
    roots,
    library,
    now,
  }: { readonly roots: readonly KeySigner[]; readonly library?: KeySigner; readonly now: number },
): OfflineTrust {
  const expires = now + YEAR;
  const rootRole: RoleKeys = { keys: keys.root.map(keyOf), threshold: keys.threshold };
  const one = (hex: string): RoleKeys => ({ keys: [keyOf(hex)], threshold: 1 });
  return {
    root: rootMetadata(
      { root: rootRole, targets: rootRole, snapshot: one(keys.online), timestamp: one(keys.online) },
      { version: versions.root, expires, signers: roots },
    ),
    targets: targetsMetadata(
      {
        library: one(keys.library),
        reviews: one(keys.reviewer),
        assignment: one(keys.online),
        log: one(keys.log),
      },
      { version: versions.targets, expires, signers: roots },
    ),
    library: libraryMetadata(SHIPPED_VERSIONS, {
      version: versions.library,
      expires,
      signers: library === undefined ? [] : [library],
    }),
  };
}

const hexOf = ({ publicKey }: KeySigner): string => publicKey.hex;
const keyOf = (hex: string) => {
  const key = publicKeyOf(hex);
  if (key === undefined) throw new RangeError('not a key that was made here');
  return key;
};
const YEAR = 365 * 24 * 60 * 60 * 1000;
