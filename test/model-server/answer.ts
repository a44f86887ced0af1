import type { ServerResponse } from 'node:http';
import type { Ids, Incoming, Protocol } from './protocol/protocol.js';
import type { Step } from './step.js';

/** Says one step over the wire, in the words of the protocol. */
export function sayStep(
  response: ServerResponse,
  protocol: Protocol,
  step: Step,
  { request, ids }: { readonly request: Incoming; readonly ids: Ids },
): void {
  if (step.error) sayError(response, protocol, step.error);
  else if (step.raw !== undefined) sayRaw(response, step);
  else if (protocol.streams(request)) sayStream(response, protocol, step, { request, ids });
  else sayPlain(response, protocol.plain(step, request, ids));
}

/** What the real API says to a request that it does not take. */
export function sayRefusal(
  response: ServerResponse,
  protocol: Protocol,
  status: number,
  message: string,
): void {
  sayError(response, protocol, { status, body: protocol.errorBody(status, message) });
}

function sayRaw(response: ServerResponse, step: Step): void {
  response.writeHead(200, STREAM);
  for (const part of [step.raw ?? ''].flat()) response.write(part);
  endAs(response, step);
}

function sayStream(
  response: ServerResponse,
  protocol: Protocol,
  step: Step,
  { request, ids }: { readonly request: Incoming; readonly ids: Ids },
): void {
  response.writeHead(200, STREAM);
  const { opening, closing } = protocol.stream(step, request, ids);
  for (const frame of opening) response.write(frame);
  if (step.streamError) {
    response.end(protocol.streamError(step.streamError, ids));
    return;
  }
  if (!step.drop && !step.hang) for (const frame of closing) response.write(frame);
  endAs(response, step);
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

function sayError(response: ServerResponse, protocol: Protocol, error: NonNullable<Step['error']>): void {
  const body = error.body ?? protocol.errorBody(error.status, `The test server says ${error.status}.`);
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function sayPlain(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A cut comes after what was written has left, so that the client has the text. */
function endAs(response: ServerResponse, step: Step): void {
  if (step.hang) return;
  if (!step.drop) {
    response.end();
    return;
  }
  const socket = response.socket;
  response.write(': cut\n\n', () => socket?.destroy());
}
