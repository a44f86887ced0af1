import type { RecordedRequest } from '../request.js';
import type { Step } from '../step.js';

/** How one API says things. */
export interface Protocol {
  readonly name: 'anthropic' | 'openai-responses' | 'openai-chat' | 'google';
  /** What the real API would not take, or undefined. */
  refuse(request: Incoming): string | undefined;
  /** The credential that came with the request, or undefined. */
  credential(request: Incoming): string | undefined;
  /** A request of the client's own, and what it wants to hear; undefined for a turn. */
  side(request: Incoming): Step | undefined;
  /** Whether the answer is a stream. */
  streams(request: Incoming): boolean;
  /** A message as a stream: everything up to the end of the text, and the rest. */
  stream(
    step: Step,
    request: Incoming,
    ids: Ids,
  ): { readonly opening: readonly string[]; readonly closing: readonly string[] };
  /** A message in one piece. */
  plain(step: Step, request: Incoming, ids: Ids): unknown;
  /** An error inside a stream. */
  streamError(error: NonNullable<Step['streamError']>, ids: Ids): string;
  errorBody(status: number, message: string): unknown;
}

export type Incoming = Pick<RecordedRequest, 'method' | 'path' | 'headers' | 'body' | 'text'>;

/** Ids that count up, so that runs are the same. */
export interface Ids {
  next(prefix: string): string;
}

export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

export const bearer = ({ headers }: Incoming): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
