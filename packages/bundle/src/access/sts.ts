import { fail, ok, type Result } from '@cuebook/prompt';
import type { S3Keys, S3Place } from '../objects/s3.js';
import { type Credential, coversCreate, type Issuer, type Term, termProblem } from './credential.js';
import { sessionPolicy } from './policy.js';
import { presignCreate } from './presign.js';
import type { CredentialScope } from './scope.js';
import type { AccessError } from './scope-of.js';

/** How the platform hands out rights in its bucket. */
export interface StsOptions {
  /** The bucket with the platform's own keys, which sign the addresses of single writes. */
  readonly place: S3Place;
  /** The keys of who may assume the role, and nothing else. */
  readonly broker: S3Keys;
  /** A role with rights in this bucket alone; each session gets the part of them that its policy names. */
  readonly roleArn: string;
}

/** Credentials of a session (`AssumeRole`) whose policy is the scope, enforced by the store itself. */
export const stsIssuer = (options: StsOptions): Issuer => ({
  issue: (scope, term) => assume(options, scope, term),
  async upload(scope, write, term) {
    const problem = termProblem(term.lifetimeMs);
    if (problem !== undefined) return fail(problem);
    if (!coversCreate(scope, write)) return fail({ code: 'E_ACCESS', reason: 'not-covered' });
    return ok(await presignCreate(options.place, write, term));
  },
});

async function assume(
  { place, broker, roleArn }: StsOptions,
  scope: CredentialScope,
  { lifetimeMs }: Term,
): Promise<Result<Credential, AccessError>> {
  const problem = termProblem(lifetimeMs);
  if (problem !== undefined) return fail(problem);
  const policy = sessionPolicy(scope, place);
  if (!policy.ok) return policy;
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { region, endpoint } = place;
  const client = new STSClient({
    region,
    credentials: broker,
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000 },
  });
  try {
    const { Credentials: given } = await client.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: `cb-${scope.agent}`.slice(0, 64),
        Policy: policy.value,
        DurationSeconds: Math.floor(lifetimeMs / 1000),
      }),
    );
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration)
      return fail({ code: 'E_ACCESS', reason: 'unavailable' });
    const credentials = {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    };
    return ok({ kind: 's3', place: { ...place, credentials }, scope, expiresAt: Expiration.getTime() });
  } catch {
    // Its words may quote the policy or an address; whether the role can be assumed is for the platform to look at.
    return fail({ code: 'E_ACCESS', reason: 'unavailable' });
  } finally {
    client.destroy();
  }
}
