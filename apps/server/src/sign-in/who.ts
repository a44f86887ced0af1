import { guard } from '@cuebook/guard';
import { mailboxOf, PERSON_ROLES, type Person, type PersonRole } from '@cuebook/host';
import type { SignInOptions } from './options.js';

/** What a provider says of somebody. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who somebody is to a project. */
export type SignedIn =
  | { readonly is: 'known'; readonly name: string; readonly role?: PersonRole }
  | { readonly is: 'new'; readonly name: string; readonly email: string; readonly role: PersonRole }
  | { readonly is: 'nobody'; readonly why: string };

/** The name that records have for whoever adds people when they sign in. */
export const BY_SIGN_IN = 'sign-in';

/**
 * Who signed in, by the address that the provider has verified. Whom an owner added has the role that the owner gave;
 * whom the options let in has the role of their claim, anew each time. Whom an owner removed stays out.
 */
export function whoSignedIn(
  claims: Claims,
  { allow, roleClaim, roles }: Pick<SignInOptions, 'allow' | 'roleClaim' | 'roles'>,
  people: { readonly all: readonly Person[]; readonly removed: ReadonlySet<string> },
): SignedIn {
  const { email, email_verified: isVerified } = claims;
  if (typeof email !== 'string' || email === '') return nobody('The provider tells no e-mail address.');
  if (guard('sign-in.verified', isVerified !== true))
    return nobody('The provider has not verified the e-mail address.');
  const address = mailboxOf(email);
  const person = people.all.find((each) => each.email !== undefined && mailboxOf(each.email) === address);
  if (person !== undefined && person.addedBy !== BY_SIGN_IN) return { is: 'known', name: person.name };
  if (guard('sign-in.removed', person === undefined && people.removed.has(address)))
    return nobody('An owner has removed this person. An owner can add them again.');
  const domain = address.slice(address.lastIndexOf('@'));
  if (guard('sign-in.allow', !allow.includes(address) && !allow.includes(domain)))
    return nobody('Nobody of this address was added to the project. Ask an owner to add it.');
  const role = roleOf(claims, { roleClaim, roles });
  if (role === undefined) return nobody('The provider gives no role in this project.');
  if (person !== undefined)
    return { is: 'known', name: person.name, ...(person.role === role ? {} : { role }) };
  return { is: 'new', name: address, email: address, role };
}

/** The highest role that a claim gives. */
function roleOf(
  claims: Claims,
  { roleClaim, roles }: { readonly roleClaim: string | undefined; readonly roles: SignInOptions['roles'] },
): PersonRole | undefined {
  const claim = roleClaim !== undefined && Object.hasOwn(claims, roleClaim) ? claims[roleClaim] : undefined;
  const values = [claim].flat().filter((each) => typeof each === 'string');
  const given = ['*', ...values].flatMap((value) => (Object.hasOwn(roles, value) ? [roles[value]] : []));
  return PERSON_ROLES.find((role) => given.includes(role));
}

const nobody = (why: string): SignedIn => ({ is: 'nobody', why });
