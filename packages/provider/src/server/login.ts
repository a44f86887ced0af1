import { guard } from '@cuebook/guard';
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** What is kept of a login at a server: who we are there, what lets us in, and where it is made fresh. */
export interface ServerLogin {
  /** The address that it is for. A server of the same name with another address is another one. */
  readonly url: string;
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
  readonly discovery?: OAuthDiscoveryState;
}

/** The logins of a home, by the name of the server. Nothing rejects. */
export interface ServerLogins {
  read(server: string): Promise<ServerLogin | undefined>;
  /** False: it could not be kept. */
  write(server: string, login: ServerLogin): Promise<boolean>;
  /** False: there was none. */
  remove(server: string): Promise<boolean>;
}

export interface LoginPlace {
  readonly name: string;
  readonly url: string;
  readonly logins: ServerLogins;
}

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
    clientInformation: async () => (await known()).client,
    saveClientInformation: (client) => keep({ client }),
    tokens: async () => (await known()).tokens,
    saveTokens: (tokens) => keep({ tokens }),
    discoveryState: async () => (await known()).discovery,
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
