import { workerIdSchema, workSchema } from '../schema/worker.js';
import * as z from '../zod.js';
import { OPERATOR, VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

/** Who works on the runs of a project. */
export const WORKER_ROUTES = {
  getWork: {
    method: 'GET',
    path: '/workers',
    summary: 'The servers and workers that are up, what each has, and what is left to do.',
    params: NOTHING,
    query: NOTHING,
    answer: workSchema,
    roles: VIEWER,
  },
  drainWorker: {
    method: 'POST',
    path: '/workers/{worker}/drain',
    summary: 'Lets a worker take no more runs and end when its turns under way have ended.',
    params: z.strictObject({ worker: workerIdSchema }),
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: OPERATOR,
  },
} as const satisfies RouteTable;
