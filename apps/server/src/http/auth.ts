import { createHash, timingSafeEqual } from 'node:crypto';
import { guard } from '@cuebook/guard';

/** Who asks. */
export interface Principal {
  /** As records name them. */
  readonly name: string;
  readonly roles: readonly string[];
}

/** Whose token it is. */
export interface Auth {
  identify(token: string): Principal | undefined | Promise<Principal | undefined>;
}

/** The one token of a server on somebody's own machine: whoever has it is the owner. */
export const ownerAuth = (token: string): Auth => ({
  identify: (given) => (isSame(given, token) ? { name: OWNER, roles: [OWNER] } : undefined),
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
