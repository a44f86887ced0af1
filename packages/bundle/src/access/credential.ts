import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { isObjectKey, type Objects } from '../objects/contract.js';
import { httpObjects } from '../objects/http.js';
import { type S3Place, s3Objects } from '../objects/s3.js';
import type { Upload } from './presign.js';
import { type CredentialScope, isAllowed } from './scope.js';
import type { AccessError } from './scope-of.js';
import { signToken } from './token.js';

/** What an agent opens the store with, for minutes. */
export type Credential = {
  readonly scope: CredentialScope;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
} & (
  | { readonly kind: 'token'; readonly url: string; readonly token: string }
  | { readonly kind: 's3'; readonly place: S3Place }
);

/** Makes credentials for scopes. It decides nothing: who may have which scope is said before. */
export interface Issuer {
  issue(scope: CredentialScope, term: Term): Promise<Result<Credential, AccessError>>;
  /**
   * An address for one write that must not overwrite, for stores whose credentials cannot say so. Undefined where the
   * credential itself does.
   */
  upload(
    scope: CredentialScope,
    write: CredentialWrite,
    term: Term,
  ): Promise<Result<Upload | undefined, AccessError>>;
}

export interface Term {
  readonly now: number;
  readonly lifetimeMs: number;
}

export interface CredentialWrite {
  readonly key: string;
  /** In bytes. */
  readonly length: number;
}

/** A quarter of an hour, the least that S3 services give. */
export const DEFAULT_LIFETIME_MS = 15 * 60_000;
export const MAX_LIFETIME_MS = 60 * 60_000;
/** Of an object that an agent writes, in bytes. */
export const MAX_WRITE = 1024 * 1024;

/** Credentials for the folder that a Cuebook server serves at `url`. */
export const tokenIssuer = ({
  url,
  platform,
  secret,
}: {
  readonly url: string;
  readonly platform: string;
  readonly secret: Uint8Array;
}): Issuer => ({
  async issue(scope, { now, lifetimeMs }) {
    const problem = termProblem(lifetimeMs);
    if (problem !== undefined) return fail(problem);
    const expiresAt = now + lifetimeMs;
    return ok({
      kind: 'token',
      url,
      token: signToken({ platform, scope, expiresAt }, secret),
      scope,
      expiresAt,
    });
  },
  upload: async () => ok(undefined),
});

/** The store as its holder sees it. */
export const openCredential = (credential: Credential): Objects =>
  credential.kind === 'token' ? httpObjects(credential) : s3Objects(credential.place);

/** Why a credential cannot live for so long. */
export const termProblem = (lifetimeMs: number): AccessError | undefined => {
  const fits = Number.isSafeInteger(lifetimeMs) && lifetimeMs > 0 && lifetimeMs <= MAX_LIFETIME_MS;
  return guard('access.lifetime', !fits) ? { code: 'E_ACCESS', reason: 'lifetime' } : undefined;
};

/** Whether a scope covers a write that must not overwrite, of a key that every store reads alike. */
export const coversCreate = (scope: CredentialScope, { key, length }: CredentialWrite): boolean =>
  !guard('access.upload-key', !isObjectKey(key)) &&
  Number.isSafeInteger(length) &&
  length >= 0 &&
  length <= MAX_WRITE &&
  isAllowed(scope, { act: 'create', key });
