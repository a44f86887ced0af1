import { jsonSchema, runIdSchema, textSchema } from '../schema/base.js';
import { reportSchema, waitSchema } from '../schema/wait.js';
import * as z from '../zod.js';
import { OPERATOR, REVIEWER, VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

const lane = z.string().min(1).max(200).optional();

const versionSchema = z.object({
  /** The commit that was checked out; null outside a repository. */
  commit: z.string().nullable(),
  /** Where in the repository the project's folder is; null: at its top. */
  within: z.string().nullable(),
  /** They are those of a folder, which may have had edits beside the commit; false: exactly those of the commit. */
  folder: z.boolean(),
});

/** The versions that a run was moved between; `from` is null where the run had kept no sources. */
const updatedSchema = z.object({ from: versionSchema.nullable(), to: versionSchema });

/** What can be asked of runs of every kind. */
export const HOST_ROUTES = {
  getReport: {
    method: 'GET',
    path: '/runs/{run}/report',
    summary: 'How a run of any kind stands, with what waits for a person.',
    params: RUN_PARAMS,
    query: NOTHING,
    answer: reportSchema,
    roles: VIEWER,
  },
  listWaiting: {
    method: 'GET',
    path: '/waiting',
    summary: 'What waits for a person in runs of every kind, the oldest first.',
    params: NOTHING,
    query: z.strictObject({ run: runIdSchema.optional() }),
    answer: z.object({ waiting: z.array(waitSchema) }),
    roles: VIEWER,
  },
  answerWait: {
    method: 'POST',
    path: '/waiting',
    summary: 'Answers something that waits: with words in one of its forms, or with a decision.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      run: runIdSchema,
      /** The id of what waits. */
      wait: z.string().min(1).max(300),
      reply: z.union([
        z.strictObject({ texts: z.array(z.string().max(64_000)).min(1).max(100) }),
        z.strictObject({ decision: z.literal('allow'), grant: z.boolean().optional() }),
        z.strictObject({ decision: z.literal('deny'), message: z.string().max(2_000).optional() }),
        z.strictObject({ decision: z.literal('change'), input: jsonSchema }),
      ]),
    }),
    answer: DONE,
    roles: REVIEWER,
  },
  say: {
    method: 'POST',
    path: '/runs/{run}/say',
    summary: 'Says something to a run, or to one node of a team.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      text: textSchema,
      lane,
      /** Files of the project. */
      attachments: z.array(z.string().min(1).max(1_000)).max(100).optional(),
    }),
    answer: DONE,
    roles: OPERATOR,
  },
  updateRun: {
    method: 'POST',
    path: '/runs/{run}/update',
    summary: 'Moves a run to other sources: turns that begin from now on use them.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      /** A git revision of the project; left out: the project's folder as it is now. */
      to: z.string().min(1).max(200).optional(),
    }),
    answer: updatedSchema,
    roles: OPERATOR,
  },
  interrupt: {
    method: 'POST',
    path: '/runs/{run}/interrupt',
    summary: 'Ends the turn under way; the run then waits for a person.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({ lane }),
    answer: DONE,
    roles: OPERATOR,
  },
} as const satisfies RouteTable;
