import { guard } from '@cuebook/guard';
import { type Hearing, newHearing, ServerFault, wireFault } from './fault.js';

/** Bytes of one answer that are read. */
export const MAX_ANSWER = 4 * 1024 * 1024;

/**
 * `fetch` for a server over HTTP: what it answers is told apart by its status and kind, and no more of it is read
 * than is allowed. The stream that a server may open for its own messages is left to the client.
 */
export function serverFetch(
  hearing: Hearing,
  { at, unauthorized = 'E_MCP_AUTH', renews = false }: ServerFetchOptions = {},
): typeof globalThis.fetch {
  const { fetch } = globalThis;
  const fault = (code: ServerFault['fault']): ServerFault => {
    hearing.fault = code;
    return new ServerFault(code);
  };
  return async (url, init) => {
    // Where a login is made fresh is another address, with answers of its own.
    if (at !== undefined && new URL(String(url)).href !== new URL(at).href) return authFetch()(url, init);
    const response = await fetch(url, { ...init, redirect: 'manual' }).catch((thrown: unknown) => {
      if (init?.signal?.aborted) throw thrown;
      throw fault(wireFault(thrown));
    });
    const { status } = response;
    // Nothing that was asked goes to another address than the one that the project names, and no key.
    const isElsewhere = status >= 300 && status < 400;
    if (init?.method !== 'POST') return isElsewhere ? new Response(null, { status: 405 }) : response;
    if (guard('mcp.redirect', isElsewhere)) throw fault('E_MCP_REDIRECT');
    if (status === 401 && renews) {
      hearing.fault = unauthorized;
      return response;
    }
    if (guard('mcp.auth', status === 401)) throw fault(unauthorized);
    if (status === 403) throw fault('E_MCP_AUTH');
    if (status === 404 || status === 405 || status === 410) throw fault('E_MCP_ABSENT');
    if (status === 413) throw fault('E_MCP_TOO_LARGE');
    if (status >= 400) throw fault('E_MCP_PROTOCOL');
    const type = response.headers.get('content-type') ?? '';
    const isSpoken = /^(?:application\/json|text\/event-stream)\b/i.test(type);
    if (response.body === null || status === 202) return response;
    if (!isSpoken) throw fault('E_MCP_PROTOCOL');
    return new Response(
      bounded(response.body, hearing, fault, { isGivenUp: () => init.signal?.aborted === true }),
      {
        status,
        statusText: response.statusText,
        headers: response.headers,
      },
    );
  };
}

export interface ServerFetchOptions {
  /** The address of the server; left out: every address is. */
  readonly at?: string;
  /** What 401 means. */
  readonly unauthorized?: ServerFault['fault'];
  /** 401 is for the client to answer: it makes the login fresh, or finds that it cannot. */
  readonly renews?: boolean;
}

/** Bytes of one answer about a login that are read. */
const MAX_AUTH = 1024 * 1024;

/** `fetch` for everything about a login: no answer leads elsewhere, and none is without end. */
export const authFetch =
  (signal?: AbortSignal): typeof globalThis.fetch =>
  async (url, init) => {
    const signals = [init?.signal, signal, AbortSignal.timeout(AUTH_MS)].filter((each) => each != null);
    const response = await globalThis.fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any(signals),
    });
    const { status, statusText, headers, body } = response;
    if (guard('login.words', status >= 400)) return errorOf(response);
    const whole =
      body === null ? null : bounded(body, newHearing(), (code) => new ServerFault(code), { most: MAX_AUTH });
    return new Response(whole, { status, statusText, headers });
  };

const AUTH_MS = 30_000;

/** An error by its code alone: the client of the protocol writes what is said beside it to the console. */
async function errorOf(response: Response): Promise<Response> {
  const { status, body } = response;
  const whole = body && bounded(body, newHearing(), (code) => new ServerFault(code), { most: MAX_AUTH });
  const said: unknown = await new Response(whole).json().catch(() => undefined);
  const { error } = Object(said) as { readonly error?: unknown };
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'server_error';
  return Response.json({ error: code }, { status });
}

interface Bounds {
  readonly most?: number;
  readonly isGivenUp?: () => boolean;
}

/** `isGivenUp`: whoever asked has ended it. */
function bounded(
  body: ReadableStream<Uint8Array>,
  hearing: Hearing,
  fault: (code: ServerFault['fault']) => ServerFault,
  { most = MAX_ANSWER, isGivenUp = () => false }: Bounds = {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      const read = await reader.read().catch((thrown: unknown) => ({ thrown }));
      if ('thrown' in read) return controller.error(isGivenUp() ? read.thrown : fault('E_MCP_CUT'));
      const { done, value } = read;
      if (done) return controller.close();
      size += value.byteLength;
      hearing.heard += value.byteLength;
      if (guard('mcp.answer', size > most)) {
        await reader.cancel();
        return controller.error(fault('E_MCP_TOO_LARGE'));
      }
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
