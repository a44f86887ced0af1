import type { S3Client } from '@aws-sdk/client-s3';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { type BucketPlace, PUBLIC_TAG } from '../access/policy.js';
import { readBounded } from './bounded.js';
import {
  DEFAULT_OBJECT_LIMIT,
  isObjectKey,
  isObjectPrefix,
  type KeyPage,
  keyProblem,
  type ListKeys,
  MAX_LIST,
  type ObjectError,
  type Objects,
} from './contract.js';

/** A bucket, and what opens it. */
export interface S3Place extends BucketPlace {
  readonly region: string;
  /** Left out for AWS itself. */
  readonly endpoint?: string;
  readonly credentials: S3Keys;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Objects in a bucket of S3 or of a server that speaks it. The bucket must not be versioned: some stores ignore there
 * that a write must not overwrite. Each call makes at most three tries and takes at most about half a minute a try.
 */
export function s3Objects(place: S3Place): Objects {
  const { bucket: Bucket, prefix = '' } = place;
  const at = (key: string) => ({ Bucket, Key: `${prefix}${key}` });
  // Loaded with the first call: the library is large, and most who import this package never call it.
  let opened: Promise<Sdk> | undefined;
  const sdk = (): Promise<Sdk> => {
    opened ??= openSdk(place);
    return opened;
  };
  const objects: Objects = {
    async get(key, { limit = DEFAULT_OBJECT_LIMIT } = {}) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const { client, s3 } = await sdk();
      return attempt(key, async () => {
        const answer = await client.send(new s3.GetObjectCommand(at(key)));
        const body = answer.Body as (AsyncIterable<Uint8Array> & { destroy?: () => void }) | undefined;
        const tooLong = guard('objects.read-bound', (answer.ContentLength ?? 0) > limit);
        const bytes = body === undefined || tooLong ? undefined : await readBounded(body, limit);
        // What is left of it is not fetched.
        if (bytes === undefined) body?.destroy?.();
        return bytes === undefined ? fail(refusal(key, 'too-large')) : ok(bytes);
      });
    },
    async put(key, bytes, { ifAbsent = false, isPublic = false } = {}) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const { client, s3 } = await sdk();
      const once = guard('s3.create-once', ifAbsent);
      const input = {
        ...at(key),
        Body: bytes,
        ContentType: 'application/octet-stream',
        ...(isPublic ? { Tagging: `${PUBLIC_TAG.key}=${PUBLIC_TAG.value}` } : {}),
        ...(once ? { IfNoneMatch: '*' } : {}),
      };
      const tries = { made: 1 };
      const done = await attempt<void>(
        key,
        async () => {
          await client.send(new s3.PutObjectCommand(input));
          return ok(undefined);
        },
        tries,
      );
      if (done.ok || done.error.reason !== 'exists' || tries.made === 1) return done;
      // The answer of an earlier try may have been lost on its way: then the object is the one that was meant.
      const there = await objects.get(key, { limit: bytes.length });
      return there.ok && Buffer.from(there.value).equals(bytes) ? ok(undefined) : done;
    },
    list: async (keys, options = {}) => list(await sdk(), place, keys, options),
    async remove(key) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const { client, s3 } = await sdk();
      return attempt(key, async () => {
        await client.send(new s3.DeleteObjectCommand(at(key)));
        return ok(undefined);
      });
    },
  };
  return objects;
}

interface Sdk {
  readonly client: S3Client;
  readonly s3: typeof import('@aws-sdk/client-s3');
}

async function openSdk({ region, endpoint, credentials }: S3Place): Promise<Sdk> {
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client({
    region,
    credentials,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000 },
    // Servers other than AWS do not know the newer check sums; certified objects carry their own proof.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { client, s3 };
}

async function list(
  { client, s3 }: Sdk,
  { bucket, prefix: base = '' }: S3Place,
  prefix: string,
  { after, limit = MAX_LIST }: ListKeys,
): Promise<Result<KeyPage, ObjectError>> {
  const problem = keyProblem(prefix, isObjectPrefix(prefix));
  if (problem !== undefined) return fail(problem);
  const size = Math.min(Math.max(1, Math.trunc(limit)), MAX_LIST);
  return attempt(prefix, async () => {
    const page = await client.send(
      new s3.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: `${base}${prefix}`,
        MaxKeys: size,
        ...(after === undefined || after === '' ? {} : { StartAfter: `${base}${after}` }),
      }),
    );
    const found = (page.Contents ?? []).map(({ Key = '' }) => Key.slice(base.length));
    // What was put there by other means, under names that are no keys, is not shown; the page still moves on.
    return ok({
      keys: found.filter(isObjectKey),
      next: page.IsTruncated === true ? found.at(-1) : undefined,
    });
  });
}

/** Runs a call; what the library throws becomes a value that quotes nothing of it but a code. */
async function attempt<Value>(
  key: string,
  call: () => Promise<Result<Value, ObjectError>>,
  tries?: { made: number },
): Promise<Result<Value, ObjectError>> {
  try {
    return await call();
  } catch (error) {
    const { name = '', $metadata } = error as { name?: string; $metadata?: Metadata };
    if (tries !== undefined) tries.made = $metadata?.attempts ?? 1;
    const reason = DENIALS.has(name) ? 'denied' : (REASONS[$metadata?.httpStatusCode ?? 0] ?? 'unavailable');
    return fail({ ...refusal(key, reason), ...(/^[A-Za-z]{1,64}$/.test(name) ? { detail: name } : {}) });
  }
}

/** AWS says of a session that has ended, or of one that is none, that the request is bad. */
const DENIALS: ReadonlySet<string> = new Set(['ExpiredToken', 'InvalidToken', 'InvalidTokenId']);

interface Metadata {
  readonly httpStatusCode?: number;
  readonly attempts?: number;
}

const REASONS: Readonly<Record<number, ObjectError['reason'] | undefined>> = {
  401: 'denied',
  403: 'denied',
  404: 'not-found',
  412: 'exists',
};

const refusal = (key: string, reason: ObjectError['reason']): ObjectError => ({
  code: 'E_OBJECT',
  reason,
  key,
});
