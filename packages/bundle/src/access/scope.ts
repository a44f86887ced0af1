import { guard } from '@cuebook/guard';

/**
 * What a credential opens, and until when. Both stores derive from it: the session policy of S3 and the token of the
 * folder that our server serves.
 */
export interface CredentialScope {
  readonly agent: string;
  readonly rules: readonly Rule[];
}

/** One right at one place. A place that ends with a slash is everything below it; any other is one exact key. */
export interface Rule {
  readonly may: Right;
  readonly at: string;
  /** Only objects that were published for every admitted agent. */
  readonly only?: 'public';
}

/** `put` overwrites; `create` writes once. Nothing lets an agent remove. */
export type Right = 'get' | 'list' | 'put' | 'create';

export interface AskedAccess {
  readonly act: 'get' | 'list' | 'put' | 'create' | 'remove';
  /** A key; for `list` a prefix. */
  readonly key: string;
}

/**
 * Whether a scope covers what is asked. `isPublic` is asked only about keys that a rule opens for public objects
 * alone. A right to overwrite covers writing once; a prefix is listed only below a place that may be listed.
 */
export function isAllowed(
  { rules }: CredentialScope,
  { act, key }: AskedAccess,
  isPublic: (key: string) => boolean = () => false,
): boolean {
  return rules.some((rule) => {
    const covers = rule.may === act || (rule.may === 'put' && act === 'create');
    if (!covers || !isWithin(rule.at, key)) return false;
    return !guard('access.public-only', rule.only === 'public' && act === 'get' && !isPublic(key));
  });
}

/** Exact, or below a place that ends with a slash. A sibling that begins alike is neither. */
export const isWithin = (place: string, key: string): boolean =>
  place.endsWith('/') ? key.startsWith(place) : key === place;
