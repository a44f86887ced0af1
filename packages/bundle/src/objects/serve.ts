import { guard } from '@cuebook/guard';
import { type CredentialScope, isAllowed } from '../access/scope.js';
import { readBounded } from './bounded.js';
import { isObjectKey, isObjectPrefix, type ObjectError, type Objects } from './contract.js';

export interface ServeOptions {
  readonly objects: Objects;
  /** The scope of a bearer token that is valid now; undefined for any other. */
  readonly scopeOf: (token: string) => CredentialScope | undefined;
  /** Whether every admitted agent may read an object, asked anew for each request. */
  readonly isPublic: (key: string) => Promise<boolean>;
  /** Told of every object that was written. */
  readonly onWritten?: (agent: string, key: string) => Promise<void>;
  /** Of an object that is written, in bytes. 1 MiB by default. */
  readonly maxBytes?: number;
}

/**
 * Serves objects over HTTP within the scope of a token: `GET`, `HEAD` and `PUT` of `/KEY`, and `GET /?prefix=` for
 * keys. `rest` is what follows the place where it is mounted. Nothing of the store is told to who may not see it:
 * what a scope does not cover is refused before the store is asked.
 */
export async function serveObjects(request: Request, rest: string, options: ServeOptions): Promise<Response> {
  const scope = options.scopeOf(/^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '');
  if (scope === undefined) return refuse(401, 'denied');
  const key = rest.replace(/^\//, '');
  if (key === '') return list(request, scope, options);
  if (!isObjectKey(key)) return refuse(400, 'bad-key');
  if (request.method === 'PUT') return put(request, key, scope, options);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'denied');
  const isPublic = await options.isPublic(key);
  const allowed = isAllowed(scope, { act: 'get', key }, () => isPublic);
  if (guard('serve.scope', !allowed)) return refuse(403, 'denied');
  const bytes = await options.objects.get(key);
  if (!bytes.ok) return refuse(STATUS[bytes.error.reason], bytes.error.reason);
  const headers = { ...PLAIN, 'content-length': `${bytes.value.length}` };
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes.value), { headers });
}

async function put(
  request: Request,
  key: string,
  scope: CredentialScope,
  { objects, onWritten, maxBytes = 1024 * 1024 }: ServeOptions,
): Promise<Response> {
  const condition = request.headers.get('if-none-match');
  if (condition !== null && condition !== '*') return refuse(400, 'denied');
  const act = condition === '*' ? 'create' : 'put';
  // A right to write once is none to overwrite.
  const allowed = isAllowed(scope, { act, key });
  if (guard('serve.create-only', !allowed)) return refuse(403, 'denied');
  const told = Number(request.headers.get('content-length') ?? 0);
  const bytes =
    told > maxBytes || request.body === null
      ? undefined
      : await readBounded(chunksOf(request.body), maxBytes);
  if (guard('serve.body-bound', bytes === undefined && (told > maxBytes || request.body !== null)))
    return refuse(413, 'too-large');
  const done = await objects.put(key, bytes ?? Buffer.alloc(0), { ifAbsent: act === 'create' });
  if (!done.ok) return refuse(STATUS[done.error.reason], done.error.reason);
  await onWritten?.(scope.agent, key);
  return new Response(null, { status: 204 });
}

async function list(request: Request, scope: CredentialScope, { objects }: ServeOptions): Promise<Response> {
  if (request.method !== 'GET') return refuse(405, 'denied');
  const query = new URL(request.url).searchParams;
  const prefix = query.get('prefix') ?? '';
  if (!isObjectPrefix(prefix)) return refuse(400, 'bad-key');
  const allowed = isAllowed(scope, { act: 'list', key: prefix });
  if (guard('serve.scope', !allowed)) return refuse(403, 'denied');
  const after = query.get('after');
  const limit = Number(query.get('limit') ?? Number.NaN);
  const page = await objects.list(prefix, {
    ...(after === null ? {} : { after }),
    ...(Number.isFinite(limit) ? { limit } : {}),
  });
  if (!page.ok) return refuse(STATUS[page.error.reason], page.error.reason);
  return Response.json({ keys: page.value.keys, next: page.value.next ?? null });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

/** Never taken for anything but bytes, and never kept by anybody in between. */
const PLAIN = {
  'content-type': 'application/octet-stream',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** The status of each reason; the client reads the reason. */
const STATUS: Readonly<Record<ObjectError['reason'], number>> = {
  'not-found': 404,
  exists: 412,
  denied: 403,
  'too-large': 413,
  'bad-key': 400,
  unavailable: 503,
};

const refuse = (status: number, reason: ObjectError['reason']): Response =>
  Response.json(
    { error: { code: 'E_OBJECT', reason, message: 'The object could not be read or written' } },
    { status },
  );
