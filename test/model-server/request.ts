import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** One request as it came over the wire. */
export interface RecordedRequest {
  readonly method: string;
  /** Below the lane, with the query: `/v1/messages?beta=true`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as text. */
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  /** Milliseconds since the server started. */
  readonly at: number;
  /** The client's own business (a title, a count): answered without a step of the script. */
  readonly side: boolean;
  /** What a real API would not have taken. The request was answered with it. */
  readonly refused?: string;
}

/** The largest body that is read. */
const MAX_BODY = 64 * 1024 * 1024;

/** The whole body, or undefined when it is too large. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MAX_BODY) parts.push(part);
  }
  return size <= MAX_BODY ? Buffer.concat(parts) : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A property of something that may be no object at all. */
export function field(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (at === null || typeof at !== 'object') return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
