import { isIP } from 'node:net';
import { guard } from '@cuebook/guard';
import { hint } from '@cuebook/prompt/hint';
import type { Auth, Principal } from './auth.js';
import type { HttpError } from './error.js';

/** What a server must know to tell its own pages and callers from others. */
export interface Gate {
  readonly auth: Auth;
  /** Whether a Host header names this server. */
  readonly isOwnHost: (host: string) => boolean;
}

/** What the checks look at. */
export type RequestHead = Pick<Request, 'method' | 'url' | 'headers'>;

/**
 * Refuses what a page of another origin, or a name that was made to point here, asks for. A browser always sends
 * `Host`; it sends `Origin` with everything that could write, and `Sec-Fetch-Site` with everything.
 */
export function checkOrigin(
  { isOwnHost }: Gate,
  { headers }: RequestHead,
  isPage: boolean,
): HttpError | undefined {
  const host = headers.get('host') ?? '';
  if (guard('host.own', !isOwnHost(host))) return FOREIGN_HOST;
  const origin = headers.get('origin');
  // A proxy before the server may speak TLS with the browser.
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`;
  if (guard('origin.own', !isOwn)) return FOREIGN_ORIGIN;
  const site = headers.get('sec-fetch-site');
  // A link may lead to the page itself: it holds no data.
  const isForeign = site !== null && site !== 'same-origin' && site !== 'none' && !isPage;
  return guard('origin.site', isForeign) ? FOREIGN_ORIGIN : undefined;
}

/** Who asks, by the bearer token. There is no cookie: those are sent to every port of a host, whoever listens there. */
export async function identify({ auth }: Gate, { headers }: RequestHead): Promise<Principal | undefined> {
  const given = /^Bearer ([\x21-\x7e]{1,500})$/.exec(headers.get('authorization') ?? '')?.[1];
  return given === undefined ? undefined : auth.identify(given);
}

/**
 * Whether a Host header names this server: an address that it listens on, or a name that it was told. A told name counts
 * with any port, since a proxy before the server has its own.
 */
export function ownHosts(listening: {
  readonly host: string;
  readonly port: number;
  /** Names that others reach it by. */
  readonly names?: readonly string[];
}): Gate['isOwnHost'] {
  const { host, port, names = [] } = listening;
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  const own = new Set([...loopback, bracketed(host)].map((name) => `${name.toLowerCase()}:${port}`));
  const told = new Set(names.map((name) => name.toLowerCase()));
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return (given) => {
    const name = given.toLowerCase();
    if (own.has(name) || told.has(name.replace(/:\d{1,5}$/, ''))) return true;
    // Whoever lets a name point here has a name: a bare address cannot be pointed anywhere else.
    const address = isEverywhere && name.endsWith(`:${port}`) ? name.slice(0, -`:${port}`.length) : '';
    return isIP(address.replace(/^\[|\]$/g, '')) !== 0;
  };
}

/** An address as a part of a URL. */
export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** What every answer carries: nothing is kept, framed, guessed, or told to other sites. */
export const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const FOREIGN_HOST: HttpError = {
  status: 403,
  code: 'E_HOST',
  message: 'The request names another host than this server.',
};

const FOREIGN_ORIGIN: HttpError = {
  status: 403,
  code: 'E_ORIGIN',
  message: 'Pages of other origins may not ask this server.',
};

/** No token, or not the right one. */
export const NO_TOKEN: HttpError = {
  status: 401,
  code: 'E_TOKEN',
  message: `The request needs the token of this server. ${hint`up`} prints a link with it.`,
};

/** A token that is known and may not ask this. */
export const NOT_ALLOWED: HttpError = {
  status: 403,
  code: 'E_ROLE_NOT_ALLOWED',
  message: 'This token may not ask for that.',
};
