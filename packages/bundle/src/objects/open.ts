import { resolve } from 'node:path';
import { describeFileError, openFolder } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Objects } from './contract.js';
import { folderObjects } from './folder.js';
import { s3Objects } from './s3.js';

/** `s3://BUCKET/PREFIX`, or `objects:DIR` for a folder. */
export const isObjects = (where: string): boolean => /^(s3:\/\/|objects:)/.test(where);

/** Why there are no objects: the address is none, or the environment lacks something. */
export interface OpenError {
  readonly code: 'E_OBJECT';
  readonly message: string;
  readonly by: 'address' | 'environment';
}

/** The objects at an address. Keys, region and endpoint of S3 are variables; a folder is made where it is missing. */
export async function openObjects(
  where: string,
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): Promise<Result<Objects, OpenError>> {
  if (where.startsWith('objects:')) {
    const files = await openFolder(resolve(cwd, where.slice('objects:'.length)), { create: true });
    if (files.ok) return ok(folderObjects(files.value));
    return fail({ code: 'E_OBJECT', message: describeFileError(files.error), by: 'environment' });
  }
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(where) ?? [];
  if (bucket === '')
    return fail({
      code: 'E_OBJECT',
      message: 'An object store is s3://BUCKET/PREFIX, or objects:DIR for a folder',
      by: 'address',
    });
  const { CUEBOOK_S3_ACCESS_KEY_ID: accessKeyId, CUEBOOK_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    return fail({
      code: 'E_OBJECT',
      message: 'CUEBOOK_S3_ACCESS_KEY_ID and CUEBOOK_S3_SECRET_ACCESS_KEY are not in the environment.',
      by: 'environment',
    });
  const { CUEBOOK_S3_REGION: region = 'us-east-1', CUEBOOK_S3_ENDPOINT: endpoint } = env;
  const place = {
    ...{ bucket, region, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` },
    ...(endpoint ? { endpoint } : {}),
  };
  return ok(s3Objects({ ...place, credentials: { accessKeyId, secretAccessKey } }));
}
