import * as z from '../zod.js';

export const webhookIdSchema = z.string().regex(/^whk_[0-9a-f]{16}$/, 'the id of a webhook');

/** What a webhook may answer. */
export const webhookAnswersSchema = z.enum(['question', 'approval']);

/** An address at which somebody outside may do one thing. Times are milliseconds since the epoch. */
export const webhookSchema = z.object({
  id: z.string(),
  /** Where deliveries are sent, below the address of the server. */
  path: z.string(),
  act: z.enum(['start', 'answer']),
  target: z.string(),
  /** Of one that starts runs of a sheet: the inputs that it sets, by name. */
  inputs: z.array(z.string()),
  /** Of one that starts runs: the JSON pointer of each input that a body fills. */
  takes: z.record(z.string(), z.string()),
  /** Of one that answers. */
  answers: z.array(webhookAnswersSchema),
  by: z.string(),
  addedAt: z.number(),
  /** Secrets that count, the newest first. */
  secrets: z.array(z.object({ addedAt: z.number(), expiresAt: z.number().nullable() })),
});

/** With a secret, told once. */
export const webhookToldSchema = webhookSchema.extend({ secret: z.string() });
