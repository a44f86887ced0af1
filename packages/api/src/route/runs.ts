import { budgetSchema, inputsSchema, jsonSchema, partIdSchema, textSchema } from '../schema/base.js';
import {
  limitsInputSchema,
  listStatusSchema,
  runSchema,
  runSummarySchema,
  startedSchema,
} from '../schema/run.js';
import * as z from '../zod.js';
import { OPERATOR, REVIEWER, VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

const path = z.string().min(1).max(1_000);

/** Starting, looking at and steering runs. */
export const RUN_ROUTES = {
  listRuns: {
    method: 'GET',
    path: '/runs',
    summary: 'Runs of every kind, the newest first.',
    params: NOTHING,
    query: z.strictObject({
      status: listStatusSchema.optional(),
      /** `team`, `thread`, `workflow`. */
      kind: z.string().min(1).max(50).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      /** A run of the page before. */
      before: z.string().max(100).optional(),
    }),
    answer: z.object({ runs: z.array(runSummarySchema), next: z.string().nullable() }),
    roles: VIEWER,
  },
  startRun: {
    method: 'POST',
    path: '/runs',
    summary: 'Starts a run of a target, such as `agent:NAME`, or of a team by its file or its text.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      /** `agent:NAME`, `prompt:NAME`, `workflow:DIR#ID`, `team:FILE`. */
      target: z.string().min(1).max(1_000).optional(),
      /** In the place of a target. */
      team: z
        .union([z.strictObject({ file: path }), z.strictObject({ text: z.string().min(1).max(1_000_000) })])
        .optional(),
      /** What is said first; of a team its goal. */
      input: textSchema.optional(),
      inputs: inputsSchema.optional(),
      budget: budgetSchema.optional(),
      provider: z.string().min(1).max(200).optional(),
      model: z.string().min(1).max(200).optional(),
      /** Only a worker that has this label takes it. */
      label: z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)
        .optional(),
      /** What only this kind of run takes: the page of the kind says what. */
      options: z.record(z.string().max(100), jsonSchema).optional(),
      goal: textSchema.optional(),
      /** What bounds the run, over what the project and the team file say. */
      limits: limitsInputSchema.optional(),
      /** What the rehearsal says: the text of a script. */
      script: z.string().min(1).max(8_000_000).optional(),
    }),
    answer: startedSchema,
    status: 201,
    maxBody: 16 * 1024 * 1024,
    roles: OPERATOR,
  },
  getRun: {
    method: 'GET',
    path: '/runs/{run}',
    summary: 'A run: nodes, edges, budget, and what waits for a person.',
    params: RUN_PARAMS,
    query: NOTHING,
    answer: runSchema,
    roles: VIEWER,
  },
  pauseRun: {
    method: 'POST',
    path: '/runs/{run}/pause',
    summary: 'Nothing new begins; with `interrupt` the turns in flight are ended.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({ interrupt: z.boolean().optional() }),
    answer: DONE,
    roles: OPERATOR,
  },
  resumeRun: {
    method: 'POST',
    path: '/runs/{run}/resume',
    summary: 'Goes on after a pause.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: OPERATOR,
  },
  stopRun: {
    method: 'POST',
    path: '/runs/{run}/stop',
    summary: 'Ends the run without a result.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: OPERATOR,
  },
  finishRun: {
    method: 'POST',
    path: '/runs/{run}/finish',
    summary: 'A person says that the run is done, or cannot be.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({ ok: z.boolean(), summary: z.string().max(8_000) }),
    answer: DONE,
    roles: OPERATOR,
  },
  setMode: {
    method: 'POST',
    path: '/runs/{run}/mode',
    summary: 'Changes the modes, from the next turn of each node on.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      mode: z.enum(['AUTO', 'INTERACTIVE']).optional(),
      globalMode: z.enum(['PLANNING', 'IMPLEMENTATION']).optional(),
    }),
    answer: DONE,
    roles: OPERATOR,
  },
  setLimits: {
    method: 'POST',
    path: '/runs/{run}/limits',
    summary: 'Changes what bounds the run, from now on: turns at once, nodes, how long an approval waits.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend(limitsInputSchema.shape),
    answer: DONE,
    roles: OPERATOR,
  },
  raiseBudget: {
    method: 'POST',
    path: '/runs/{run}/budget',
    summary: 'Raises the budget of the run, or of one node.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      /** The id or alias of a node; left out: the whole run. */
      node: z.string().min(1).max(200).optional(),
      ...budgetSchema.shape,
    }),
    answer: DONE,
    roles: OPERATOR,
  },
  resolveDoubt: {
    method: 'POST',
    path: '/runs/{run}/doubts/{effect}',
    summary: 'Says what happened to an effect that was under way when the server died.',
    params: RUN_PARAMS.extend({ effect: partIdSchema }),
    query: NOTHING,
    body: COMMAND.extend({
      /** `not-done`: it is done again. */
      outcome: z.union([
        z.literal('not-done'),
        z.strictObject({ ok: z.literal(true), output: jsonSchema }),
        z.strictObject({
          ok: z.literal(false),
          error: z.strictObject({ code: z.string().min(1).max(100), message: z.string().max(2_000) }),
        }),
      ]),
    }),
    answer: DONE,
    roles: REVIEWER,
  },
} as const satisfies RouteTable;
