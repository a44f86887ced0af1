import { guard } from '@cuebook/guard';
import { type Hearing, ServerFault, wireFault } from './fault.js';

/** Bytes of one answer that are read. */
export const MAX_ANSWER = 4 * 1024 * 1024;

/**
 * `fetch` for a server over HTTP: what it answers is told apart by its status and kind, and no more of it is read
 * than is allowed. The stream that a server may open for its own messages is left to the client.
 */
export function serverFetch(
  hearing: Hearing,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  const fault = (code: ServerFault['fault']): ServerFault => {
    hearing.fault = code;
    return new ServerFault(code);
  };
  return async (url, init) => {
    const response = await fetch(url, init).catch((thrown: unknown) => {
      if (init?.signal?.aborted) throw thrown;
      throw fault(wireFault(thrown));
    });
    if (init?.method !== 'POST') return response;
    const { status } = response;
    if (guard('mcp.auth', status === 401 || status === 403)) throw fault('E_MCP_AUTH');
    if (status === 404 || status === 405 || status === 410) throw fault('E_MCP_ABSENT');
    if (status === 413) throw fault('E_MCP_TOO_LARGE');
    if (status >= 400) throw fault('E_MCP_PROTOCOL');
    const type = response.headers.get('content-type') ?? '';
    const isSpoken = /^(?:application\/json|text\/event-stream)\b/i.test(type);
    if (response.body === null || status === 202) return response;
    if (!isSpoken) throw fault('E_MCP_PROTOCOL');
    return new Response(bounded(response.body, hearing, fault), {
      status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function bounded(
  body: ReadableStream<Uint8Array>,
  hearing: Hearing,
  fault: (code: ServerFault['fault']) => ServerFault,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      size += value.byteLength;
      hearing.heard += value.byteLength;
      if (guard('mcp.answer', size > MAX_ANSWER)) {
        await reader.cancel();
        return controller.error(fault('E_MCP_TOO_LARGE'));
      }
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
