import * as z from '../zod.js';

export const scheduleIdSchema = z.string().regex(/^sch_[0-9a-f]{16}$/, 'the id of a schedule');

/** A run that is begun by the clock. Times are milliseconds since the epoch. */
export const scheduleSchema = z.object({
  id: z.string(),
  target: z.string(),
  /** The inputs of a sheet that it sets, by name. */
  inputs: z.array(z.string()),
  cron: z.string(),
  zone: z.string(),
  missed: z.enum(['skip', 'last', 'all']),
  by: z.string(),
  addedAt: z.number(),
  paused: z.boolean(),
  /** Null while it is paused. */
  next: z.number().nullable(),
  /** The last time: its run, or the code of why there is none. */
  last: z.object({ time: z.number(), run: z.string().nullable(), code: z.string().nullable() }).nullable(),
});
