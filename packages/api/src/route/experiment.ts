import { agentIdSchema as id } from '../schema/base.js';
import {
  experimentDraftSchema,
  experimentResultSchema,
  planLengthSchema,
  rolloutPlanSchema,
  rolloutStepSchema,
} from '../schema/platform.js';
import * as z from '../zod.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

const NAME = z.strictObject({ name: id });
const PEOPLE = ['platform:owner', 'platform:reviewer', 'platform:publisher', 'platform:auditor'];
const PUBLISHER = ['platform:publisher'];

/** What can be asked of experiments. */
export const EXPERIMENT_ROUTES = {
  planExperiment: {
    method: 'POST',
    path: '/platform/experiment-plan',
    summary:
      'How long an experiment would take: days, outcomes, power, and how soon harm is halted. Begins nothing.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({
      plan: rolloutPlanSchema.optional(),
      /** Those that are published when left out. */
      agents: z.int().min(0).max(10_000_000).optional(),
      share: z.number().min(0).max(1).default(0.5),
    }),
    answer: z.object({ length: planLengthSchema.nullable() }),
    roles: PEOPLE,
  },
  getExperiment: {
    method: 'GET',
    path: '/platform/experiments/{name}',
    summary: 'The result of an experiment so far, also after its end. It may be looked at every day.',
    params: NAME,
    query: NOTHING,
    answer: experimentResultSchema,
    roles: PEOPLE,
  },
  setExperiment: {
    method: 'PUT',
    path: '/platform/experiments/{name}',
    summary: 'Begins an experiment, or changes the share of one that runs.',
    params: NAME,
    query: NOTHING,
    body: experimentDraftSchema,
    answer: DONE,
    roles: PUBLISHER,
  },
  endExperiment: {
    method: 'DELETE',
    path: '/platform/experiments/{name}',
    summary: 'Ends an experiment: everybody gets the assigned version with the next publication.',
    params: NAME,
    query: NOTHING,
    answer: DONE,
    roles: PUBLISHER,
  },
  stepRollout: {
    method: 'POST',
    path: '/platform/experiments/{name}/rollout',
    summary:
      'The next step of an experiment, from what was counted: wider, back, or wait, and with `promote` everybody. The plan is fixed with the first step.',
    params: NAME,
    query: NOTHING,
    body: COMMAND.extend({
      plan: rolloutPlanSchema.optional(),
      dryRun: z.boolean().optional(),
      promote: z.boolean().optional(),
    }),
    answer: rolloutStepSchema,
    roles: PUBLISHER,
  },
  settleDays: {
    method: 'POST',
    path: '/platform/days',
    summary:
      'Counts every day that has ended and was not counted, and halts experiments whose candidate does harm.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND,
    answer: z.object({
      days: z.array(
        z.object({
          day: z.string(),
          outcomes: z.int(),
          repeated: z.boolean(),
          halted: z.array(z.object({ experiment: z.string(), metric: z.string() })),
        }),
      ),
    }),
    roles: PUBLISHER,
  },
} as const satisfies RouteTable;
