import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';

/** What a person or an agent is to the platform. */
export type PlatformRole = 'owner' | 'reviewer' | 'publisher' | 'agent' | 'auditor';
export const ROLES: readonly PlatformRole[] = ['owner', 'reviewer', 'publisher', 'agent', 'auditor'];

/** What can be asked of the platform. `own` jobs are about what belongs to who asks. */
export type PlatformJob =
  | 'card.save'
  | 'card.read'
  | 'card.read-own'
  | 'card.review'
  | 'publish'
  | 'place.write'
  | 'admission.start'
  | 'credential'
  | 'status.read'
  | 'audit.read';

/** Who asks. For an agent `who` is its id. */
export interface Caller {
  readonly who: string;
  readonly role: PlatformRole;
}

/** `E_PLATFORM_ROLE`: who asks may not do this. */
export interface RoleError {
  readonly code: 'E_PLATFORM_ROLE';
  readonly reason: 'role' | 'token';
}

const JOBS: Readonly<Record<PlatformRole, readonly PlatformJob[]>> = {
  owner: ['card.save', 'card.read-own', 'admission.start', 'status.read'],
  reviewer: ['card.read', 'card.read-own', 'card.review', 'status.read'],
  publisher: ['card.read', 'card.read-own', 'publish', 'place.write', 'status.read'],
  agent: ['credential', 'card.read-own'],
  auditor: ['card.read', 'card.read-own', 'status.read', 'audit.read'],
};

export const requireJob = ({ role }: Caller, job: PlatformJob): Result<void, RoleError> =>
  guard('platform.role', !JOBS[role].includes(job))
    ? fail({ code: 'E_PLATFORM_ROLE', reason: 'role' })
    : ok(undefined);

/** A token as it is kept: what it opens, and the hash of its secret. */
export interface TokenRecord {
  readonly id: string;
  readonly who: string;
  readonly role: Exclude<PlatformRole, 'agent'>;
  readonly hash: string;
  readonly issuedAt: number;
  readonly revokedAt?: number;
}

/** A new token: its text, told once, and the record without it. */
export function newToken(
  about: Pick<TokenRecord, 'who' | 'role'>,
  now: number,
): { readonly text: string; readonly record: TokenRecord } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { text: `cbp.${id}.${secret}`, record: { id, ...about, hash: hashSecret(secret), issuedAt: now } };
}

/** The parts of a token's text; undefined for a text that is none. */
export function parseToken(
  text: string,
): { readonly kind: 'cbp' | 'cba'; readonly id: string; readonly secret: string } | undefined {
  const found = /^(cbp|cba)\.([a-z0-9][a-z0-9_-]{0,63})\.([A-Za-z0-9_-]{43})$/.exec(text);
  const [, kind, id = '', secret = ''] = found ?? [];
  return kind === 'cbp' || kind === 'cba' ? { kind, id, secret } : undefined;
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** In constant time. */
export const isSecret = (secret: string, hash: string): boolean => {
  const given = Buffer.from(hashSecret(secret));
  const right = Buffer.from(hash);
  return given.length === right.length && timingSafeEqual(given, right);
};
