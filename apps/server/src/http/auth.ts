import { createHash, timingSafeEqual } from 'node:crypto';
import { guard } from '@cuebook/guard';

/** Who asks. */
export interface Principal {
  /** As records name them. */
  readonly name: string;
  readonly roles: readonly string[];
  /** The id of a token that can be revoked. */
  readonly token?: string;
  /** When the token ends by itself, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Whose token it is. */
export interface Auth {
  identify(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** A signal that fires with the given one, and when the token of a principal does not count any more. */
  whileValid?(who: Principal, signal: AbortSignal): AbortSignal;
}

/** The one token of a server on somebody's own machine: whoever has it is the owner. */
export const ownerAuth = (token: string): Auth => ({
  identify: (given) => (isSame(given, token) ? { name: OWNER, roles: [OWNER] } : undefined),
});

/** A token that opens `/metrics` and nothing else. Left out or empty: there is none. */
export const metricsAuth = (token: string | undefined): Auth | undefined =>
  token
    ? { identify: (given) => (isSame(given, token) ? { name: 'metrics', roles: ['metrics'] } : undefined) }
    : undefined;

/** The first that knows a token says whose it is. */
export const anyAuth = (all: readonly (Auth | undefined)[]): Auth => ({
  async identify(token) {
    for (const auth of all) {
      const who = await auth?.identify(token);
      if (who !== undefined) return who;
    }
    return undefined;
  },
  whileValid: (who, signal) => all.reduce((until, auth) => auth?.whileValid?.(who, until) ?? until, signal),
});

/** The role that may ask everything. */
export const OWNER = 'owner';

/** Whether two tokens are one, in a time that says nothing about where they differ. */
export const isSame = (given: string, token: string): boolean =>
  timingSafeEqual(digest(given), digest(token));

/** Whether a principal may ask a route. */
export const mayAsk = ({ roles }: Principal, allowed: readonly string[] = []): boolean =>
  !guard('auth.role', !roles.includes(OWNER) && !allowed.some((role) => roles.includes(role)));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
