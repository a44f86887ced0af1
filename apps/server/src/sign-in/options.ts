import { isPersonRole, mailboxOf, type PersonRole } from '@cuebook/host';
import { fail, ok, type Result } from '@cuebook/prompt';

/** How people sign in at a provider of OpenID Connect. */
export interface SignInOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Left out: a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  /** Addresses, and domains as `@example.com`, of people who are added when they sign in first. */
  readonly allow: readonly string[];
  /** The claim that says which role those people have, such as `groups`. */
  readonly roleClaim?: string;
  /** Roles by the values of the claim. The one of `*` is for everybody. */
  readonly roles: Readonly<Record<string, PersonRole>>;
}

/** The variables that say it; flags of the command stand for them. */
export const SIGN_IN_VARIABLES = {
  issuer: 'CUEBOOK_OIDC_ISSUER',
  clientId: 'CUEBOOK_OIDC_CLIENT_ID',
  clientSecret: 'CUEBOOK_OIDC_CLIENT_SECRET',
  allow: 'CUEBOOK_OIDC_ALLOW',
  roleClaim: 'CUEBOOK_OIDC_ROLE_CLAIM',
  roles: 'CUEBOOK_OIDC_ROLES',
} as const;

/** How people sign in, by the environment; undefined: they do not. */
export function signInOptions(
  env: Readonly<Record<string, string | undefined>>,
): Result<SignInOptions | undefined, string> {
  const read = (name: keyof typeof SIGN_IN_VARIABLES) => env[SIGN_IN_VARIABLES[name]]?.trim() || undefined;
  const [issuer, clientId, clientSecret, roleClaim] = [
    read('issuer'),
    read('clientId'),
    read('clientSecret'),
    read('roleClaim'),
  ];
  if (issuer === undefined && clientId === undefined) return ok(undefined);
  if (issuer === undefined || clientId === undefined)
    return fail(`${SIGN_IN_VARIABLES.issuer} and ${SIGN_IN_VARIABLES.clientId} are given together.`);
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnMachine(url.hostname));
  if (url === undefined || !isSafe)
    return fail(`${SIGN_IN_VARIABLES.issuer} is an https address, or one of this machine.`);
  const allow = (read('allow') ?? '').split(/[\s,]+/).filter((each) => each !== '');
  const strange = allow.find((each) => !/^[^\s@]*@[^\s@]+$/.test(each));
  if (strange !== undefined)
    return fail(`${SIGN_IN_VARIABLES.allow} takes addresses and domains: ada@example.com, @example.com.`);
  const pairs = (read('roles') ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const roles: Record<string, PersonRole> = {};
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const role = pair.slice(at + 1);
    if (at < 1 || !isPersonRole(role))
      return fail(`${SIGN_IN_VARIABLES.roles} takes VALUE=ROLE with commas between: admins=owner, *=viewer.`);
    roles[pair.slice(0, at)] = role;
  }
  if (allow.length > 0 && pairs.length === 0)
    return fail(
      `${SIGN_IN_VARIABLES.allow} needs ${SIGN_IN_VARIABLES.roles}: which role they have, such as *=viewer.`,
    );
  return ok({
    ...{ issuer, clientId, allow: allow.map((each) => mailboxOf(each)), roles },
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(roleClaim === undefined ? {} : { roleClaim }),
  });
}

/** Whether a name is one of this machine, where nobody listens in. */
export const isOwnMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
