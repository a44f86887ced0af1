import { z } from 'zod';
import { agentIdSchema, jsonSchema, timeSchema } from './base.js';
import { publishedSchema } from './card.js';
import { placeRecordSchema } from './place.js';

const preset = z.object({ temperature: z.number(), max_tokens: z.number(), top_p: z.number() });
const interval = z.object({ low: z.number(), high: z.number() });
const arm = z.object({ count: z.int(), mean: z.number().nullable(), interval });

/** How the arms of one metric compare. */
const comparison = z.object({
  metric: z.string(),
  arms: z.object({ control: arm, candidate: arm }),
  /** Candidate minus control. */
  difference: interval,
  verdict: z.enum(['better', 'worse', 'open']),
});

const plan = {
  /** The share of agents at each stage, growing; the last is 1. */
  stages: z.array(z.number()).min(1).max(20),
  /** What has to be counted in each arm before a stage is left. */
  outcomes: z.int().min(1),
  metric: agentIdSchema,
  /** Metrics that must not get worse. */
  guards: z.array(agentIdSchema).max(20),
  margin: z.number().min(0).max(1),
};
const rolloutStatus = z.enum(['running', 'finished', 'rolled-back']);
const keptPlan = z.object({ ...plan, alpha: z.number().optional() });

/** How a candidate becomes the version of everybody. */
export const rolloutPlanSchema = z.strictObject(plan);

/** What one step of a rollout decided, and on what. */
export const rolloutStepSchema = z.object({
  experiment: z.string(),
  type: z.enum(['hold', 'advance', 'finish', 'roll-back']),
  status: rolloutStatus,
  from: z.number(),
  share: z.number(),
  /** The metric that decided, if one did. */
  metric: z.string().optional(),
  plan: keptPlan,
  comparisons: z.array(comparison),
});

const experiment = z.object({
  id: z.string(),
  scenario: z.string(),
  control: z.int(),
  candidate: z.int(),
  share: z.number(),
  rollout: z
    .object({
      plan: keptPlan,
      status: rolloutStatus,
      /** By metric, what had been counted when the stage began. */
      since: z.record(z.string(), z.object({ control: z.number(), candidate: z.number() })).optional(),
    })
    .optional(),
  outcomes: z.array(comparison),
});

const publicEvent = z.object({
  /** The Monday of its week, `2026-11-16`. */
  week: z.string(),
  event: z.object({
    theme: z.string(),
    description: z.string(),
    suggested_roles: z.array(z.string()),
    duration_days: z.number(),
    reward: z.string(),
  }),
  topic: z.string(),
  scenarioVersion: z.int(),
  preset,
  by: z.string(),
  at: timeSchema,
});

/** A platform at one look. */
export const platformSchema = z.object({
  name: z.string(),
  cards: z.int(),
  pending: z.int(),
  published: z.int(),
  admitted: z.int(),
  scenarios: z.array(
    z.object({
      id: z.string(),
      version: z.int(),
      side: z.enum(['agent', 'platform']),
      preset,
      placeholders: z.array(z.string()),
    }),
  ),
  places: z.array(placeRecordSchema),
  events: z.array(publicEvent),
  experiments: z.array(experiment),
});

/** What became of a publication. */
export const publishReportSchema = z.object({
  published: z.array(z.object({ agent: z.string(), version: z.int() })),
  unchanged: z.array(z.string()),
  /** Why others were left out. */
  left: z.array(z.object({ agent: z.string(), reason: z.enum(['pending', 'rejected', 'unsigned']) })),
});

/** What is published for an agent, and whether it verifies as the agent would verify it now. */
export const bundleViewSchema = z.object({
  agent: z.string(),
  published: publishedSchema.nullable(),
  /** Null: nothing is published. */
  verification: z
    .discriminatedUnion('ok', [
      z.object({
        ok: z.literal(true),
        cardVersion: z.int(),
        bundleVersion: z.int(),
        cohorts: z.record(z.string(), z.string()),
        scenarios: z.array(z.object({ id: z.string(), version: z.int(), preset })),
      }),
      z.object({ ok: z.literal(false), error: z.object({ code: z.string(), reason: z.string() }) }),
    ])
    .nullable(),
});

/** One entry of the platform's own record. */
export const auditEntrySchema = z.object({
  /** Hand it in as `after` for what follows. */
  position: z.int(),
  at: timeSchema,
  type: z.string(),
  agent: z.string().optional(),
  /** What the event of this type says. */
  data: z.record(z.string(), jsonSchema),
});

/** An object that an agent wrote. */
export const writtenObjectSchema = z.object({
  /** Hand it in to `ackFeed` when it is dealt with. */
  position: z.int(),
  at: timeSchema,
  agent: z.string(),
  key: z.string(),
});
