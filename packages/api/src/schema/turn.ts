import { z } from 'zod';
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

/** A prompt with the source of each byte, and what is sent beside it. */
export const requestSchema = z.object({
  /** Blocks joined by a blank line. */
  text: z.string(),
  /** Of the true text, also where confidential words are masked here. */
  hash: z.string(),
  masked: z.boolean(),
  blocks: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      text: z.string(),
      hash: z.string(),
      spans: z.array(spanSchema),
    }),
  ),
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
  /** Every send: channel, ordinal and hash of the bytes. */
  sends: z.array(z.object({ channel: z.string(), ordinal: z.number(), hash: z.string() })),
  end: z.object({ at: timeSchema, reason: z.string() }).nullable(),
  /** Content that was deleted on request. */
  forgotten: z.array(z.string()),
});

/** The text of an artifact: a diff, a kept result, a context pack. */
export const artifactSchema = z.object({ hash: z.string(), text: z.string() });
