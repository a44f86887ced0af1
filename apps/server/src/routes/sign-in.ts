import { SIGN_IN_ROUTES } from '@cuebook/api';
import type { People } from '@cuebook/host';
import { fail, ok } from '@cuebook/prompt';
import { fromHost, type HttpError } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import type { PeopleSignIn } from '../sign-in/sign-in.js';

/** Signing in and out. Left out: nobody signs in here, and people have tokens alone. */
export function signInRoutes(people: People, signIn: PeopleSignIn | undefined) {
  return routeGroup(SIGN_IN_ROUTES, {
    getSignIn: async () => ok({ provider: signIn?.provider ?? null }),
    beginSignIn: async ({ body: { redirect, keyHash } }) => {
      if (signIn === undefined) return fail(OFF);
      const begun = await signIn.begin({ redirect, keyHash });
      return begun.ok ? ok({ url: begun.value }) : begun;
    },
    endSignIn: async ({ body: { query, key } }) => {
      if (signIn === undefined) return fail(OFF);
      const ended = await signIn.end({ query, key });
      if (!ended.ok) return ended;
      const { person, id, token, expiresAt } = ended.value;
      return ok({ name: person.name, role: person.role, id, token, expiresAt });
    },
    signOut: async (_asked, { by: { name, token } }) => {
      if (token === undefined) return fail(NO_SESSION);
      const revoked = await people.revokeToken(name, token, name);
      return revoked.ok ? ok({ done: true }) : fail(fromHost(revoked.error));
    },
  });
}

const OFF: HttpError = {
  status: 404,
  code: 'E_SIGN_IN_OFF',
  message: 'Nobody signs in at this server: it was told of no provider.',
};

const NO_SESSION: HttpError = {
  status: 409,
  code: 'E_SIGN_OUT',
  message: 'The token of the server itself stays: close the page instead.',
};
