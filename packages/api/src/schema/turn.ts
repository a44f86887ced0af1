import * as z from '../zod.js';
import { jsonSchema, timeSchema } from './base.js';

/** A turn as a list shows it. */
export const turnSummarySchema = z.object({
  /** The id of the turn. */
  turn: z.string(),
  node: z.string(),
  number: z.number(),
  prompt: z.enum(['full', 'delta']),
  why: z.string().optional(),
  cause: z.string(),
  startedAt: timeSchema,
  endedAt: timeSchema.nullable(),
  /** Null while it runs. */
  reason: z.string().nullable(),
  /** What it said, without the lines that are calls; null until it is known. */
  text: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** What it changed; null where no diff was taken. */
  diff: z
    .object({ hash: z.string().nullable(), artifact: z.string().nullable(), files: z.array(z.string()) })
    .nullable(),
  /** Files that it changed against the rules, and that were set aside. */
  flagged: z.array(z.string()),
});

const place = { ref: z.string(), line: z.number().optional(), column: z.number().optional() };

/** Where a run of bytes of a block comes from. */
export const spanSchema = z.object({
  start: z.number(),
  end: z.number(),
  origin: z.object({
    kind: z.string(),
    ...place,
    subject: z.string().optional(),
    /** The include chain, outermost first. */
    via: z.array(z.object(place)).optional(),
  }),
  trust: z.string(),
  secrecy: z.string(),
  volatility: z.string(),
});

/** A block of a prompt, and what stands beside its text. */
const blockSchema = z.object({
  name: z.string(),
  role: z.string(),
  text: z.string(),
  hash: z.string(),
  spans: z.array(spanSchema),
  /** How many bytes at the end of its text are left out, where only the beginning of a prompt was asked for. */
  rest: z.number().optional(),
  /** The calls of an assistant's block, and which call a tool's block answers. */
  calls: z.array(z.object({ id: z.string(), name: z.string(), args: jsonSchema })).optional(),
  callId: z.string().optional(),
  /** Pictures and files beside the text. */
  media: z.array(z.object({ type: z.string(), bytes: z.number() })).optional(),
});

/** A prompt with the source of each byte, and what is sent beside it. */
export const requestSchema = z.object({
  /** Blocks joined by a blank line. */
  text: z.string(),
  /** Of the true text, also where confidential words are masked here. */
  hash: z.string(),
  masked: z.boolean(),
  blocks: z.array(blockSchema),
  /** Kinds of what was taken out beside the blocks' text; inside of it spans of the kind `redaction` tell. */
  removed: z.array(z.string()),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      /** JSON Schema of the arguments. */
      parameters: z.record(z.string(), jsonSchema).optional(),
    }),
  ),
  params: z.record(z.string(), jsonSchema),
});

/**
 * A prompt in which what spans share is told once: `sources` holds an origin without its line and column, with labels;
 * the spans of a block are numbers with a space between them, four for each span: its bytes, its source, its line and its
 * column, where 0 stands for one that is not known. A span begins where the one before it ends. The text is that of the
 * blocks.
 */
export const packedRequestSchema = requestSchema.omit({ text: true }).extend({
  blocks: z.array(blockSchema.extend({ spans: z.string() })),
  sources: z.array(
    spanSchema
      .omit({ start: true, end: true })
      .extend({ origin: spanSchema.shape.origin.omit({ line: true, column: true }) }),
  ),
});

/** What a turn was told, byte for byte from the record. */
export const turnSchema = z.object({
  turn: z.string(),
  lane: z.string(),
  at: timeSchema,
  provider: z.string(),
  model: z.string().nullable(),
  /** The full effective prompt. */
  full: requestSchema,
  /** What was really sent, where that was less. */
  delta: requestSchema.nullable(),
  /** The signed event that holds it: which key signed, and the signature. */
  receipt: z.object({ seq: z.number(), key: z.string(), signature: z.string(), hash: z.string() }),
  /** What the provider counted; null until it is over, or where it did not say. */
  usage: z.record(z.string(), z.number()).nullable(),
  /** Every send: channel, ordinal and hash of the bytes. */
  sends: z.array(z.object({ channel: z.string(), ordinal: z.number(), hash: z.string() })),
  end: z.object({ at: timeSchema, reason: z.string() }).nullable(),
  /** Content that was deleted on request. */
  forgotten: z.array(z.string()),
});

/** The same with packed spans: a tenth of the words for a long prompt. */
export const packedTurnSchema = turnSchema.extend({
  full: packedRequestSchema,
  delta: packedRequestSchema.nullable(),
});

/** How many tokens each block takes, in the order of the blocks; others than the model's maker count a little differently. */
export const turnTokensSchema = z.object({
  full: z.array(z.number()),
  delta: z.array(z.number()).nullable(),
  tools: z.number(),
  /** US dollars for a million tokens; null where no price is known. */
  price: z
    .object({ date: z.string(), input: z.number(), cachedInput: z.number(), output: z.number() })
    .nullable(),
});

/** The body that the provider was sent, tools and parameters included, with the source of each byte. */
export const turnWireSchema = z.object({
  /** The format that the body is written in, such as `anthropic`. */
  format: z.string(),
  text: z.string(),
  hash: z.string(),
  masked: z.boolean(),
  /** Whether these are the very bytes that were sent, by their hash. */
  sent: z.boolean(),
  spans: z.array(spanSchema),
});

/** What a check of all that is on record of the run says about a turn. */
export const turnProofSchema = z.object({
  ok: z.boolean(),
  events: z.number(),
  turns: z.number(),
  head: z.string().nullable(),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

/** The last commit that touched a line of the project, as it was when a turn was told; or why nobody can say. */
export const blameSchema = z.union([
  z.object({
    commit: z.string(),
    author: z.string(),
    /** ISO 8601 with the author's own offset. */
    date: z.string(),
    summary: z.string(),
    /** How the line is now. */
    now: z.enum(['same', 'changed', 'gone']),
  }),
  z.object({ note: z.string() }),
]);

/** The text of an artifact: a diff, a kept result, a context pack. */
export const artifactSchema = z.object({ hash: z.string(), text: z.string() });
