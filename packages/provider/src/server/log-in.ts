import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { authFetch } from './http.js';
import { loginClient } from './login.js';
import type { LoginPlace, ServerLogin, ServerLogins } from './logins.js';

/** Why nobody is logged in. The words of a server are not told. */
export type LoginError = 'denied' | 'stopped' | 'timeout' | 'refused' | 'unkept';

export interface LogInOptions extends LoginPlace {
  /** Tells a person which address to open in a browser of this machine. */
  readonly tell: (address: string) => void;
  readonly signal: AbortSignal;
  /** How long the person has. */
  readonly timeoutMs?: number;
}

/**
 * Logs in at a server with OAuth: a client is registered, a person agrees in a browser, and the code that comes back to
 * 127.0.0.1 is exchanged, with PKCE, for tokens that are kept sealed.
 */
export async function logIn(options: LogInOptions): Promise<Result<undefined, LoginError>> {
  const { name, url, logins, tell, timeoutMs = 600_000 } = options;
  const { auth } = await import('@modelcontextprotocol/client');
  const state = randomBytes(32).toString('base64url');
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const door = await openDoor(state);
  // What is begun is kept in mind alone: an earlier login stays until there is a new one.
  let draft: ServerLogin = { url };
  const inMind: ServerLogins = {
    read: async () => draft,
    write: async (_, login) => {
      draft = login;
      return true;
    },
    remove: async () => false,
  };
  const talk = { redirectUrl: door.url, state, visit: (to: URL) => tell(to.href) };
  const client = loginClient({ name, url, logins: inMind }, talk);
  const fetchFn = authFetch(signal);
  const why = (error: LoginError): Result<never, LoginError> => {
    if (!signal.aborted) return fail(error);
    return fail(options.signal.aborted ? 'stopped' : 'timeout');
  };
  try {
    await auth(client, { serverUrl: url, fetchFn });
    const back = await door.back(signal);
    if (!back.ok) return why(back.error);
    const { code, iss } = back.value;
    await auth(client, {
      ...{ serverUrl: url, fetchFn, authorizationCode: code },
      ...(iss === undefined ? {} : { iss }),
    });
  } catch {
    // What was thrown may have words of a stranger in it, or a token.
    return why('refused');
  } finally {
    door.close();
  }
  return (await logins.write(name, draft)) ? ok(undefined) : fail('unkept');
}

interface Came {
  readonly code: string;
  readonly iss?: string | undefined;
}

interface Door {
  readonly url: string;
  /** The code, when the browser brings it. */
  back(signal: AbortSignal): Promise<Result<Came, LoginError>>;
  close(): void;
}

/** Waits on 127.0.0.1 for the browser to come back. It takes one answer, and only to what was asked. */
async function openDoor(state: string): Promise<Door> {
  let came: (result: Result<Came, LoginError>) => void = () => undefined;
  const answer = new Promise<Result<Came, LoginError>>((resolve) => {
    came = resolve;
  });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isAsked = searchParams.get('state') === state;
    if (request.method !== 'GET' || pathname !== '/callback' || guard('login.state', !isAsked)) {
      response.writeHead(404, HEADERS).end('There is nothing here.');
      return;
    }
    const code = searchParams.get('code');
    response.writeHead(200, HEADERS).end(code === null ? DENIED : DONE);
    came(code === null ? fail('denied') : ok({ code, iss: searchParams.get('iss') ?? undefined }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    async back(signal) {
      const aborted = new Promise<Result<Came, LoginError>>((resolve) => {
        if (signal.aborted) resolve(fail('stopped'));
        signal.addEventListener('abort', () => resolve(fail('stopped')), { once: true });
      });
      return Promise.race([answer, aborted]);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  connection: 'close',
};
const DONE = 'Cuebook has its answer. You can close this page and go back to the terminal.';
const DENIED = 'The server did not agree. You can close this page and go back to the terminal.';
