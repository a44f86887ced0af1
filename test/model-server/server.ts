import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sayRefusal, sayStep } from './answer.js';
import { createLane, type Lane, type OpenLane } from './lane.js';
import type { Incoming, Protocol } from './protocol/protocol.js';
import { parseJson, type RecordedRequest, readBody } from './request.js';
import { protocolAt } from './route.js';
import type { ScriptedStep } from './step.js';

/**
 * A model server on 127.0.0.1 that says what a script tells it to, in whichever API it is asked. It is strict:
 * what the real API would not take is refused in its words, and recorded.
 */
export interface ModelServer {
  readonly url: string;
  /** Adds steps to a lane. Each turn's request takes one; past the last it is answered with 400. */
  script(lane: string, steps: readonly ScriptedStep[]): void;
  /** The base URL of a lane: paths such as `/v1/messages` go behind it. */
  laneUrl(lane: string): string;
  lane(name: string): Lane;
  /** Cuts every connection, held ones too. */
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const lanes = new Map<string, OpenLane>();
  const started = performance.now();
  const laneOf = (name: string): OpenLane => {
    const lane = lanes.get(name) ?? createLane();
    lanes.set(name, lane);
    return lane;
  };
  let count = 0;
  const ids = {
    next: (prefix: string): string => {
      count += 1;
      return `${prefix}_${count}`;
    },
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, name = '', rest = ''] = /^\/([^/?]*)(.*)$/.exec(incoming.url ?? '') ?? [];
    const lane = laneOf(decodeURIComponent(name));
    const bytes = (await readBody(incoming)) ?? Buffer.alloc(0);
    const text = bytes.toString('utf8');
    const { method = 'GET', headers } = incoming;
    const request: Incoming = { method, path: rest, headers, text, body: parseJson(text) };
    const protocol = protocolAt(rest);
    const refusal = protocol ? refusalOf(protocol, request) : { status: 404, message: `Not found: ${rest}` };
    const side = refusal === undefined ? protocol?.side(request) : undefined;
    const recorded: RecordedRequest = {
      ...request,
      bytes,
      at: performance.now() - started,
      side: side !== undefined,
      ...(refusal && { refused: refusal.message }),
    };
    lane.record(recorded);
    if (!protocol) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Not found"}}');
      return;
    }
    if (refusal) return sayRefusal(response, protocol, refusal.status, refusal.message);
    const scripted = side ?? lane.take();
    if (scripted === undefined)
      return sayRefusal(response, protocol, 400, 'The script of this lane is at its end.');
    const step = typeof scripted === 'function' ? await scripted(recorded) : scripted;
    sayStep(response, protocol, step, { request, ids });
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.keepAliveTimeout = 1_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    script: (lane, steps) => laneOf(lane).add(steps),
    laneUrl: (lane) => `${url}/${encodeURIComponent(lane)}`,
    lane: laneOf,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refusalOf(protocol: Protocol, request: Incoming) {
  if (request.method === 'HEAD') return undefined;
  if (!protocol.credential(request)) return { status: 401, message: 'No credential was sent.' };
  if (request.method === 'GET') return undefined;
  if (request.body === undefined)
    return { status: 400, message: 'We could not parse the JSON body of your request.' };
  const message = protocol.refuse(request);
  return message === undefined ? undefined : { status: 400, message };
}
