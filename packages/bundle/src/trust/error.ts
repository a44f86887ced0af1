import type { CertError } from '../cert/verify.js';
import type { JsonProblem } from '../json/scan.js';
import type { LogError } from '../log/log.js';
import type { ObjectError } from '../objects/contract.js';

/** Why an update is not taken. What was taken before stays. */
export type TrustError =
  | {
      readonly code: 'E_TRUST';
      readonly reason:
        | 'unsigned'
        | 'rollback'
        | 'expired'
        | 'mixed'
        | 'malformed'
        | 'not-listed'
        | 'not-reviewed'
        | 'not-in-library'
        | 'wrong-kind'
        | 'wrong-subject'
        | 'clock'
        | 'schema';
      /** The role or object that it was found in. */
      readonly at: string;
    }
  | CertError
  | (JsonProblem & { readonly key?: string })
  | LogError
  | ObjectError;

/** Where a refusal was found: a role, or the key of an object. */
export const placeOf = (error: TrustError): string | undefined =>
  'key' in error ? error.key : 'at' in error && typeof error.at === 'string' ? error.at : undefined;

/** What a checked refusal of the metadata library means. Its own words may name what an attacker wrote. */
export function trustError(error: unknown, at: string): TrustError {
  const name = error instanceof Error ? error.constructor.name : '';
  return { code: 'E_TRUST', reason: REASONS[name] ?? 'malformed', at };
}

const REASONS: Readonly<Record<string, Extract<TrustError, { code: 'E_TRUST' }>['reason'] | undefined>> = {
  BadVersionError: 'rollback',
  EqualVersionError: 'rollback',
  ExpiredMetadataError: 'expired',
  UnsignedMetadataError: 'unsigned',
  LengthOrHashMismatchError: 'mixed',
};
