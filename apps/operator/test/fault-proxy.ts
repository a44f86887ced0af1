import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, createTransport } from '@cuebook/controller';

/** What is done to a request instead of handing it on. */
type Fault = { readonly status: number } | 'drop' | undefined;

interface ProxyOptions {
  fault?: (request: { readonly method: string; readonly path: string; readonly isWatch: boolean }) => Fault;
  /** Before each request is handed on. */
  latencyMs?: number;
  /** Does not answer who says this token, as if the way there were cut. */
  refuses?: string;
}

/** A way to an API server, whichever it is, that can be cut, slowed down and made to lie. */
export interface FaultProxy {
  readonly url: string;
  readonly options: ProxyOptions;
  /** `METHOD PATH` of every request, watches with `?watch`. */
  readonly requests: string[];
  /** Ends every watch in the middle, as a lost connection does. */
  dropWatches(): void;
  /** Ends every watch, and answers that what it would go on from is not kept any more. */
  expire(): void;
  /** As a server that is killed: nobody listens. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startFaultProxy(target: Connection): Promise<FaultProxy> {
  const transport = createTransport(target);
  const options: ProxyOptions = {};
  const requests: string[] = [];
  const watches = new Set<ServerResponse>();
  const expired = new Set<string>();
  let server: Server | undefined;
  let port = 0;

  async function hand(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://local');
    const isWatch = url.searchParams.get('watch') === 'true';
    requests.push(`${method} ${url.pathname}${isWatch ? '?watch' : ''}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (options.latencyMs) await wait(options.latencyMs);
    const fault = options.fault?.({ method, path: url.pathname, isWatch });
    if (fault === 'drop' || (options.refuses && headers.authorization === `Bearer ${options.refuses}`))
      return void request.socket.destroy();
    const status = isWatch && expired.delete(url.pathname) ? 410 : fault?.status;
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'application/json' });
      const reason = status === 410 ? 'Expired' : 'Injected';
      response.end(JSON.stringify({ kind: 'Status', code: status, reason, message: 'as the test says' }));
      return;
    }
    const gone = new AbortController();
    response.once('close', () => {
      watches.delete(response);
      gone.abort();
    });
    const answer = await transport.send({
      ...{ method: method as 'GET', path: url.pathname, query: Object.fromEntries(url.searchParams) },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString() }),
      ...(headers['content-type'] === undefined ? {} : { contentType: headers['content-type'] }),
      ...{ signal: gone.signal, idleMs: 600_000 },
    });
    if (isWatch) watches.add(response);
    response.writeHead(answer.statusCode ?? 502, {
      'content-type': answer.headers['content-type'] ?? 'application/json',
    });
    response.flushHeaders();
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  }

  const drop = (): void => {
    for (const response of watches) response.destroy();
  };
  const start = async (): Promise<void> => {
    server = createServer((request, response) => {
      hand(request, response).catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  await start();
  return {
    ...{ options, requests },
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    dropWatches: drop,
    expire() {
      for (const request of requests)
        if (request.endsWith('?watch')) expired.add(request.slice('GET '.length, -'?watch'.length));
      drop();
    },
    async stop() {
      const ended = new Promise((resolve) => server?.close(resolve));
      drop();
      server?.closeAllConnections();
      await ended;
    },
    start,
  };
}
