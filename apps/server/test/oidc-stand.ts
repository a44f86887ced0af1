import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** A provider of OpenID Connect on this machine, where whoever is named is signed in at once. */
export interface OidcStand {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** Makes the provider for a server that listens by now. */
  serve(redirect: string, more?: Configuration): void;
  /** Who signs in next, and what is said of them. */
  person(claims: Readonly<Record<string, unknown>> | 'denies'): void;
  /** Answers in the place of the provider; undefined: the provider answers. */
  instead(answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined): void;
  close(): Promise<void>;
}

export async function oidcStand(): Promise<OidcStand> {
  let claims: Readonly<Record<string, unknown>> | 'denies' = {};
  let handle: ReturnType<Provider['callback']> | undefined;
  let other: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  const http = createServer((request, response) => {
    if (other?.(request, response) === true) return;
    if (handle === undefined) response.writeHead(503).end();
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const client = { id: 'cuebook', secret: 'a secret of the test that is long enough' };
  return {
    issuer,
    client,
    serve(redirect, more = {}) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: [redirect],
            grant_types: ['authorization_code'],
            response_types: ['code'],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['a key of the test'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        pkce: { required: () => true },
        findAccount: async (_context, accountId) => ({
          accountId,
          claims: async () => ({ sub: accountId, ...(claims === 'denies' ? {} : claims) }),
        }),
        // Nobody is asked whether the client may know the address.
        async loadExistingGrant(context) {
          const { client: asking, session, provider: own } = context.oidc;
          const grant = new own.Grant({
            clientId: asking?.clientId ?? '',
            accountId: session?.accountId ?? '',
          });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
        ...more,
      });
      provider.use(async (context, next) => {
        if (!context.path.startsWith('/interaction/')) return next();
        const result =
          claims === 'denies'
            ? { error: 'access_denied', error_description: '<b>No</b> with /home/somebody' }
            : { login: { accountId: String(claims.sub ?? claims.email ?? 'x'), remember: false } };
        const to = await provider.interactionResult(context.req, context.res, result);
        context.redirect(to);
        return undefined;
      });
      handle = provider.callback();
    },
    person(next) {
      claims = next;
    },
    instead(answer) {
      other = answer;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** Goes where a browser would, with its cookies, until it is sent back to an address; answers that. */
export async function browse(start: string, back: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    if (to === null) throw new Error(`${answer.status} at ${url}: ${(await answer.text()).slice(0, 500)}`);
    url = new URL(to, url).href;
    if (url.startsWith(back)) return new URL(url);
  }
  throw new Error('too many redirects');
}
