import { guard } from '@cuebook/guard';
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { LoginPlace, ServerLogin } from './logins.js';

export interface LoginTalk {
  /** Where the browser comes back to. */
  readonly redirectUrl: string;
  readonly state: string;
  /** A person has to go there. */
  readonly visit: (address: URL) => void;
}

/** A login as the client of the protocol asks for it. What is new of it is kept before it is used. */
export function loginClient({ name, url, logins }: LoginPlace, talk: LoginTalk): OAuthClientProvider {
  let verifier = '';
  const known = async (): Promise<ServerLogin> => {
    const login = await logins.read(name);
    return login === undefined || guard('login.address', login.url !== url) ? { url } : login;
  };
  const keep = async (part: Partial<ServerLogin>): Promise<void> => {
    if (!(await logins.write(name, { ...(await known()), ...part })))
      throw new Error('The login cannot be kept');
  };
  return {
    redirectUrl: talk.redirectUrl,
    clientMetadata: metadataOf(talk.redirectUrl),
    state: () => talk.state,
    clientInformation: async () => (await known()).client as StoredOAuthClientInformation | undefined,
    saveClientInformation: (client) => keep({ client }),
    tokens: async () => (await known()).tokens as StoredOAuthTokens | undefined,
    saveTokens: (tokens) => keep({ tokens }),
    discoveryState: async () => (await known()).discovery as OAuthDiscoveryState | undefined,
    saveDiscoveryState: (discovery) => keep({ discovery }),
    redirectToAuthorization: talk.visit,
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    // Another process may have made the login fresh a moment ago: what is kept is looked at again, never thrown away.
    invalidateCredentials: () => undefined,
  };
}

const metadataOf = (redirectUrl: string): OAuthClientMetadata => ({
  client_name: 'Cuebook',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});
