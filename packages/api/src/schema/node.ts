import * as z from '../zod.js';
import { fileChangeSchema, jsonSchema, timeSchema } from './base.js';
import { capabilitiesSchema, envelopeSchema, permissionsSchema } from './graph.js';

/** What was spent of what, in one scope: a run or a node. `usd` is null where no price is known. */
export const budgetSchema = z.object({
  turns: z.object({ spent: z.number(), limit: z.number() }),
  tokens: z.object({ spent: z.number(), limit: z.number() }),
  usd: z.object({ spent: z.number(), limit: z.number().nullable() }),
});

/** Why a node or a run does not continue by itself, in a sentence, with what shows it. */
export const holdSchema = z.object({
  kind: z.enum(['person', 'budget', 'stall', 'failed', 'interrupted']),
  message: z.string(),
  code: z.string().optional(),
  by: z.string().optional(),
  evidence: jsonSchema.optional(),
});

/** What a node is doing right now. */
export const workSchema = z.object({
  number: z.number(),
  /** The id of the turn: its prompt is found under it. */
  turn: z.string(),
  prompt: z.enum(['full', 'delta']),
  /** Why the whole prompt was sent. */
  why: z.string().optional(),
  cause: z.string(),
  phase: z.enum(['speaking', 'waiting', 'calls', 'diff', 'verify']),
});

/** A node with all that waits for it. */
export const nodeSchema = z.object({
  id: z.string(),
  label: z.string(),
  alias: z.string().nullable(),
  role: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  orchestrator: z.boolean(),
  status: z.enum(['idle', 'running', 'blocked', 'failed']),
  depth: z.number(),
  parent: z.string().nullable(),
  /** `with`: it works in the folder of that node. */
  workspace: z.union([z.enum(['own', 'shared']), z.object({ with: z.string() })]),
  capabilities: capabilitiesSchema,
  permissions: permissionsSchema,
  /** Stands in the place of the role template's text. */
  prompt: z.string().nullable(),
  /** The last layer of every prompt. */
  override: z.string().nullable(),
  work: workSchema.nullable(),
  hold: holdSchema.nullable(),
  inbox: z.array(envelopeSchema),
  messages: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      by: z.string(),
      interrupt: z.boolean(),
      contextRef: z.string().optional(),
    }),
  ),
  /** Results of calls and checks that it is told at its next turn. */
  results: z.number(),
  session: z.object({ id: z.string().nullable(), broken: z.string().nullable() }),
  granted: z.array(z.string()),
  /** What the last check of its work said; null when it passed or there was none. */
  verification: z.string().nullable(),
  lastTurn: z.number(),
  budget: budgetSchema.nullable(),
});

/** Something that a person must answer. */
export const approvalSchema = z.object({
  run: z.string(),
  /** The kind of run that waits. */
  kind: z.string(),
  /** What is run, such as `workflow:workflows/request`; null for a team. */
  target: z.string().nullable(),
  /**
   * An approval or a question; what became of a call that a crash cut off; a word; a higher budget; that a failed run
   * continues, or one that no process works on; a folder that another node has.
   */
  for: z.enum(['approval', 'question', 'outcome', 'input', 'loop', 'budget', 'failed', 'left', 'folder']),
  id: z.string(),
  /** The id and alias of the node that waits. */
  node: z.string().nullable(),
  alias: z.string().nullable(),
  about: z.string(),
  tool: z.string(),
  /** The very input: the command, the file and its new text, the node to be made. */
  input: jsonSchema,
  reason: z.string().nullable(),
  askedAt: timeSchema,
  expiresAt: timeSchema.nullable(),
  /** The forms that an answer may have, where it is more than allow or deny. */
  answers: z.array(z.string()).optional(),
  /** A command line that answers it. */
  command: z.string(),
  status: z.enum(['waiting', 'allow', 'deny', 'change', 'expire', 'withdraw']),
  /** Who answered, and with what. */
  by: z.string().nullable(),
  changed: jsonSchema.optional(),
  message: z.string().optional(),
  grant: z.boolean().optional(),
  /** For an edit that waits: what would become of which files. Left out where it cannot be told whole. */
  changes: z.array(fileChangeSchema).optional(),
});
