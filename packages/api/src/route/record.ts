import { eventPageSchema } from '../schema/event.js';
import { keptPackSchema, packInputSchema } from '../schema/pack.js';
import { artifactSchema, turnSummarySchema } from '../schema/turn.js';
import * as z from '../zod.js';
import { OPERATOR, VIEWER } from './roles.js';
import { NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

/** What is on record of a run. */
export const RECORD_ROUTES = {
  listEvents: {
    method: 'GET',
    path: '/runs/{run}/log',
    summary: 'A page of the events after a cursor. `/runs/{run}/events` streams the same.',
    params: RUN_PARAMS,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
    }),
    answer: eventPageSchema,
    roles: VIEWER,
  },
  listTurns: {
    method: 'GET',
    path: '/runs/{run}/turns',
    summary: 'The turns of a run, the newest first.',
    params: RUN_PARAMS,
    query: z.strictObject({
      node: z.string().min(1).max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    answer: z.object({ turns: z.array(turnSummarySchema) }),
    roles: VIEWER,
  },
  getArtifact: {
    method: 'GET',
    path: '/runs/{run}/artifacts/{hash}',
    summary: 'The text of a diff, a kept result or a context pack.',
    params: RUN_PARAMS.extend({
      hash: z.string().regex(/^(?:sha256:)?[0-9a-f]{64}$/, 'a sha256 in hexadecimal digits'),
    }),
    query: NOTHING,
    answer: artifactSchema,
    roles: VIEWER,
  },
  keepPack: {
    method: 'POST',
    path: '/runs/{run}/packs',
    summary: 'Keeps a context pack with the run. A message or a handoff names it by its `ref`.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: packInputSchema,
    answer: keptPackSchema,
    status: 201,
    roles: OPERATOR,
  },
} as const satisfies RouteTable;
