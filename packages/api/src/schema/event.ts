import * as z from '../zod.js';
import { jsonSchema, timeSchema } from './base.js';

/** What happened in a run, as the record has it. Confidential words are masked. */
export const runEventSchema = z.object({
  /** `RUN/SEQ`. */
  id: z.string(),
  run: z.string(),
  /** 1, 2, 3… within the run, without gaps: the cursor. */
  seq: z.number().int(),
  at: timeSchema,
  /** Past tense with a dot: `turn.ended`. */
  type: z.string(),
  data: jsonSchema,
  /** The command that caused it. */
  command: z.string(),
  /** The head of the run's chain behind this event. */
  hash: z.string(),
});

const block = { block: z.number() };
const runner = z.enum(['caller', 'agent']);

/** What a node's turn says while it speaks. */
export const turnEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn.start'),
    provider: z.string(),
    model: z.string().optional(),
    sessionId: z.string().optional(),
    rehearsal: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('text.delta'), ...block, text: z.string() }),
  z.object({ type: z.literal('reasoning.delta'), ...block, text: z.string() }),
  z.object({ type: z.literal('tool.start'), id: z.string(), name: z.string(), by: runner }),
  z.object({ type: z.literal('tool.delta'), id: z.string(), json: z.string() }),
  z.object({
    type: z.literal('tool.end'),
    id: z.string(),
    name: z.string(),
    by: runner,
    input: jsonSchema.optional(),
    badInput: z.string().optional(),
    output: z.string().optional(),
    isError: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('approval.request'),
    id: z.string(),
    tool: z.string(),
    input: jsonSchema,
    callId: z.string().optional(),
  }),
  z.object({ type: z.literal('usage'), usage: z.record(z.string(), z.number().optional()) }),
  z.object({ type: z.literal('log'), level: z.enum(['info', 'warning', 'error']), text: z.string() }),
  z.object({
    type: z.literal('turn.end'),
    reason: z.enum(['done', 'error', 'aborted', 'timeout', 'refused']),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        status: z.number().optional(),
        retryable: z.boolean(),
      })
      .optional(),
    stop: z.string().optional(),
  }),
]);

/** Live words of a node. They are in the record once the turn is over, whole; here some may be missed. */
export const liveEventSchema = z.object({
  run: z.string(),
  node: z.string(),
  /** What people know who speaks by, where that is another name. */
  name: z.string().optional(),
  /** The id of the turn. */
  turn: z.string(),
  event: turnEventSchema,
});

/** A page of the record. */
export const eventPageSchema = z.object({
  events: z.array(runEventSchema),
  /** The cursor for the next page. */
  after: z.number().int(),
  /** The last event of the run. */
  last: z.number().int(),
  more: z.boolean(),
});
