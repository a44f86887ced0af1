import { budgetSchema, inputsSchema, textSchema } from '../schema/base.js';
import { scheduleIdSchema, scheduleSchema } from '../schema/schedule.js';
import * as z from '../zod.js';
import { OPERATOR, VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

const SCHEDULE_PARAMS = z.strictObject({ schedule: scheduleIdSchema });

/** Runs that are begun by the clock. */
export const SCHEDULE_ROUTES = {
  listSchedules: {
    method: 'GET',
    path: '/schedules',
    summary: 'All schedules, with the next time of each and the result of the last.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ schedules: z.array(scheduleSchema) }),
    roles: VIEWER,
  },
  addSchedule: {
    method: 'POST',
    path: '/schedules',
    summary: 'Begins a run of a target at times. Each time is one run, however many servers there are.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      target: z.string().min(1).max(1_000),
      /** Minute, hour, day of the month, month, day of the week. */
      cron: z.string().min(1).max(200),
      zone: z.string().min(1).max(100).default('UTC'),
      /** Which of the times at which no server was up are made up. */
      missed: z.enum(['skip', 'last', 'all']).default('skip'),
      input: textSchema.optional(),
      inputs: inputsSchema.optional(),
      budget: budgetSchema.optional(),
      provider: z.string().min(1).max(200).optional(),
      model: z.string().min(1).max(200).optional(),
      /** What the rehearsal says: the text of a script. */
      script: z.string().min(1).max(500_000).optional(),
    }),
    answer: scheduleSchema,
    status: 201,
    roles: OPERATOR,
  },
  removeSchedule: {
    method: 'DELETE',
    path: '/schedules/{schedule}',
    summary: 'Deletes a schedule. Runs that it started continue.',
    params: SCHEDULE_PARAMS,
    query: NOTHING,
    answer: DONE,
    roles: OPERATOR,
  },
  pauseSchedule: {
    method: 'POST',
    path: '/schedules/{schedule}/pause',
    summary: 'Begins nothing until it is resumed. Times in between are not made up.',
    params: SCHEDULE_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: scheduleSchema,
    roles: OPERATOR,
  },
  resumeSchedule: {
    method: 'POST',
    path: '/schedules/{schedule}/resume',
    summary: 'Goes on after a pause, with the next time.',
    params: SCHEDULE_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: scheduleSchema,
    roles: OPERATOR,
  },
} as const satisfies RouteTable;
