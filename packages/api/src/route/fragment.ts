import {
  fragmentEditSchema,
  fragmentPlaceSchema,
  fragmentReachSchema,
  promptLibrarySchema,
} from '../schema/fragment.js';
import * as z from '../zod.js';
import { OPERATOR } from './roles.js';
import { NOTHING, type RouteTable } from './route.js';

/** The prompts that Agents of a cluster include, and what a change of them would do. Nothing is written. */
export const FRAGMENT_ROUTES = {
  listFragments: {
    method: 'GET',
    path: '/fragments',
    summary: 'ConfigMaps of prompts with every Agent that includes each key.',
    params: NOTHING,
    query: z.strictObject({ from: fragmentPlaceSchema.default('project') }),
    answer: z.object({
      /** Whether this server was given a cluster. */
      hasCluster: z.boolean(),
      libraries: z.array(promptLibrarySchema),
    }),
    roles: OPERATOR,
  },
  previewFragments: {
    method: 'POST',
    path: '/fragments/preview',
    summary: 'Which Agents other texts would give new words, and which could not be resolved with them.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({
      from: fragmentPlaceSchema.default('project'),
      edits: z.array(fragmentEditSchema).min(1).max(20),
    }),
    maxBody: 4 * 1024 * 1024,
    answer: z.object({
      agents: z.array(fragmentReachSchema),
      /** Agents beyond those that are told one by one. */
      more: z.number().int(),
    }),
    roles: OPERATOR,
  },
} as const satisfies RouteTable;
