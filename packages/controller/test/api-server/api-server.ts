import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { KubeObject } from '../../src/object.js';
import { type Refusal, Storage, type Stored, type Written } from './storage.js';

/** What is done to a request instead of answering it. */
export type Fault = { readonly status: number; readonly retryAfter?: number } | 'drop' | undefined;

export interface ApiServerOptions {
  /** Asked for every request. */
  fault?: (request: { readonly method: string; readonly path: string; readonly isWatch: boolean }) => Fault;
  /** Before each answer. */
  latencyMs?: number;
  /** Refuses who does not say it. */
  token?: string;
  /** Does not answer who says it, as if the way there were cut. */
  refuses?: string;
}

/** An API server in memory, over real HTTP: lists in pages, watches with bookmarks, server-side apply, garbage collection. */
export interface ApiServer {
  readonly storage: Storage;
  readonly url: string;
  readonly options: ApiServerOptions;
  /** `METHOD PATH` of every request, watches with `?watch`. */
  readonly requests: string[];
  /** Ends every watch in the middle, as a lost connection does. */
  dropWatches(): void;
  /** Says to every watch that nothing changed up to now. */
  bookmark(): void;
  readonly watches: number;
  /** Ends it as a kill does; objects stay. */
  stop(): Promise<void>;
  /** Serves again at the same place. */
  start(): Promise<void>;
}

export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const storage = new Storage();
  const requests: string[] = [];
  const watches = new Set<{
    readonly response: ServerResponse;
    readonly end: () => void;
    readonly kind: string;
  }>();
  let server: Server | undefined;
  let port = 0;

  const start = async (): Promise<void> => {
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server?.close(resolve));
    for (const { end } of watches) end();
    server?.closeAllConnections();
    await ended;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const url = new URL(request.url ?? '/', 'http://local');
    const isWatch = url.searchParams.get('watch') === 'true';
    requests.push(`${method} ${url.pathname}${isWatch ? '?watch' : ''}`);
    const body = await bodyOf(request);
    if (options.latencyMs) await wait(options.latencyMs);
    const fault = options.fault?.({ method, path: url.pathname, isWatch });
    const said = request.headers.authorization;
    if (fault === 'drop' || (options.refuses !== undefined && said === `Bearer ${options.refuses}`))
      return void request.socket.destroy();
    if (fault !== undefined) {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
      return refuse(response, { code: fault.status, reason: 'Injected', message: 'as the test says' });
    }
    if (options.token !== undefined && said !== `Bearer ${options.token}`)
      return refuse(response, { code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    const at = placeIn(url.pathname);
    if (at === undefined) return refuse(response, { code: 404, reason: 'NotFound', message: 'no such path' });
    if (isWatch) return watch(at, url, response);
    if (method === 'GET' && at.name === undefined) return list(at, url, response);
    const written = act(method, at, url, body);
    if ('refusal' in written) return refuse(response, written.refusal);
    say(response, 200, written.object);
  }

  function act(method: string, at: Place, url: URL, body: string): Written {
    const object = (body === '' ? {} : JSON.parse(body)) as KubeObject;
    const key = keyIn(at, object);
    if (method === 'GET') {
      const found = storage.get(at.kind, key);
      return found
        ? { object: found }
        : { refusal: { code: 404, reason: 'NotFound', message: `${key} not found` } };
    }
    if (method === 'POST') return storage.create(at.kind, key, placed(object, at));
    if (method === 'PUT') return storage.replace(at.kind, key, placed(object, at), at.isStatus);
    if (method === 'DELETE')
      return storage.remove(
        at.kind,
        key,
        (object as { preconditions?: { uid?: string } }).preconditions?.uid,
      );
    return storage.apply(at.kind, key, placed(object, at), {
      manager: url.searchParams.get('fieldManager') ?? '',
      force: url.searchParams.get('force') === 'true',
      isStatus: at.isStatus,
      dryRun: url.searchParams.get('dryRun') === 'All',
    });
  }

  function list(at: Place, url: URL, response: ServerResponse): void {
    const all = storage.list(at.kind).filter(inScope(at, url));
    const from = Number(url.searchParams.get('continue') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? all.length);
    const next = from + limit < all.length ? String(from + limit) : '';
    // Items of a list do not say what they are.
    const items = all.slice(from, from + limit).map(({ apiVersion: _, kind: __, ...rest }) => rest);
    say(response, 200, {
      ...{ apiVersion: 'v1', kind: 'List', items },
      metadata: { resourceVersion: String(storage.version), continue: next },
    });
  }

  function watch(at: Place, url: URL, response: ServerResponse): void {
    const past = storage.since(at.kind, Number(url.searchParams.get('resourceVersion') ?? 0));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const write = (type: string, object: unknown): void =>
      void response.write(`${JSON.stringify({ type, object })}\n`);
    if (past === 'gone') {
      write('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' });
      return void response.end();
    }
    const fits = inScope(at, url);
    const tell = ({ kind, type, object }: Stored): void => {
      if (kind === at.kind && fits(object)) write(type, object);
    };
    for (const event of past) tell(event);
    const forget = storage.listen(tell);
    const row = { response, kind: at.kind, end: () => response.destroy() };
    watches.add(row);
    const seconds = Number(url.searchParams.get('timeoutSeconds') ?? 600);
    const timer = setTimeout(() => response.end(), seconds * 1000);
    response.once('close', () => {
      clearTimeout(timer);
      forget();
      watches.delete(row);
    });
  }

  await start();
  return {
    storage,
    options,
    requests,
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    dropWatches() {
      for (const { end } of watches) end();
    },
    bookmark() {
      const object = { metadata: { resourceVersion: String(storage.version) } };
      for (const { response } of watches) response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
    },
    get watches() {
      return watches.size;
    },
    stop,
    start,
  };
}

interface Place {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly isStatus: boolean;
}

function placeIn(path: string): Place | undefined {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const head = parts[0] === 'api' ? parts.slice(1, 2) : parts[0] === 'apis' ? parts.slice(1, 3) : undefined;
  if (head === undefined) return undefined;
  const rest = parts.slice(head.length + 1);
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined;
  const [plural, name, sub] = namespace === undefined ? rest : rest.slice(2);
  if (plural === undefined) return undefined;
  return { kind: [...head, plural].join('/'), namespace, name, isStatus: sub === 'status' };
}

const keyIn = ({ namespace, name }: Place, object: KubeObject): string => {
  const last = name ?? object.metadata?.name ?? '';
  return namespace === undefined ? last : `${namespace}/${last}`;
};

const placed = (object: KubeObject, { namespace, name }: Place): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  },
});

function inScope({ namespace }: Place, url: URL): (object: KubeObject) => boolean {
  const selector = url.searchParams.get('labelSelector') ?? '';
  const wanted = selector === '' ? [] : selector.split(',').map((each) => each.split('='));
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    wanted.every(([name = '', value]) =>
      value === undefined ? metadata.labels?.[name] !== undefined : metadata.labels?.[name] === value,
    );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function say(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, { code, reason, message }: Refusal): void =>
  say(response, code, { kind: 'Status', status: 'Failure', code, reason, message });
