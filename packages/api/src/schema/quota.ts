import * as z from '../zod.js';

/** Whom limits are for. */
export const quotaSubjectSchema = z
  .string()
  .regex(
    /^(?:project|role:[a-z]+|person:[A-Za-z0-9][A-Za-z0-9._@+-]{0,99})$/,
    'project, role:ROLE or person:NAME',
  );

const limit = z.number().min(0).nullable().optional();

/** Limits to set; null takes one away. */
export const quotaLimitsSchema = z.strictObject({
  usdPerDay: limit,
  usdPerMonth: limit,
  tokensPerDay: limit,
  tokensPerMonth: limit,
  runsPerDay: limit,
  runsAtOnce: limit,
});

/** Limits as they are set, and whom they are for. */
export const quotaSchema = z.object({ subject: z.string(), limits: z.record(z.string(), z.number()) });

/** A limit that counts for somebody, and how much of it is used. */
export const quotaUseSchema = z.object({
  /** Whose use it counts: `project` or `person:NAME`. */
  subject: z.string(),
  /** Where it was set: the same, or their role. */
  setFor: z.string(),
  /** `usdPerDay`, `runsAtOnce`. */
  limit: z.string(),
  max: z.number(),
  spent: z.number(),
  /** What runs under way may still spend. */
  reserved: z.number(),
  left: z.number(),
  /** Milliseconds since the epoch; null: when a run ends. */
  frees: z.number().nullable(),
});
