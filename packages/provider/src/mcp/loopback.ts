import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '@cuebook/guard';
import type { McpHandler } from './handler.js';
import { PARSE_FAILURE } from './rpc.js';

/** One MCP server for every agent of this process, on 127.0.0.1 alone, at a port that the system picks. */
export interface LoopbackMcp {
  readonly url: string;
  /** Opens a door with a token of its own: whoever has the token reaches this node's tools and no other's. */
  admit(node: LoopbackNode): LoopbackAdmission;
  /** Ends open connections too. Safe to call twice. */
  close(): Promise<void>;
}

export interface LoopbackNode {
  readonly handler: McpHandler;
  /** The choke point for what goes back to the agent; a rejection means that nothing is sent. */
  readonly pass?: (bytes: string) => Promise<void>;
}

export interface LoopbackAdmission {
  /** 256 random bits. Goes to the agent as `Authorization: Bearer TOKEN`. */
  readonly token: string;
  /** The token opens nothing any more. */
  release(): void;
}

/** In bytes. A longer request is answered with 413 and not kept. */
export const MAX_MCP_BODY = 4 * 1024 * 1024;

export async function startLoopbackMcp(): Promise<LoopbackMcp> {
  const nodes = new Map<string, Door>();
  const server = createServer((request, response) => {
    serve(request, response, { nodes, port: portOf(server) }).catch(() => answer(response, 500));
  });
  server.maxConnections = 1000;
  server.headersTimeout = 10_000;
  // A tool may take as long as its turn: the answer has no limit of its own, the request has.
  server.requestTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    admit(node) {
      const token = randomBytes(32).toString('base64url');
      const key = randomBytes(8).toString('hex');
      nodes.set(key, { ...node, digest: digestOf(token) });
      return { token, release: () => void nodes.delete(key) };
    },
    close() {
      closed ??= closeServer(server);
      return closed;
    },
  };
}

interface Door extends LoopbackNode {
  /** Tokens are kept and compared by digest: equal length, equal time. */
  readonly digest: Buffer;
}

interface Hall {
  readonly nodes: ReadonlyMap<string, Door>;
  readonly port: number;
}

async function serve(request: IncomingMessage, response: ServerResponse, hall: Hall): Promise<void> {
  if (isForeign(request, hall.port)) return answer(response, 403);
  const node = findNode(request, hall.nodes);
  if (node === undefined) return answer(response, 401, { 'www-authenticate': 'Bearer' });
  if (request.url?.split('?')[0] !== '/mcp') return answer(response, 404);
  // No stream of server messages is offered: clients go on without one.
  if (request.method !== 'POST') return answer(response, 405, { allow: 'POST' });
  const body = await readBody(request);
  if (body === undefined) return answer(response, 413, { connection: 'close' });
  const message = parse(body);
  const reply = message === undefined ? PARSE_FAILURE : await node.handler.handle(message.value);
  if (reply === undefined) return answer(response, 202);
  const text = JSON.stringify(reply);
  await node.pass?.(text);
  answer(response, 200, { 'content-type': 'application/json' }, text);
}

/** A page in a browser can reach loopback by a name of its own, and says where it comes from. Agents do neither. */
function isForeign({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (guard('loopback.host', !hosts.includes(headers.host ?? ''))) return true;
  return guard('loopback.origin', headers.origin !== undefined);
}

/** Every door is tried, so that time tells nothing about which was near. */
function findNode({ headers }: IncomingMessage, nodes: ReadonlyMap<string, Door>): Door | undefined {
  const [, token = ''] = /^Bearer ([\w-]{1,128})$/.exec(headers.authorization ?? '') ?? [];
  const digest = digestOf(token);
  let found: Door | undefined;
  for (const node of nodes.values()) {
    if (!guard('loopback.token', !timingSafeEqual(node.digest, digest))) found = node;
  }
  return found;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (guard('loopback.body', length > MAX_MCP_BODY)) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    return undefined; // Answered as JSON-RPC says.
  }
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
