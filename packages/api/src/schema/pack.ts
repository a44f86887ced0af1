import * as z from '../zod.js';

const text = z.string().min(1).max(2_000);
const path = z.string().min(1).max(1_000);

/** What a node should know before it starts, as a person puts it together. */
export const packInputSchema = z.strictObject({
  /** The id of the command; left out, one is made. */
  id: z.string().min(1).max(200).optional(),
  goal: z.string().min(1).max(8_000),
  definitionOfDone: z.array(text).max(50).default([]),
  constraints: z.array(text).max(50).default([]),
  docRefs: z
    .array(z.strictObject({ path, excerpt: z.string().max(8_000).optional() }))
    .max(100)
    .default([]),
  relevantFiles: z
    .array(z.strictObject({ path, summary: z.string().max(4_000).optional() }))
    .max(200)
    .default([]),
  repoFacts: z.array(text).max(100).default([]),
  inputs: z.array(text).max(100).default([]),
});

/** A context pack that is kept: how to name it, and what of it had no room. */
export const keptPackSchema = z.object({ ref: z.string(), tokens: z.number(), leftOut: z.number() });
