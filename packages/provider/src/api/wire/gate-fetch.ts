import { guard, guarded } from '@cuebook/guard';
import type { LiveTurn } from '../../stream/live-turn.js';
import { TurnStop } from '../../stream/turn-error.js';
import { WireFailure } from './api-error.js';
import { tidyEvents } from './tidy-events.js';

/**
 * `fetch` as a turn may use it: the exact body passes the choke point first, what comes back is counted, and a
 * redirect, which would carry the prompt to another address, is a failure.
 */
export function gateFetch(
  turn: LiveTurn,
  key: string,
  {
    fetch,
    eventKinds,
  }: { readonly fetch: typeof globalThis.fetch; readonly eventKinds?: ReadonlySet<string> | undefined },
): typeof globalThis.fetch {
  return async (url, init) => {
    const body = init?.body ?? '';
    if (typeof body !== 'string') throw new TypeError('only text is sent to a model API');
    if (guard('api.own-key', key.length >= MIN_KEY && body.includes(key))) throw new TurnStop(OWN_KEY);
    await turn.pass('http', body);
    const bounds = guarded('api.redirect', () => ({ redirect: 'error' as const }));
    const response = await fetch(url, { ...init, ...bounds, signal: turn.signal }).catch((cause: unknown) => {
      throw new WireFailure(cause);
    });
    return counted(response, turn, eventKinds);
  };
}

/** A shorter key is a word that may stand anywhere. */
const MIN_KEY = 8;

const OWN_KEY = {
  reason: 'refused',
  error: {
    code: 'E_PROMPT_LEAK',
    message: 'What was to be sent holds the key of the provider, so it was not sent.',
    retryable: false,
  },
} as const;

function counted(response: Response, turn: LiveTurn, eventKinds: ReadonlySet<string> | undefined): Response {
  turn.received(0);
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new WireFailure(cause);
      });
      if (done) return controller.close();
      turn.received(value.byteLength);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const told = isStream ? body.pipeThrough(tidyEvents(eventKinds)) : body;
  return new Response(told, { status, statusText, headers });
}
