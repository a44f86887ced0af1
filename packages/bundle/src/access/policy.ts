import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { CredentialScope, Rule } from './scope.js';
import type { AccessError } from './scope-of.js';

/** In characters: what AWS, Ceph and others take for the policy of a session. */
export const MAX_POLICY = 2048;

/** Marks an object that every admitted agent may read. */
export const PUBLIC_TAG = { key: 'visibility', value: 'public' } as const;

/** Where the objects are in S3. `prefix` stands before every key; it is empty or ends with a slash. */
export interface BucketPlace {
  readonly bucket: string;
  readonly prefix?: string;
}

/**
 * The session policy of a scope: exact keys, or one star at the very end of a place, because stores disagree on what
 * a star in the middle matches. `create` is left out: no store can be told by a policy that a write must not
 * overwrite, so each such write gets a signed address of its own.
 */
export function sessionPolicy({ rules }: CredentialScope, place: BucketPlace): Result<string, AccessError> {
  const { bucket, prefix = '' } = place;
  const of = (test: (rule: Rule) => boolean) => rules.filter(test).map(({ at }) => at);
  const objects = (places: readonly string[]) =>
    places.map((at) => `arn:aws:s3:::${bucket}/${prefix}${at}${at.endsWith('/') ? '*' : ''}`);
  const listed = of(({ may }) => may === 'list').map((at) => `${prefix}${at}*`);
  const allow = (action: string, resource: readonly string[], condition?: object) =>
    resource.length === 0
      ? []
      : [
          {
            Effect: 'Allow',
            Action: `s3:${action}`,
            Resource: resource,
            ...(condition === undefined ? {} : { Condition: condition }),
          },
        ];
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      ...allow('GetObject', objects(of(({ may, only }) => may === 'get' && only === undefined))),
      ...allow('GetObject', objects(of(({ may, only }) => may === 'get' && only === 'public')), {
        StringEquals: { [`s3:ExistingObjectTag/${PUBLIC_TAG.key}`]: PUBLIC_TAG.value },
      }),
      ...allow('PutObject', objects(of(({ may }) => may === 'put'))),
      ...(listed.length === 0
        ? []
        : allow('ListBucket', [`arn:aws:s3:::${bucket}`], { StringLike: { 's3:prefix': listed } })),
    ],
  });
  return guard('access.policy-size', policy.length > MAX_POLICY)
    ? fail({ code: 'E_ACCESS', reason: 'policy-too-long' })
    : ok(policy);
}
