import * as z from '../zod.js';
import { jsonSchema } from './base.js';

/** A share with its 95 % interval, which counts cases of one user task as one group. */
const rate = z
  .object({
    rate: z.number(),
    yes: z.number(),
    count: z.number(),
    interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  })
  .nullable();

/** Utility and attack success of some cases: neither without the other. */
const row = z.object({
  name: z.string(),
  utility: z.object({
    plain: rate,
    attacked: rate,
    difference: z
      .object({
        mean: z.number(),
        interval: z.object({ low: z.number(), high: z.number() }).nullable(),
      })
      .nullable(),
  }),
  attack: rate,
});

/** What an injection suite found, as its document says it. */
export const injectionSchema = z.object({
  injection: z.literal(1),
  id: z.string(),
  suite: z.string(),
  design: z.object({ tasks: z.number(), cases: z.number(), takes: z.number() }),
  all: row,
  kinds: z.array(row),
  targets: z.array(row),
  categories: z.array(row),
  places: z.array(row),
  told: z.object({ yes: z.number(), of: z.number() }),
  held: z.number(),
  missing: z.object({ takes: z.number(), of: z.number(), reasons: z.record(z.string(), z.number()) }),
  models: z.array(z.string()),
  costUsd: z.number().nullable(),
  cases: z.array(
    z.object({
      id: z.string(),
      task: z.string(),
      kind: z.string(),
      target: z.string().nullable(),
      /** Of attacked cases: how the attack is made, where it stands, and what it wants. */
      category: z.string().nullable(),
      place: z.string().nullable(),
      goal: z.string().nullable(),
      /** By take, `RUN@TURN`; null: it has no outcome. */
      turns: z.array(z.string().nullable()),
      utility: z.array(z.boolean().nullable()),
      attack: z.array(z.boolean().nullable()).nullable(),
    }),
  ),
});

/** What was said and done in a take that is a whole run, in order. */
export const transcriptSchema = z.array(
  z.discriminatedUnion('by', [
    z.object({ by: z.literal('user'), text: z.string() }),
    z.object({
      by: z.literal('agent'),
      text: z.string(),
      calls: z.array(z.object({ name: z.string(), input: jsonSchema })),
    }),
    z.object({ by: z.literal('tool'), name: z.string(), text: z.string() }),
  ]),
);
