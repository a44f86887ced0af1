import type { z } from 'zod';
import type { ApiError } from '../error.js';
import { EVENTS_PATH } from '../route/table.js';
import { liveEventSchema, runEventSchema } from '../schema/event.js';
import { defaultDelay, listen, pause, SILENCE_MS } from './listen.js';
import type { ClientOptions } from './options.js';
import { UNREACHABLE } from './send.js';
import type { SseMessage } from './sse.js';

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
    for await (const heard of listen(client, { path: pathOf(run, cursor), signal, silenceMs })) {
      if (heard.type === 'lost') lost = heard.error;
      else if (heard.type === 'failed') {
        yield heard;
        return;
      } else {
        const followed = readMessage(heard.message);
        if (followed === undefined) continue;
        if (followed.type === 'event') {
          if (followed.event.seq <= cursor) continue;
          // A hole would be a lie: what is missing is asked for again.
          if (followed.event.seq !== cursor + 1) break;
          cursor = followed.event.seq;
          failures = 0;
        }
        yield followed;
      }
    }
    if (isOver()) return;
    yield { type: 'lost', error: lost };
    await pause(delayMs(failures), signal);
    failures += 1;
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

const pathOf = (run: string, cursor: number): string =>
  `${EVENTS_PATH.replace('{run}', () => encodeURIComponent(run))}?after=${cursor}`;
