import { verifyObject } from '../cert/verify.js';
import { KEYS } from '../ids.js';
import type { SignerKeys } from '../key/key.js';
import type { RoleName } from './chain.js';
import type { TrustError } from './error.js';
import { readMetadata } from './spelling.js';

/** What an object that was found in the store should have been. */
export interface ExpectedObject {
  readonly keys: SignerKeys;
  readonly kind: 'agent_card' | 'prompt_bundle';
  readonly agent: string;
  readonly key: string;
  /** When the newest timestamp was issued: an object of before is an older one. */
  readonly issued: number;
  readonly now: number;
}

/** Why an object is not the one that is listed: the most telling reason that can be shown. Nothing of it is believed. */
export function objectProblem(bytes: Uint8Array, expected: ExpectedObject): TrustError {
  const { keys, kind, agent, key, issued, now } = expected;
  const verified = verifyObject(bytes, { keys, expect: { kind, subject: agent, objectKey: key }, now });
  if (!verified.ok)
    return verified.error.code === 'E_CERT' ? { ...verified.error, at: key } : { ...verified.error, key };
  // The server certifies one object at a time for a place: a valid one that is not listed is the one before.
  const isOlder = Date.parse(verified.value.cert.issued_at) <= issued;
  return isOlder ? { code: 'E_CERT', reason: 'rollback', at: key } : mixed(key);
}

/** The same for metadata that is not what is pinned. */
export function metadataProblem(
  bytes: Uint8Array,
  name: 'snapshot' | RoleName,
  { agent, version, now }: { readonly agent: string; readonly version: number; readonly now: number },
): TrustError {
  const read = readMetadata(bytes, name);
  if (!read.ok) return read.error;
  const { signed } = JSON.parse(read.value.toString('utf8')) as { readonly signed: LooseSigned };
  const problem = (reason: 'wrong-kind' | 'wrong-subject' | 'rollback' | 'expired'): TrustError => ({
    ...{ code: 'E_TRUST', reason, at: name },
  });
  if (signed._type !== (name === 'snapshot' ? 'snapshot' : 'targets')) return problem('wrong-kind');
  const paths = Object.keys(signed.targets ?? {});
  const prefix = PATHS[name]?.(agent);
  if (prefix !== undefined && !paths.some((path) => path.startsWith(prefix)))
    return problem(paths.some((path) => /^(?:agents|reviews)\//.test(path)) ? 'wrong-subject' : 'wrong-kind');
  if (signed.version < version) return problem('rollback');
  if (Date.parse(signed.expires) <= now) return problem('expired');
  return mixed(name);
}

/** What a role of one agent lists. */
const PATHS: Readonly<Partial<Record<'snapshot' | RoleName, (agent: string) => string>>> = {
  assignment: (agent) => KEYS.card(agent),
  reviews: (agent) => `reviews/${agent}/`,
};

interface LooseSigned {
  readonly _type?: unknown;
  readonly version: number;
  readonly expires: string;
  readonly targets?: Readonly<Record<string, unknown>>;
}

const mixed = (at: string): TrustError => ({ code: 'E_TRUST', reason: 'mixed', at });
