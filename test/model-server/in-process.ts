import type { Incoming } from './protocol/protocol.js';
import { parseJson } from './request.js';
import { protocolAt } from './route.js';
import type { Step } from './step.js';

/** The strict APIs without a network, for tables of many requests: a `fetch` that says one step to whatever it takes. */
export interface ModelFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Every body that came, with what a real API would have said to it. */
  readonly requests: readonly { readonly body: unknown; readonly refused?: string }[];
}

export function modelFetch(step: Step): ModelFetch {
  const requests: { body: unknown; refused?: string }[] = [];
  let count = 0;
  const ids = {
    next: (prefix: string): string => {
      count += 1;
      return `${prefix}_${count}`;
    },
  };
  const answer = (url: URL, init: RequestInit | undefined): Response => {
    const path = url.pathname + url.search;
    const text = String(init?.body ?? '');
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    const request: Incoming = { method: 'POST', path, headers, text, body: parseJson(text) };
    const protocol = protocolAt(path);
    if (protocol === undefined) return new Response('{}', { status: 404 });
    const refused = protocol.credential(request) ? protocol.refuse(request) : 'No credential was sent.';
    requests.push({ body: request.body, ...(refused !== undefined && { refused }) });
    if (refused !== undefined)
      return new Response(JSON.stringify(protocol.errorBody(400, refused)), {
        status: 400,
        headers: { 'content-type': 'application/json' },
      });
    const { opening, closing } = protocol.stream(step, request, ids);
    const rest = step.streamError ? [protocol.streamError(step.streamError, ids)] : closing;
    return new Response([...opening, ...rest].join(''), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    });
  };
  return { requests, fetch: async (url, init) => answer(new URL(String(url)), init) };
}
