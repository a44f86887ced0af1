import * as z from '../zod.js';
import { diagnosticSchema, timeSchema } from './base.js';
import { edgeSchema, pendingReplySchema } from './graph.js';
import { approvalSchema, budgetSchema, holdSchema, nodeSchema } from './node.js';

/** What becomes of a run. */
export const runStatusSchema = z.enum(['new', 'running', 'paused', 'completed', 'failed', 'stopped']);

/** The same in a list of runs of every kind. */
export const listStatusSchema = z.enum([...runStatusSchema.options, 'idle', 'waiting']);

/** Something that only a person can settle. */
export const needSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approval'), approval: approvalSchema }),
  z.object({ kind: z.literal('hold'), node: z.string(), hold: holdSchema }),
  /** After a crash nobody knows whether it was done. */
  z.object({ kind: z.literal('outcome'), effect: z.string(), node: z.string().nullable() }),
  z.object({ kind: z.literal('pause'), pause: holdSchema }),
]);

/** A run as a list shows it. */
export const runSummarySchema = z.object({
  run: z.string(),
  /** `team`, `thread`, `workflow`. */
  kind: z.string(),
  /** What is run, such as `agent:counter`; null for a team. */
  target: z.string().nullable(),
  status: listStatusSchema,
  goal: z.string().nullable(),
  startedAt: timeSchema,
  lastAt: timeSchema,
  seq: z.number(),
  nodes: z.number(),
  turns: z.number(),
  /** How many things wait for a person. */
  needs: z.number(),
  /** A script speaks, not a model: every screen says so. */
  rehearsal: z.boolean(),
});

/** What bounds a run. */
export const limitsSchema = z.object({
  /** Turns at the same time. */
  parallel: z.number(),
  /** The same, by provider. */
  perProvider: z.record(z.string(), z.number()),
  nodes: z.number(),
  depth: z.number(),
  /** Handoffs that may wait for one node. */
  inbox: z.number(),
  /** How long a person has to answer an approval; 0: for ever. Left out: as the server says. */
  approvalMinutes: z.number().optional(),
});

/** The same as a person sets it: what is left out stays as it is. */
export const limitsInputSchema = z.strictObject({
  parallel: z.number().int().min(1).max(256).optional(),
  perProvider: z.record(z.string().max(64), z.number().int().min(1).max(256)).optional(),
  nodes: z.number().int().min(1).max(500).optional(),
  depth: z.number().int().min(0).max(10).optional(),
  inbox: z.number().int().min(1).max(10_000).optional(),
  approvalMinutes: z.number().min(0).max(525_600).optional(),
});

/** What a node owes before a run can be done. */
export const owedSchema = z.object({
  node: z.string(),
  turn: z.number(),
  what: z.array(z.enum(['turn', 'diff', 'checks'])),
});

/** A run. */
export const runSchema = z.object({
  run: z.string(),
  /** The last event that this view knows: follow the run from here. */
  seq: z.number(),
  status: runStatusSchema,
  pause: holdSchema.nullable(),
  mode: z.enum(['AUTO', 'INTERACTIVE']),
  globalMode: z.enum(['PLANNING', 'IMPLEMENTATION']),
  goal: z.string().nullable(),
  done: z.array(z.string()),
  verify: z.array(z.string()),
  rehearsal: z.boolean(),
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
  replies: z.array(pendingReplySchema),
  needs: z.array(needSchema),
  budget: budgetSchema.nullable(),
  turns: z.number(),
  /** Nothing happens any more without a person. */
  quiet: z.boolean(),
  limits: limitsSchema,
  /** Somebody has said that the run is done, and what is waited for. */
  finishing: z.object({ summary: z.string(), by: z.string(), waits: z.array(owedSchema) }).nullable(),
  result: z
    .object({
      ok: z.boolean(),
      summary: z.string(),
      by: z.string(),
      failing: z.array(z.string()),
      /** What was waited for before the end. */
      waited: z.array(owedSchema).optional(),
    })
    .nullable(),
});

/** What starting a run answers. */
export const startedSchema = z.object({ run: z.string(), diagnostics: z.array(diagnosticSchema) });
