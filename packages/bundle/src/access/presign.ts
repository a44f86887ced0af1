import { createHash, createHmac } from 'node:crypto';
import type { S3Place } from '../objects/s3.js';

/** One write to one key: once, of this length, until the address expires. */
export interface Upload {
  readonly url: string;
  /** To be sent exactly as they are: the address is signed together with them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A signed address (Signature Version 4) for a write that must not overwrite. The store itself checks that
 * `If-None-Match` and the length are sent as they were signed: without the header, or with more bytes, it refuses.
 */
export function presignCreate(
  place: S3Place,
  { key, length }: { readonly key: string; readonly length: number },
  term: Term,
): Upload {
  const headers = {
    'content-length': `${length}`,
    'content-type': 'application/octet-stream',
    'if-none-match': '*',
  };
  const url = presign(place, { method: 'PUT', key, headers }, term);
  return { url, headers, expiresAt: term.now + term.lifetimeMs };
}

interface Term {
  readonly now: number;
  readonly lifetimeMs: number;
}

/** A signed address for one request. `headers` must be sent as they are. */
export function presign(
  { bucket, prefix = '', region, endpoint, credentials }: S3Place,
  request: {
    readonly method: string;
    readonly key: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  { now, lifetimeMs }: Term,
): string {
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const area = `${day}/${region}/s3/aws4_request`;
  const signed = Object.entries({ ...request.headers, host: base.host }).sort();
  const names = signed.map(([name]) => name).join(';');
  const path = encodePath(`${base.pathname.replace(/\/$/, '')}/${bucket}/${prefix}${request.key}`);
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${area}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', `${Math.floor(lifetimeMs / 1000)}`],
    ...(credentials.sessionToken === undefined ? [] : [['X-Amz-Security-Token', credentials.sessionToken]]),
    ['X-Amz-SignedHeaders', names],
  ]
    .map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = [request.method, path, query, lines, names, 'UNSIGNED-PAYLOAD'].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, area, sha256(canonical)].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, step) => hmac(secret, step),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  return `${base.origin}${path}?${query}&X-Amz-Signature=${hmac(signingKey, text).toString('hex')}`;
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
