import { publicKeyOf, type RoleKeys } from '@cuebook/bundle';
import type { OfflineTrust } from '../desk.js';

/** The keys of one role, in hexadecimal, and how many of them must agree. */
export interface NamedKeys {
  readonly keys: readonly string[];
  readonly threshold: number;
}

/** Who speaks for what, as it was signed offline. `online` assigns, and signs snapshots and timestamps. */
export interface PlatformRoles {
  readonly root: NamedKeys;
  readonly library: NamedKeys;
  readonly reviews: NamedKeys;
  readonly online: NamedKeys;
  readonly log: NamedKeys;
}

/** A change of keys: those that come, those that go, and how many must agree from then on. */
export interface KeyChange {
  readonly role: keyof PlatformRoles;
  readonly come: readonly string[];
  readonly gone: readonly string[];
  readonly threshold?: number;
}

/** The roles as the root and the targets name them. */
export function rolesOf({ root, targets }: Pick<OfflineTrust, 'root' | 'targets'>): PlatformRoles {
  const top = signedOf(root.bytes);
  const below = signedOf(targets.bytes).delegations ?? { keys: {}, roles: [] };
  const named = (role: string): NamedKeys => {
    const found = below.roles.find(({ name }) => name === role);
    return { keys: hexOf(found?.keyids ?? [], below.keys), threshold: found?.threshold ?? 1 };
  };
  const own = top.roles?.root;
  return {
    root: { keys: hexOf(own?.keyids ?? [], top.keys ?? {}), threshold: own?.threshold ?? 1 },
    library: named('library'),
    reviews: named('reviews'),
    online: named('assignment'),
    log: named('log'),
  };
}

/** The roles after a change; undefined when it takes what is not there, brings what is, or leaves fewer than must agree. */
export function changedRoles(roles: PlatformRoles, change: KeyChange): PlatformRoles | undefined {
  const { role, come, gone } = change;
  const { keys, threshold } = roles[role];
  const isWrong =
    !gone.every((hex) => keys.includes(hex)) ||
    come.some((hex) => keys.includes(hex) || publicKeyOf(hex) === undefined) ||
    new Set([...come, ...gone]).size !== come.length + gone.length;
  if (isWrong) return undefined;
  // The one that comes stands where the one that goes stood.
  const spare = [...come];
  const left = keys.flatMap((hex) => (gone.includes(hex) ? spare.splice(0, 1) : [hex]));
  const next = { keys: [...left, ...spare], threshold: change.threshold ?? threshold };
  const isPossible =
    Number.isSafeInteger(next.threshold) && next.threshold >= 1 && next.threshold <= next.keys.length;
  return isPossible && next.keys.length <= MAX_KEYS ? { ...roles, [role]: next } : undefined;
}

/** A role as metadata takes it. */
export const roleKeysOf = ({ keys, threshold }: NamedKeys): RoleKeys => ({
  keys: keys.flatMap((hex) => publicKeyOf(hex) ?? []),
  threshold,
});

interface LooseKey {
  readonly keyval: { readonly public: string };
}
interface LooseRole {
  readonly keyids: readonly string[];
  readonly threshold: number;
}
interface Signed {
  readonly keys?: Readonly<Record<string, LooseKey>>;
  readonly roles?: Readonly<Record<string, LooseRole>>;
  readonly delegations?: {
    readonly keys: Readonly<Record<string, LooseKey>>;
    readonly roles: readonly (LooseRole & { readonly name: string })[];
  };
}

const signedOf = (bytes: Buffer): Signed =>
  (JSON.parse(bytes.toString('utf8')) as { readonly signed: Signed }).signed;

const hexOf = (ids: readonly string[], keys: Readonly<Record<string, LooseKey>>): readonly string[] =>
  ids.flatMap((id) => keys[id]?.keyval.public ?? []);

const MAX_KEYS = 16;
