import type { ApiError } from '../error.js';
import { NEWS_PATH } from '../route/table.js';
import type { FollowOptions } from './follow.js';
import { defaultDelay, listen, pause, SILENCE_MS } from './listen.js';
import type { ClientOptions } from './options.js';
import { UNREACHABLE } from './send.js';

/** What is heard of all runs. */
export type RunNews =
  /** The connection is there: what changes from now on is told. */
  | { readonly type: 'ready' }
  /** Something happened in these runs. */
  | { readonly type: 'changed'; readonly runs: readonly string[] }
  /** The connection is gone, and is made again; look at everything when it is. */
  | { readonly type: 'lost'; readonly error: ApiError }
  /** The server said no, and will say so again. Nothing comes after it. */
  | { readonly type: 'failed'; readonly error: ApiError };

/** How to hear of all runs. */
export type NewsOptions = Omit<FollowOptions, 'run' | 'after'>;

/** Hears in which runs something happens, through lost connections. Never throws; ends when the signal fires. */
export async function* watch(
  client: ClientOptions,
  { signal, silenceMs = SILENCE_MS, delayMs = defaultDelay }: NewsOptions,
): AsyncGenerator<RunNews, void, void> {
  const isOver = () => signal?.aborted === true;
  for (let failures = 0; !isOver(); failures += 1) {
    let lost: ApiError = UNREACHABLE;
    for await (const heard of listen(client, { path: NEWS_PATH, signal, silenceMs })) {
      if (heard.type === 'failed') {
        yield heard;
        return;
      }
      if (heard.type === 'lost') lost = heard.error;
      else if (heard.message.event === 'ready') {
        failures = 0;
        yield { type: 'ready' };
      } else if (heard.message.event === 'changed') {
        const { runs } = JSON.parse(heard.message.data) as { readonly runs?: unknown };
        yield { type: 'changed', runs: Array.isArray(runs) ? runs.map(String) : [] };
      }
    }
    if (isOver()) return;
    yield { type: 'lost', error: lost };
    await pause(delayMs(failures), signal);
  }
}
