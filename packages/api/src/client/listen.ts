import type { ApiError } from '../error.js';
import type { ClientOptions } from './options.js';
import { baseOf, errorOf, headersOf, UNREACHABLE } from './send.js';
import { createSseParser, type SseMessage } from './sse.js';

/** What comes over one connection. */
export type Heard =
  | { readonly type: 'message'; readonly message: SseMessage }
  | { readonly type: 'lost'; readonly error: ApiError }
  /** The server said no, and will say so again. */
  | { readonly type: 'failed'; readonly error: ApiError };

export interface Listening {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly silenceMs: number;
}

/** One connection, until it ends. */
export async function* listen(
  client: ClientOptions,
  { path, signal, silenceMs }: Listening,
): AsyncGenerator<Heard, void, void> {
  const gone = new AbortController();
  const either = signal === undefined ? gone.signal : AbortSignal.any([gone.signal, signal]);
  let timer = setTimeout(() => gone.abort(), silenceMs);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => gone.abort(), silenceMs);
  };
  try {
    const { fetch = globalThis.fetch } = client;
    const response = await fetch(`${baseOf(client)}${path}`, {
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
      for (const message of parser.take(decoder.decode(value, { stream: true })))
        yield { type: 'message', message };
    }
  } catch {
    // Whatever broke, the connection is made again.
    yield { type: 'lost', error: UNREACHABLE };
  } finally {
    clearTimeout(timer);
    gone.abort();
  }
}

/** Wrong token, no such run, a request that does not fit: asking again does not help. */
const isFinal = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

/** A connection without a byte for so long is taken for lost. */
export const SILENCE_MS = 45_000;
/** How long to wait before a connection is made again. */
export const defaultDelay = (failures: number): number => Math.min(250 * 2 ** Math.min(failures, 10), 5_000);

/** Waits, or until the signal fires. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
