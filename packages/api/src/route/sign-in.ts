import { personRoleSchema } from '../schema/person.js';
import * as z from '../zod.js';
import { VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

/** Signing in at a provider of OpenID Connect. */
export const SIGN_IN_ROUTES = {
  getSignIn: {
    method: 'GET',
    path: '/sign-in',
    summary: 'Whether people sign in here, and at which provider. Needs no token.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({
      /** The host of the provider; null: people have tokens alone. */
      provider: z.string().nullable(),
    }),
    access: 'open',
  },
  beginSignIn: {
    method: 'POST',
    path: '/sign-in',
    summary: 'Where to send a browser to sign in. Needs no token.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      /** The address of the page, which the provider sends the browser back to. */
      redirect: z.string().min(1).max(500),
      /** The SHA-256, in base64url, of a key that the page keeps: only who has the key can end what it began. */
      keyHash: z.string().regex(/^[\w-]{43}$/, 'a SHA-256 in base64url'),
    }),
    answer: z.object({ url: z.string() }),
    access: 'open',
  },
  endSignIn: {
    method: 'POST',
    path: '/sign-in/end',
    summary: 'A token for whoever signed in, told once. Needs no token.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      /** The query that the provider sent the browser back with. */
      query: z.string().max(8_000),
      key: z.string().regex(/^[\w-]{43}$/, 'the key of the page'),
    }),
    answer: z.object({
      name: z.string(),
      role: personRoleSchema,
      id: z.string(),
      token: z.string(),
      expiresAt: z.number(),
    }),
    access: 'open',
  },
  signOut: {
    method: 'POST',
    path: '/sign-out',
    summary: 'Takes back the token that it is asked with. Streams that were opened with it end.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: VIEWER,
  },
} as const satisfies RouteTable;
