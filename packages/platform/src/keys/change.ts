import { bodyOf, rootMetadata, type SigningRequest, targetsMetadata } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { OfflineTrust } from '../desk.js';
import {
  changedRoles,
  type KeyChange,
  type NamedKeys,
  type PlatformRoles,
  roleKeysOf,
  rolesOf,
} from './roles.js';

/** `E_KEYS`: a change of keys that cannot be. */
export interface KeysError {
  readonly code: 'E_KEYS';
  readonly reason: 'change';
}

/**
 * What must be signed for a change of keys, or, without one, for new ends of what is signed offline. `library` asks for
 * a new end of the library alone. Everything gets a year.
 */
export function requestChange(
  platform: string,
  trust: OfflineTrust,
  change: KeyChange | 'ends' | 'library-end',
  now: number,
): Result<SigningRequest, KeysError> {
  const roles = rolesOf(trust);
  const next = typeof change === 'string' ? roles : changedRoles(roles, change);
  if (next === undefined || guard('keys.change', isEmpty(change)))
    return fail({ code: 'E_KEYS', reason: 'change' });
  const expires = now + YEAR;
  const root = bodyOf(
    rootMetadata(rootRoles(next), { version: trust.root.version + 1, expires, signers: [] }).bytes,
  );
  const targets = bodyOf(
    targetsMetadata(delegated(next), { version: trust.targets.version + 1, expires, signers: [] }).bytes,
  );
  const library = () => ({
    ...bodyOf(trust.library.bytes),
    version: trust.library.version + 1,
    expires: `${new Date(expires).toISOString().slice(0, 19)}Z`,
  });
  const withLibrary = change === 'library-end' || (typeof change === 'object' && change.role === 'library');
  const parts = {
    ...(change === 'library-end' ? {} : { root, targets }),
    ...(withLibrary ? { library: library() } : {}),
  } as SigningRequest['parts'];
  const { root: oldRoot, targets: oldTargets, library: oldLibrary } = trust;
  return ok({ platform, before: { root: oldRoot, targets: oldTargets, library: oldLibrary }, parts });
}

/** What a request changes, for a person who signs it: a line each. */
export function tellChange({ before, parts }: SigningRequest): readonly string[] {
  const old = rolesOf(before);
  const next = rolesOf({
    root: asStored(parts.root) ?? before.root,
    targets: asStored(parts.targets) ?? before.targets,
  });
  const names = Object.keys(old) as (keyof PlatformRoles)[];
  const changed = names.flatMap((name) => lines(name, old[name], next[name]));
  const ends = Object.entries(parts).map(
    ([role, body]) =>
      `${role} version ${(body as { version: number }).version}, until ${(body as { expires: string }).expires}`,
  );
  return [...changed, ...ends];
}

function lines(name: string, old: NamedKeys, next: NamedKeys): readonly string[] {
  return [
    ...old.keys.filter((hex) => !next.keys.includes(hex)).map((hex) => `${name}: ${hex} goes`),
    ...next.keys.filter((hex) => !old.keys.includes(hex)).map((hex) => `${name}: ${hex} comes`),
    ...(old.threshold === next.threshold
      ? []
      : [`${name}: ${next.threshold} of ${next.keys.length} must agree, not ${old.threshold}`]),
  ];
}

const asStored = (body: object | undefined) =>
  body === undefined
    ? undefined
    : { version: 0, bytes: Buffer.from(JSON.stringify({ signatures: [], signed: body })) };

const isEmpty = (change: KeyChange | string): boolean =>
  typeof change === 'object' &&
  change.come.length === 0 &&
  change.gone.length === 0 &&
  change.threshold === undefined;

/** Who speaks for the roles of a root: its keys hand on to the others too. */
export const rootRoles = (roles: PlatformRoles) => ({
  root: roleKeysOf(roles.root),
  targets: roleKeysOf(roles.root),
  snapshot: roleKeysOf(roles.online),
  timestamp: roleKeysOf(roles.online),
});

/** Who speaks for the roles below the targets. */
export const delegated = (roles: PlatformRoles) => ({
  library: roleKeysOf(roles.library),
  reviews: roleKeysOf(roles.reviews),
  assignment: roleKeysOf(roles.online),
  log: roleKeysOf(roles.log),
});

export const YEAR = 365 * 24 * 60 * 60 * 1000;
