import {
  assembleRequest,
  createKey,
  type KeySigner,
  type RequestError,
  type RequestSignature,
  type SigningRequest,
  signRequest,
} from '@cuebook/bundle';
import type { FileError, Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { OfflineTrust } from '../desk.js';
import { type HoldingError, holding } from '../holding.js';
import { type KeysError, requestChange } from '../keys/change.js';
import { type KeyChange, rolesOf } from '../keys/roles.js';
import { offlineTrust } from '../library/library.js';
import type { PlatformConfig } from './config.js';
import { type HomeError, logPath, type OpenPlatform, onlinePath, saveOffline } from './home.js';

/** Why a change of keys is not taken. */
export type RotateError = FileError | RequestError | KeysError | HomeError | HoldingError;

/** What counts after a change of keys. */
export interface RotatedKeys {
  readonly config: PlatformConfig;
  readonly trust: OfflineTrust;
}

/** Makes the key that the server will have. It counts for nothing until holders of root keys have signed it in. */
export async function makeServerKey(
  files: Files,
  role: 'online' | 'log',
): Promise<Result<string, FileError>> {
  const { signer, pem } = createKey();
  const { hex } = signer.publicKey;
  const path = role === 'online' ? onlinePath(hex) : logPath(hex);
  const written = await files.writeText(path, pem, { mode: 0o600, ifMatch: 'absent' });
  return written.ok ? ok(hex) : written;
}

/**
 * Takes what holders have signed: what is signed first, then what the platform says about itself, then the keys that
 * were replaced go. Agents follow it on their own, also those that were away, because each root is signed by the one
 * before it. A key of the server that was replaced is worth nothing from then on, once everything is renewed.
 */
export const applyRequest = (
  platform: OpenPlatform,
  request: SigningRequest,
  signatures: readonly RequestSignature[],
): Promise<Result<RotatedKeys, RotateError>> =>
  holding(platform, () => takeRequest(platform, request, signatures));

async function takeRequest(
  platform: OpenPlatform,
  request: SigningRequest,
  signatures: readonly RequestSignature[],
): Promise<Result<RotatedKeys, RotateError>> {
  const { files, config } = platform;
  const trust = await offlineTrust(platform);
  if (guard('request.platform', request.platform !== config.name))
    return fail({ code: 'E_SIGNING', reason: 'other-request' });
  const { root, targets, library } = trust;
  const next = assembleRequest(request, signatures, { root, targets, library });
  if (!next.ok) return next;
  const roles = rolesOf(next.value);
  const [online = '', log = ''] = [roles.online.keys[0], roles.log.keys[0]];
  const keys = { online: onlinePath(online), log: logPath(log) };
  const changed = (['online', 'log'] as const).filter((role) => config.keys[role] !== { online, log }[role]);
  for (const role of changed) {
    const there = await files.exists(keys[role]);
    if (!there.ok) return there;
    if (!there.value) return fail({ code: 'E_PLATFORM_HOME', reason: 'damaged', what: keys[role] });
  }
  const rotated: RotatedKeys = {
    trust: {
      ...next.value,
      roots: [...(trust.roots ?? []), ...(next.value.root === trust.root ? [] : [trust.root])],
    },
    config: {
      ...config,
      keys: {
        ...{ root: [...roles.root.keys], threshold: roles.root.threshold },
        library: roles.library.keys[0] ?? config.keys.library,
        ...{ reviewers: [...roles.reviews.keys], reviewer_threshold: roles.reviews.threshold },
        ...{ online, log },
      },
      versions: {
        root: next.value.root.version,
        targets: next.value.targets.version,
        library: next.value.library.version,
      },
    },
  };
  const saved = await saveOffline(files, rotated.config, rotated.trust);
  if (!saved.ok) return saved;
  // Replaced: they sign nothing any more, and who finds them should not have them.
  const gone = changed.flatMap((role) =>
    role === 'online' ? [onlinePath(config.keys.online)] : [logPath(config.keys.log), 'keys/log.pem'],
  );
  for (const path of gone) {
    const removed = await files.remove(path);
    if (!removed.ok && removed.error.code !== 'E_FILE_NOT_FOUND') return removed;
  }
  return ok(rotated);
}

/** A change of keys where enough holders are at hand: what they sign is taken at once. */
export async function rotateKeys(
  platform: OpenPlatform,
  change: KeyChange | 'ends' | 'library-end',
  { signers, now }: { readonly signers: readonly KeySigner[]; readonly now: number },
): Promise<Result<RotatedKeys, RotateError>> {
  const request = requestChange(platform.name, await offlineTrust(platform), change, now);
  if (!request.ok) return request;
  const signatures = signers.flatMap((signer) => {
    const signed = signRequest(request.value, signer);
    return signed.ok ? [signed.value] : [];
  });
  return applyRequest(platform, request.value, signatures);
}
