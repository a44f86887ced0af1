import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createMcpHandler } from '../src/mcp/handler.js';

/** An MCP server behind OAuth, with the authorization server that it names, on 127.0.0.1. */
export interface OAuthServer {
  readonly url: string;
  /** Every token that was ever given out. */
  readonly given: Set<string>;
  /** What was asked of it: paths, in order. */
  readonly asked: string[];
  /** The tokens that were shown to it, in order. */
  readonly shown: string[];
  /** From now on no access token that was given out is taken. */
  expire(): void;
  /** From now on no refresh token is taken either. */
  revoke(): void;
  /** How many of its tokens are taken now. */
  taken(): number;
}

export async function oauthServer({
  agrees = true,
  revokes = 'not',
}: {
  readonly agrees?: boolean;
  /** Whether it offers to take tokens back, and does; or the address where it says that it does. */
  readonly revokes?: 'not' | 'does' | 'fails' | `http${string}`;
} = {}): Promise<OAuthServer> {
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly client: string }
  >();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const given = new Set<string>();
  const asked: string[] = [];
  const shown: string[] = [];
  const handler = createMcpHandler({
    name: 'vault',
    version: '1',
    tools: [{ name: 'echo', description: 'Says it again.', parameters: { type: 'object' } }],
    call: async (_, input) => ({ output: `${JSON.stringify(input)} by ${[...access].join(' ')}` }),
  });
  const give = (): object => {
    refresh.clear();
    const [a, r] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    access.add(a);
    refresh.add(r);
    given.add(a).add(r);
    return { access_token: a, refresh_token: r, token_type: 'Bearer', expires_in: 3600 };
  };
  const json = (response: ServerResponse, status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const chunk of request) body += chunk;
    return body;
  };
  const server = createServer(async (request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    asked.push(pathname);
    if (request.headers.authorization !== undefined) shown.push(request.headers.authorization);
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] });
    if (pathname === '/.well-known/oauth-authorization-server')
      return json(response, 200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...(revokes === 'not'
          ? {}
          : { revocation_endpoint: revokes.startsWith('http') ? revokes : `${base}/revoke` }),
      });
    if (pathname === '/register') {
      const { redirect_uris } = JSON.parse(await bodyOf(request));
      const client_id = randomUUID();
      clients.set(client_id, redirect_uris);
      return json(response, 201, { client_id, redirect_uris, token_endpoint_auth_method: 'none' });
    }
    if (pathname === '/authorize') {
      const client = searchParams.get('client_id') ?? '';
      const redirect = searchParams.get('redirect_uri') ?? '';
      const challenge = searchParams.get('code_challenge') ?? '';
      if (!clients.get(client)?.includes(redirect) || searchParams.get('code_challenge_method') !== 'S256')
        return json(response, 400, { error: 'invalid_request' });
      const to = new URL(redirect);
      to.searchParams.set('state', searchParams.get('state') ?? '');
      if (agrees) {
        const code = randomUUID();
        codes.set(code, { challenge, redirect, client });
        to.searchParams.set('code', code);
      } else to.searchParams.set('error', 'access_denied');
      return void response.writeHead(302, { location: to.href }).end();
    }
    if (pathname === '/revoke') {
      const form = new URLSearchParams(await bodyOf(request));
      const token = form.get('token') ?? '';
      if (revokes !== 'does' || !clients.has(form.get('client_id') ?? ''))
        return json(response, 400, { error: 'invalid_client', error_description: token });
      (form.get('token_type_hint') === 'refresh_token' ? refresh : access).delete(token);
      return void response.writeHead(200).end();
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await bodyOf(request));
      if (form.get('grant_type') === 'refresh_token')
        return refresh.delete(form.get('refresh_token') ?? '')
          ? json(response, 200, give())
          : json(response, 400, { error: 'invalid_grant', error_description: [...given].join(' ') });
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight =
        code?.challenge === challenge &&
        code.redirect === form.get('redirect_uri') &&
        code.client === form.get('client_id');
      return isRight ? json(response, 200, give()) : json(response, 400, { error: 'invalid_grant' });
    }
    const body = await bodyOf(request);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!access.has(token)) {
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
      return json(response, 401, { error: 'invalid_token' });
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const answer = await handler.handle(JSON.parse(body));
    if (answer === undefined) return void response.writeHead(202).end();
    return json(response, 200, answer as object);
  });
  // A connection that is kept is not ended by time: a request that comes just then would be lost.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    given,
    asked,
    shown,
    expire: () => access.clear(),
    revoke: () => refresh.clear(),
    taken: () => access.size + refresh.size,
  };
}
