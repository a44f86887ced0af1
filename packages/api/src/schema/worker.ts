import * as z from '../zod.js';

export const workerIdSchema = z.string().regex(/^(?:server|worker)-[0-9a-f]{10}$/, 'the id of a worker');

/** A server or worker that is up. Times are milliseconds since the epoch. */
export const workerSchema = z.object({
  id: z.string(),
  role: z.enum(['server', 'worker']),
  /** The version of the program. */
  version: z.string(),
  /** The name of its machine among those of the project, and the number of its process there. */
  machine: z.string(),
  pid: z.number(),
  startedAt: z.number(),
  /** Runs at a time; null where one process has all of them. */
  slots: z.number().nullable(),
  kinds: z.array(z.string()),
  labels: z.array(z.string()),
  /** The runs that it has taken, at most 200. */
  runs: z.array(z.string()),
  /** It takes no more runs, and ends when those that it has stand still. */
  draining: z.boolean(),
  /** Whether it is the one that was asked. */
  isAsked: z.boolean(),
});

/** Who works on the runs of a project, and what is left to do. */
export const workSchema = z.object({
  workers: z.array(workerSchema),
  /** Whether other machines may join: the records are in a database. */
  isShared: z.boolean(),
  /** Runs of which work is open, by kind. */
  running: z.array(z.object({ kind: z.string(), count: z.number() })),
  /** Runs that are due and that nobody has taken, by kind and label, and how long the first has waited. */
  queued: z.array(
    z.object({ kind: z.string(), label: z.string().nullable(), count: z.number(), oldestMs: z.number() }),
  ),
  /** What waits for a person, by what is waited for. */
  waits: z.array(z.object({ for: z.string(), count: z.number() })),
  /** How long the oldest approval or question has waited; 0: there is none. */
  oldestApprovalMs: z.number(),
});
