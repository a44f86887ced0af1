import * as z from '../zod.js';
import { fileChangeSchema, jsonSchema, timeSchema } from './base.js';

/** Something that only a person can settle, in a run of any kind. */
export const waitSchema = z.object({
  /** What an answer names. */
  id: z.string(),
  run: z.string(),
  /** The kind of run: `team`, `thread`, `workflow`. */
  kind: z.string(),
  /** What is run, such as `agent:counter`; null where the record does not say. */
  target: z.string().nullable(),
  /** Who in the run waits: the id of a node, and the name that people know it by. Null: the run itself. */
  lane: z.string().nullable(),
  name: z.string().nullable(),
  for: z.enum([
    'approval',
    'question',
    'outcome',
    'input',
    'loop',
    'budget',
    'hold',
    'failed',
    'left',
    'folder',
  ]),
  /** The call that is asked about or in doubt, with its very input. */
  tool: z.string(),
  input: jsonSchema,
  reason: z.string().nullable(),
  /** Only the words of the agent say what it is: it is allowed alone, never for the rest of the run. */
  claimed: z.literal(true).optional(),
  /** What shows it: the turns of a stall, the numbers of a budget. */
  evidence: jsonSchema.optional(),
  /** For an edit: what would become of which files. */
  changes: z.array(fileChangeSchema).optional(),
  since: timeSchema,
  expiresAt: timeSchema.nullable(),
  /** The forms that an answer may have. Words in capitals stand for what the person writes. */
  answers: z.array(z.string()),
  example: z.string(),
});

/** How a run of any kind stands: the document of `run --json`. */
export const reportSchema = z.object({
  run: z.string(),
  kind: z.string(),
  target: z.string().nullable(),
  /** The last event that this report knows: follow the run from here. */
  seq: z.number(),
  status: z.enum(['new', 'idle', 'running', 'waiting', 'done', 'failed', 'stopped']),
  /** Why it stands so, in one word where the kind has one. */
  reason: z.string().nullable(),
  /** What was said last, or what became of it. */
  text: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  turns: z.number(),
  /** A script has answered, not a model: whoever shows the run says so. */
  rehearsal: z.boolean(),
  usage: z.object({ turns: z.number(), tokens: z.number(), usd: z.number() }).nullable(),
  waits: z.array(waitSchema),
  /** What only this kind has: the messages of a thread, the step of a workflow. */
  detail: z.record(z.string(), jsonSchema),
});
