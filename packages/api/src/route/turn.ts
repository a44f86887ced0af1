import { partIdSchema, timeSchema } from '../schema/base.js';
import {
  blameSchema,
  packedTurnSchema,
  turnProofSchema,
  turnSchema,
  turnTokensSchema,
  turnWireSchema,
} from '../schema/turn.js';
import * as z from '../zod.js';
import { VIEWER } from './roles.js';
import { NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

const TURN_PARAMS = RUN_PARAMS.extend({ turn: partIdSchema });
const reveal = z.enum(['true', 'false']).default('false');

/** What one turn was told, and what shows that it was. */
export const TURN_ROUTES = {
  listRecorded: {
    method: 'GET',
    path: '/runs/{run}/recorded',
    summary: 'The turns on record of a run of any kind, the oldest first.',
    params: RUN_PARAMS,
    query: NOTHING,
    answer: z.object({
      turns: z.array(z.object({ turn: z.string(), lane: z.string(), seq: z.number(), at: timeSchema })),
    }),
    roles: VIEWER,
  },
  getTurn: {
    method: 'GET',
    path: '/runs/{run}/turns/{turn}',
    summary: 'The prompt of a turn: full, in blocks, and what was really sent.',
    params: TURN_PARAMS,
    /** `reveal`: confidential words are shown. */
    query: z.strictObject({ reveal }),
    answer: turnSchema,
    roles: VIEWER,
  },
  getPackedTurn: {
    method: 'GET',
    path: '/runs/{run}/turns/{turn}/packed',
    summary: 'The prompt of a turn, with what its spans share told once.',
    params: TURN_PARAMS,
    /** `head`: no more of its words than the first screen shows. */
    query: z.strictObject({ reveal, part: z.enum(['head', 'whole']).default('whole') }),
    answer: packedTurnSchema,
    roles: VIEWER,
  },
  countTurn: {
    method: 'GET',
    path: '/runs/{run}/turns/{turn}/tokens',
    summary: 'How many tokens each block of a turn takes, and what a token costs.',
    params: TURN_PARAMS,
    query: NOTHING,
    answer: turnTokensSchema,
    roles: VIEWER,
  },
  getWire: {
    method: 'GET',
    path: '/runs/{run}/turns/{turn}/wire',
    summary: 'The body that the provider was sent, with tools, parameters and the source of each byte.',
    params: TURN_PARAMS,
    query: z.strictObject({ reveal }),
    answer: turnWireSchema,
    roles: VIEWER,
  },
  proveTurn: {
    method: 'GET',
    path: '/runs/{run}/turns/{turn}/proof',
    summary: 'Checks chain, signatures and hashes of all that is on record of the run.',
    params: TURN_PARAMS,
    query: NOTHING,
    answer: turnProofSchema,
    roles: VIEWER,
  },
  blameTurn: {
    method: 'GET',
    path: '/runs/{run}/turns/{turn}/blame',
    summary: 'The commit of a line that a turn was told.',
    params: TURN_PARAMS,
    query: z.strictObject({
      /** A file of the project, as an origin names it. */
      ref: z.string().min(1).max(1_000),
      line: z.coerce.number().int().min(1),
      /** What stood there, or the beginning of it. */
      words: z.string().max(500).default(''),
    }),
    answer: blameSchema,
    roles: VIEWER,
  },
} as const satisfies RouteTable;
