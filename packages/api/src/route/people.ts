import { personNameSchema, personRoleSchema, personSchema, tokenToldSchema } from '../schema/person.js';
import * as z from '../zod.js';
import { VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

const PERSON_PARAMS = z.strictObject({ person: personNameSchema });

/** Who works with a project. All but `whoAmI` is for owners. */
export const PEOPLE_ROUTES = {
  whoAmI: {
    method: 'GET',
    path: '/me',
    summary: 'Whose token it is, and what it may do.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ name: z.string(), role: personRoleSchema }),
    roles: VIEWER,
  },
  listPeople: {
    method: 'GET',
    path: '/people',
    summary: 'Everybody with a role in the project, without their tokens’ text.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ people: z.array(personSchema) }),
  },
  addPerson: {
    method: 'POST',
    path: '/people',
    summary: 'Adds somebody. Their first token is told once.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      name: personNameSchema,
      role: personRoleSchema,
      /** Their e-mail address: shown beside the name, and nobody else's. */
      email: z.string().min(3).max(254).optional(),
    }),
    answer: tokenToldSchema,
    status: 201,
  },
  setPersonRole: {
    method: 'PATCH',
    path: '/people/{person}',
    summary: 'Gives somebody another role, from their next request on.',
    params: PERSON_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({ role: personRoleSchema }),
    answer: personSchema,
  },
  removePerson: {
    method: 'DELETE',
    path: '/people/{person}',
    summary: 'Takes all tokens of somebody back, and their role. Their streams end.',
    params: PERSON_PARAMS,
    query: NOTHING,
    answer: DONE,
  },
  addPersonToken: {
    method: 'POST',
    path: '/people/{person}/tokens',
    summary: 'Gives somebody another token, told once.',
    params: PERSON_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      /** Milliseconds since the epoch; left out: it counts until it is revoked. */
      expiresAt: z.number().int().positive().optional(),
    }),
    answer: tokenToldSchema,
    status: 201,
  },
  revokePersonToken: {
    method: 'DELETE',
    path: '/people/{person}/tokens/{token}',
    summary: 'Takes one token of somebody back. Streams that were opened with it end.',
    params: PERSON_PARAMS.extend({ token: z.string().regex(/^[0-9a-f]{16}$/, 'the id of a token') }),
    query: NOTHING,
    answer: DONE,
  },
} as const satisfies RouteTable;
