import { timeSchema } from '../schema/base.js';
import * as z from '../zod.js';
import { VIEWER } from './roles.js';
import { NOTHING, type RouteTable } from './route.js';

/** Finding words in all that is on record. */
export const SEARCH_ROUTES = {
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Finds words in the events and prompts of all runs, the newest run first.',
    params: NOTHING,
    query: z.strictObject({
      text: z.string().trim().min(2).max(200),
      limit: z.coerce.number().int().min(1).max(100).default(30),
    }),
    answer: z.object({
      found: z.array(
        z.object({
          run: z.string(),
          /** `event`: something that happened. `prompt`: words that a turn was told. */
          kind: z.enum(['event', 'prompt']),
          seq: z.number(),
          at: timeSchema,
          /** The type of the event, or the name of the block. */
          where: z.string(),
          /** The turn, and the byte of its prompt as one text; null of an event. */
          turn: z.string().nullable(),
          byte: z.number().nullable(),
          /** The words with a little around them. */
          excerpt: z.string(),
        }),
      ),
      /** The time or the limit was over before all was read. */
      more: z.boolean(),
    }),
    roles: VIEWER,
  },
} as const satisfies RouteTable;
