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
export async function presignCreate(
  place: S3Place,
  { key, length }: { readonly key: string; readonly length: number },
  term: Term,
): Promise<Upload> {
  const headers = {
    'content-length': `${length}`,
    'content-type': 'application/octet-stream',
    'if-none-match': '*',
  };
  const url = await presign(place, { method: 'PUT', key, headers }, term);
  return { url, headers, expiresAt: term.now + term.lifetimeMs };
}

interface Term {
  readonly now: number;
  readonly lifetimeMs: number;
}

/** A signed address for one request. `headers` must be sent as they are. */
export async function presign(
  { bucket, prefix = '', region, endpoint, credentials }: S3Place,
  request: {
    readonly method: string;
    readonly key: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  { now, lifetimeMs }: Term,
): Promise<string> {
  const [{ SignatureV4 }, { Sha256 }, { buildQueryString }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/core/checksum'),
    import('@smithy/core/protocols'),
  ]);
  const { origin, protocol, hostname, host, pathname } = new URL(
    endpoint ?? `https://s3.${region}.amazonaws.com`,
  );
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const { path, query = {} } = await signer.presign(
    {
      method: request.method,
      protocol,
      hostname,
      path: encodePath(`${pathname.replace(/\/$/, '')}/${bucket}/${prefix}${request.key}`),
      headers: { ...request.headers, host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    },
    { signingDate: new Date(now), expiresIn: Math.floor(lifetimeMs / 1000) },
  );
  return `${origin}${path}?${buildQueryString(query)}`;
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
