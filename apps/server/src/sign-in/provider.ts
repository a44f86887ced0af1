import { fail, ok, type Result } from '@cuebook/prompt';
import type { Configuration } from 'openid-client';
import type { HttpError } from '../http/error.js';
import { isOwnMachine, type SignInOptions } from './options.js';
import type { SignInState } from './state.js';
import type { Claims } from './who.js';

/** The provider that people sign in at. */
export interface SignInProvider {
  /** Where a browser goes to sign in. */
  authorize(
    asked: Pick<SignInState, 'nonce' | 'verifier' | 'redirect'> & { readonly state: string },
  ): Promise<Result<string, HttpError>>;
  /** What the provider says of whoever came back with this address. Issuer, audience, nonce and signature are checked. */
  claims(
    back: URL,
    expected: Pick<SignInState, 'nonce' | 'verifier'> & { readonly state: string },
  ): Promise<Result<Claims, HttpError>>;
  /** Fresh secrets for one sign-in. */
  fresh(): Promise<Pick<SignInState, 'nonce' | 'verifier'>>;
}

/** The provider of an issuer. It is asked when the first person signs in, and again when it did not answer. */
export function openProvider({ issuer, clientId, clientSecret }: SignInOptions): SignInProvider {
  let found: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    found ??= discover();
    found.catch(() => {
      found = undefined;
    });
    return found;
  };
  const discover = async (): Promise<Configuration> => {
    const client = await import('openid-client');
    const url = new URL(issuer);
    const isOwn = url.protocol === 'http:' && isOwnMachine(url.hostname);
    const auth = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
    return client.discovery(url, clientId, undefined, auth, {
      timeout: TIMEOUT_SECONDS,
      // The signature of the ID token is checked too, whatever the connection was.
      execute: [client.enableNonRepudiationChecks, ...(isOwn ? [client.allowInsecureRequests] : [])],
    });
  };
  return {
    async fresh() {
      const { randomNonce, randomPKCECodeVerifier } = await import('openid-client');
      return { nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    },
    async authorize({ nonce, verifier, redirect, state }) {
      try {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirect,
          scope: 'openid email profile',
          response_type: 'code',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...{ state, nonce },
        });
        return ok(url.href);
      } catch (thrown) {
        return fail(providerError(thrown));
      }
    },
    async claims(back, { nonce, verifier, state }) {
      try {
        const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
        const config = await configuration();
        const tokens = await authorizationCodeGrant(config, back, {
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          expectedState: state,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return fail(away('it gave no ID token'));
        if (claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined)
          return ok(claims);
        // Some providers tell the address there alone.
        const more = await fetchUserInfo(config, tokens.access_token, claims.sub);
        return ok({ ...more, ...claims });
      } catch (thrown) {
        return fail(providerError(thrown));
      }
    },
  };
}

/** What a provider said no to, or why it could not be understood. Words of the provider are told only where they are codes. */
function providerError(thrown: unknown): HttpError {
  const { error, code, name, cause } = Object(thrown) as Readonly<Record<string, unknown>>;
  if (typeof error === 'string') {
    const said = /^[a-z_]{1,50}$/.test(error) ? error : 'an error';
    const isNo = said === 'access_denied' || said === 'login_required' || said === 'consent_required';
    if (isNo)
      return {
        status: 403,
        code: 'E_SIGN_IN_REFUSED',
        message: `The provider did not sign you in: ${said}.`,
      };
    return away(
      said === 'invalid_client'
        ? `${said}: it does not know this client, or its secret`
        : `it answered ${said}`,
    );
  }
  const inner = (Object(cause) as { readonly code?: unknown }).code;
  if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT') return away('it did not answer in time');
  if (typeof inner === 'string' && /^E[A-Z_]{3,30}$|^UND_ERR/.test(inner))
    return away(`it cannot be reached (${inner})`);
  if (typeof code === 'string' && /^OAUTH_[A-Z_]{1,60}$/.test(code))
    return away(`its answer does not fit (${code})`);
  return away('it cannot be reached, or its answer does not fit');
}

const away = (why: string): HttpError => ({
  status: 503,
  code: 'E_SIGN_IN_PROVIDER',
  message: `Signing in does not work now. The provider: ${why}.`,
});

const TIMEOUT_SECONDS = 10;
