import { guard } from '@cuebook/guard';
import { authFetch } from './http.js';
import type { ServerLogin, ServerLogins } from './logins.js';

/** What became of the tokens at the server: taken back there, or it offers no way to, or it did not take them back. */
export type Revocation = 'revoked' | 'not-offered' | 'failed';

/**
 * Takes a login back: at the server where its metadata names a revocation endpoint (RFC 7009), and then here. Whatever
 * the server answers, the login is removed from this machine. Cut off in between, it is there to be logged out again.
 * Undefined: there was none.
 */
export async function logOut(
  { name, logins }: { readonly name: string; readonly logins: ServerLogins },
  signal: AbortSignal,
): Promise<{ readonly revocation: Revocation } | undefined> {
  const login = await logins.read(name);
  const revocation = login === undefined ? 'not-offered' : await revoke(login, signal);
  return (await logins.remove(name)) ? { revocation } : undefined;
}

async function revoke(login: ServerLogin, signal: AbortSignal): Promise<Revocation> {
  const { tokens, client } = login;
  const endpoint = endpointOf(login);
  if (tokens === undefined || endpoint === undefined) return 'not-offered';
  const { client_id = '', client_secret } = Object(client) as Readonly<Record<string, string>>;
  // The longer-lived one first: most servers take the other back with it.
  const held = [
    ['refresh_token', tokens.refresh_token],
    ['access_token', tokens.access_token],
  ] as const;
  const fetchFn = authFetch(signal);
  try {
    for (const [hint, token] of held) {
      if (token === undefined) continue;
      const body = new URLSearchParams({ token, token_type_hint: hint, client_id });
      if (client_secret !== undefined) body.set('client_secret', client_secret);
      const { ok } = await fetchFn(endpoint, { method: 'POST', body });
      if (!ok) return 'failed';
    }
    return 'revoked';
  } catch {
    // What was thrown may have a token in it.
    return 'failed';
  }
}

/** Where tokens are taken back: encrypted on the way, unless it is this machine. */
function endpointOf({ discovery }: ServerLogin): URL | undefined {
  const { authorizationServerMetadata } = Object(discovery) as Readonly<Record<string, unknown>>;
  const { revocation_endpoint: named } = Object(authorizationServerMetadata) as Readonly<
    Record<string, unknown>
  >;
  if (typeof named !== 'string' || !URL.canParse(named)) return undefined;
  const endpoint = new URL(named);
  const isSafe = endpoint.protocol === 'https:' || LOOPBACK.has(endpoint.hostname);
  return guard('logout.open', !isSafe) ? undefined : endpoint;
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
