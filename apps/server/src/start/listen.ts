import type { Server } from 'node:http';
import { ok, type Result } from '@cuebook/prompt';
import { createAdaptorServer } from '@hono/node-server';
import { HEADERS } from '../http/security.js';
import { cannotStart, type StartError } from './error.js';

/** What answers requests. */
type Fetch = (request: Request) => Response | Promise<Response>;

/** A listening server, before anybody may be answered. */
export interface ListeningServer {
  readonly port: number;
  /** Answers from now on. */
  serve(fetch: Fetch): void;
  /** No new connection; those that are open are ended. */
  close(): Promise<void>;
}

/** Listens on the first of the ports that is free; 0 is any. Only the last one's failure is told. */
export async function listen(
  host: string,
  ports: readonly number[],
): Promise<Result<ListeningServer, StartError>> {
  let failure: Result<never, StartError> = cannotStart('E_PORT', 'No port was named.');
  for (const port of ports) {
    const tried = await listenOn(host, port);
    if (tried.ok) return tried;
    failure = tried;
  }
  return failure;
}

function listenOn(host: string, port: number): Promise<Result<ListeningServer, StartError>> {
  let fetch: Fetch = starting;
  const server = createAdaptorServer({ fetch: (request: Request) => fetch(request) }) as Server;
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 5_000;
  server.maxHeadersCount = 100;
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(refusal(error, host, port)));
    server.listen({ host, port }, () => {
      const address = server.address();
      const listening: ListeningServer = {
        port: typeof address === 'object' && address !== null ? address.port : port,
        serve(answer) {
          fetch = answer;
        },
        close: () => closeServer(server),
      };
      resolve(ok(listening));
    });
  });
}

/** Until the records are open. A process that starts lives, and is not ready. */
const starting: Fetch = ({ url }) => {
  const isAlive = new URL(url).pathname === '/healthz';
  return isAlive
    ? Response.json({ status: 'degraded', cause: STARTING }, { headers: HEADERS })
    : Response.json({ error: STARTING }, { status: 503, headers: HEADERS });
};

const STARTING = {
  code: 'E_SERVER_STARTING',
  message: 'The process is starting: its records are being opened.',
};

function refusal({ code }: NodeJS.ErrnoException, host: string, port: number): Result<never, StartError> {
  if (code === 'EADDRINUSE')
    return cannotStart(
      'E_PORT',
      `Port ${port} is in use. Name another with --port, or leave it out for a free one.`,
    );
  if (code === 'EACCES')
    return cannotStart('E_PORT', `This user may not use port ${port}. Name one above 1023 with --port.`);
  return cannotStart('E_ADDRESS', `${JSON.stringify(host.slice(0, 100))} is not an address of this machine.`);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), END_MS);
    // A connection whose answer ends now is idle a moment later, and its client may keep it open.
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(end);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** How long answers that are under way may take when the server stops. */
const END_MS = 2_000;
