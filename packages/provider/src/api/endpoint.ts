import { fail, ok, type Result } from '@cuebook/prompt';
import type { TurnError } from '../turn.js';
import type { Vendor } from './vendor.js';

/** Where requests go, and with which key. */
export interface Endpoint {
  readonly baseUrl: string;
  /** Empty for an address that asks for none. */
  readonly key: string;
}

export interface EndpointOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
}

/** Configuration first, then the environment, then the vendor's own address. */
export function findEndpoint(
  vendor: Vendor,
  { apiKey, baseUrl }: EndpointOptions,
  env: Readonly<Record<string, string | undefined>>,
): Result<Endpoint, TurnError> {
  const address = (baseUrl ?? firstOf(env, vendor.urlNames) ?? vendor.baseUrl).trim().replace(/\/+$/, '');
  const problem = addressProblem(address);
  if (problem !== undefined) return fail({ code: 'E_PROVIDER_ADDRESS', message: problem, retryable: false });
  const key = apiKey ?? firstOf(env, vendor.keyNames) ?? '';
  if (key === '' && vendor.needsKey) {
    const message = `No key for ${vendor.name}: set ${vendor.keyNames.join(' or ')}.`;
    return fail({ code: 'E_PROVIDER_KEY', message, retryable: false });
  }
  return ok({ baseUrl: vendor.version ? withVersion(address, vendor.version) : address, key });
}

const firstOf = (
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): string | undefined => names.map((name) => env[name]).find((value) => value !== undefined && value !== '');

/** Gateways are configured without the version for some programs and with it for others: both are taken. */
const withVersion = (address: string, version: string): string =>
  /\/v\d+[a-z0-9]*$/.test(address) ? address : `${address}/${version}`;

function addressProblem(address: string): string | undefined {
  if (address === '') return 'No base address is configured.';
  if (!URL.canParse(address)) return 'The base address is not a URL.';
  const { protocol, username, password } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return 'The base address is neither http nor https.';
  if (username !== '' || password !== '') return 'The base address holds a user name or a password.';
  return undefined;
}
