import type { z } from 'zod';
import type { ApiError } from '../error.js';
import { EVENTS_PATH } from '../route/table.js';
import { liveEventSchema, runEventSchema } from '../schema/event.js';
import type { ClientOptions } from './options.js';
import { baseOf, errorOf, headersOf, UNREACHABLE } from './send.js';
import { createSseParser, type SseMessage } from './sse.js';

/** What is heard of a run. */
export type Followed =
  /** Of the record: each one once, in order, none left out, through lost connections. */
  | { readonly type: 'event'; readonly event: z.output<typeof runEventSchema> }
  /** Live words: some may be missed. */
  | { readonly type: 'live'; readonly live: z.output<typeof liveEventSchema> }
  /** All that had happened when the connection was made has been told. */
  | { readonly type: 'ready'; readonly seq: number }
  /** So many live words were left out, because they were not taken fast enough. */
  | { readonly type: 'missed'; readonly count: number }
  /** The connection is gone; it is made again from the last event on. */
  | { readonly type: 'lost'; readonly error: ApiError }
  /** The server said no, and will say so again. Nothing comes after it. */
  | { readonly type: 'failed'; readonly error: ApiError };

/** What to follow. */
export interface FollowOptions {
  readonly run: string;
  /** The last event that is known; 0: from the beginning. */
  readonly after?: number;
  /** Ends the following. */
  readonly signal?: AbortSignal;
  /** A connection without a byte for so long is taken for lost; the server sends something every 15 seconds. */
  readonly silenceMs?: number;
  /** How long to wait before a connection is made again, by how many have failed in a row. */
  readonly delayMs?: (failures: number) => number;
}

/** Follows a run. Never throws; ends when the signal fires, or with `failed`. */
export async function* follow(
  client: ClientOptions,
  options: FollowOptions,
): AsyncGenerator<Followed, void, void> {
  const { run, signal, silenceMs = SILENCE_MS, delayMs = defaultDelay } = options;
  let cursor = options.after ?? 0;
  let failures = 0;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    let lost: ApiError = UNREACHABLE;
    for await (const heard of listen(client, { run, cursor, signal, silenceMs })) {
      if (heard.type === 'lost') lost = heard.error;
      else if (heard.type === 'event') {
        if (heard.event.seq <= cursor) continue;
        // A hole would be a lie: what is missing is asked for again.
        if (heard.event.seq !== cursor + 1) break;
        cursor = heard.event.seq;
        failures = 0;
        yield heard;
      } else {
        yield heard;
        if (heard.type === 'failed') return;
      }
    }
    if (isOver()) return;
    yield { type: 'lost', error: lost };
    await pause(delayMs(failures), signal);
    failures += 1;
  }
}

interface Listening {
  readonly run: string;
  readonly cursor: number;
  readonly signal: AbortSignal | undefined;
  readonly silenceMs: number;
}

/** One connection, until it ends. */
async function* listen(client: ClientOptions, listening: Listening): AsyncGenerator<Followed, void, void> {
  const { run, cursor, signal, silenceMs } = listening;
  const gone = new AbortController();
  const either = signal === undefined ? gone.signal : AbortSignal.any([gone.signal, signal]);
  let timer = setTimeout(() => gone.abort(), silenceMs);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => gone.abort(), silenceMs);
  };
  try {
    const { fetch = globalThis.fetch } = client;
    const path = EVENTS_PATH.replace('{run}', () => encodeURIComponent(run));
    const response = await fetch(`${baseOf(client)}${path}?after=${cursor}`, {
      headers: { ...headersOf(client), accept: 'text/event-stream' },
      signal: either,
      redirect: 'error',
    });
    if (!response.ok) {
      const error = await errorOf(response);
      yield isFinal(error) ? { type: 'failed', error } : { type: 'lost', error };
      return;
    }
    const parser = createSseParser();
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    either.addEventListener('abort', () => void reader?.cancel().catch(() => undefined));
    while (reader !== undefined) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      for (const message of parser.take(decoder.decode(value, { stream: true }))) {
        const followed = readMessage(message);
        if (followed !== undefined) yield followed;
      }
    }
  } catch {
    // Whatever broke, the connection is made again from the cursor.
    yield { type: 'lost', error: UNREACHABLE };
  } finally {
    clearTimeout(timer);
    gone.abort();
  }
}

/** What this version does not know is passed over. */
function readMessage({ event, data }: SseMessage): Followed | undefined {
  const value: unknown = JSON.parse(data);
  if (event === 'event') {
    const parsed = runEventSchema.safeParse(value);
    return parsed.success ? { type: 'event', event: parsed.data } : undefined;
  }
  if (event === 'live') {
    const parsed = liveEventSchema.safeParse(value);
    return parsed.success ? { type: 'live', live: parsed.data } : undefined;
  }
  if (event === 'ready') return { type: 'ready', seq: Number((value as { seq?: unknown }).seq) };
  if (event === 'missed') return { type: 'missed', count: Number((value as { count?: unknown }).count) };
  return undefined;
}

/** Wrong token, no such run, a request that does not fit: asking again does not help. */
const isFinal = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

const SILENCE_MS = 45_000;
const defaultDelay = (failures: number): number => Math.min(250 * 2 ** Math.min(failures, 10), 5_000);

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
