import { agentIdSchema as id } from '../schema/base.js';
import { groupsSchema } from '../schema/card.js';
import { askedSchema, jobNameSchema, jobSchema, publicEventSchema } from '../schema/platform.js';
import * as z from '../zod.js';
import { PEOPLE, ROLE } from './platform-roles.js';
import { COMMAND, NOTHING, type RouteTable } from './route.js';

const AGENT = z.strictObject({ agent: id });

/** What a platform asks a model for: by request, or by itself where the schedule says so. */
export const ASKED_ROUTES = {
  listGroups: {
    method: 'GET',
    path: '/platform/cards/{agent}/groups',
    summary: 'Circles that share an interest with the card, best first, each with its match score.',
    params: AGENT,
    query: NOTHING,
    answer: z.object({ agent: z.string(), groups: groupsSchema }),
    roles: [...PEOPLE, ...ROLE.agent],
  },
  explainGroups: {
    method: 'POST',
    path: '/platform/cards/{agent}/groups',
    summary: 'The same, after a model was asked why each may suit. It cannot change a score.',
    params: AGENT,
    query: NOTHING,
    body: COMMAND.extend(askedSchema.shape),
    answer: z.object({ agent: z.string(), groups: groupsSchema }),
    roles: [...ROLE.owner, ...ROLE.publisher],
  },
  makeEvent: {
    method: 'POST',
    path: '/platform/events',
    summary:
      'The public event of the week of a day, today when left out. A model is asked where there is none yet.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({ date: z.string().max(10).optional(), ...askedSchema.shape }),
    answer: publicEventSchema,
    roles: ROLE.publisher,
  },
  listJobs: {
    method: 'GET',
    path: '/platform/schedule',
    summary: 'What the server asks a model for by itself.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ jobs: z.array(jobSchema) }),
    roles: PEOPLE,
  },
  setJob: {
    method: 'PUT',
    path: '/platform/schedule/{job}',
    summary: 'Lets the server do something by itself, or no more.',
    params: z.strictObject({ job: jobNameSchema }),
    query: NOTHING,
    body: COMMAND.extend({ on: z.boolean(), ...askedSchema.shape }),
    answer: jobSchema,
    roles: ROLE.publisher,
  },
} as const satisfies RouteTable;
