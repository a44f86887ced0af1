import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';

export interface ProbeOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Why it should be ended and started anew; undefined: it lives. */
  readonly sick: () => string | undefined;
  /** Why it cannot work now; undefined: it can. */
  readonly unready: () => string | undefined;
  readonly metrics: Metrics;
}

/** Answers a kubelet and a Prometheus server: `/healthz`, `/readyz`, `/metrics`. */
export async function serveEndpoints(
  options: ProbeOptions,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const { host, port, sick, unready, metrics } = options;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname;
    const say = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(text);
    };
    const state = (why: string | undefined): void => say(why === undefined ? 200 : 503, `${why ?? 'ok'}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD') say(405, 'Only GET\n');
    else if (path === '/healthz') state(sick());
    else if (path === '/readyz') state(unready());
    else if (path === '/metrics') say(200, metrics.text());
    else say(404, 'Not here\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
