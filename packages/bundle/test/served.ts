import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { verifyToken } from '../src/access/token.js';
import type { Objects } from '../src/objects/contract.js';
import { serveObjects } from '../src/objects/serve.js';

export const SECRET = Buffer.alloc(32, 7);

export interface Served {
  readonly url: string;
  /** The keys that count as public now. */
  readonly open: Set<string>;
  /** What the server takes for the time. */
  readonly clock: { now: number };
}

/** A store behind a real HTTP server, opened by tokens of the platform `test`. */
export async function serve(objects: Objects, now: number): Promise<Served> {
  const open = new Set<string>();
  const clock = { now };
  const server = createServer(async (incoming, outgoing) => {
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers as Record<string, string>,
      ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
    } as RequestInit);
    const answer = await serveObjects(request, new URL(request.url).pathname.replace(/^\/objects/, ''), {
      objects,
      scopeOf: (token) => verifyToken(token, { secret: SECRET, platform: 'test', now: clock.now })?.scope,
      isPublic: async (key) => open.has(key),
    });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/objects`, open, clock };
}
