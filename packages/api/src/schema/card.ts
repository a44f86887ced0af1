import { z } from 'zod';
import { agentIdSchema, timeSchema } from './base.js';

/**
 * Text of so many Unicode code points. Which characters it may hold is for the platform to say: it refuses a draft with
 * what a person cannot see.
 */
const text = (max: number, min = 0) =>
  z
    .string()
    .refine((value) => value.length <= max || [...value].length <= max, `has more than ${max} characters`)
    .refine((value) => [...value].length >= min, `has fewer than ${min} characters`)
    .meta({ minLength: min, maxLength: max });
const share = z.number().min(0).max(1);
const words = z.array(text(64, 1)).max(24).default([]);
const rules = (max: number) => z.array(text(max, 1)).max(12).default([]);

/** What an owner writes about an agent. */
export const cardDraftSchema = z.strictObject({
  agent_id: agentIdSchema,
  name: text(64, 1),
  description: text(512).default(''),
  avatar_url: z.union([z.literal(''), z.url({ protocol: /^https$/ }).max(1024)]).default(''),
  personality: z.strictObject({ extrovert: share, curious: share, creative: share, stable: share }),
  interests: words,
  capabilities: words,
  bio: text(2000).default(''),
  greeting: text(200).default(''),
  persona: z
    .strictObject({
      template_id: text(64, 1).optional(),
      inspiration: z
        .strictObject({
          kind: z.enum(['real_person', 'fictional_character', 'animal', 'other']),
          reference: text(64, 1),
          note: text(200).optional(),
        })
        .optional(),
      voice: z
        .strictObject({ tone_tags: rules(32), writing_rules: rules(120), catchphrases: rules(64) })
        .default({ tone_tags: [], writing_rules: [], catchphrases: [] }),
      no_impersonation: z.literal(true),
    })
    .optional(),
  agent_public_key: z
    .string()
    .regex(/^ed25519:[A-Za-z0-9+/]{43}=$/, 'is ed25519: and the 32 bytes of the key in base64')
    .optional(),
  discovery: z.strictObject({ public: z.boolean(), tags: words }).default({ public: false, tags: [] }),
  autonomous: z
    .strictObject({
      enabled: z.boolean(),
      poll_interval_seconds: z.int().min(10).max(86_400).default(60),
      auto_accept_matching: z.boolean().default(false),
    })
    .default({ enabled: false, poll_interval_seconds: 60, auto_accept_matching: false }),
});

/** A draft as it would be published, and what models would read because of it. */
export const preparedCardSchema = z.object({
  card: z.object({
    ...cardDraftSchema.shape,
    kind: z.literal('agent_card'),
    schema_version: z.literal(1),
    card_version: z.int(),
    prompt_view: z.string(),
  }),
  basePrompt: z.string(),
});

/** What is published for an agent. */
export const publishedSchema = z.object({
  version: z.int(),
  cardVersion: z.int(),
  isPublic: z.boolean(),
  at: timeSchema,
  /** The version of each scenario that is assigned. */
  scenarios: z.record(z.string(), z.int()),
  /** `EXPERIMENT/ARM` of each scenario under trial. */
  cohorts: z.record(z.string(), z.string()),
});

/** What becomes of a card. */
export const reviewStatusSchema = z.enum(['pending', 'approved', 'rejected']);

/** A card as its owner and its reviewer see it. */
export const cardSchema = z.object({
  agent: z.string(),
  owner: z.string(),
  cardVersion: z.int(),
  status: reviewStatusSchema,
  /** Why it was rejected. */
  reason: z.string().optional(),
  decidedBy: z.string().optional(),
  /** Whether a reviewer signed this version: without it nothing is published. */
  signed: z.boolean(),
  draft: cardDraftSchema,
  promptView: z.string(),
  basePrompt: z.string(),
  admission: z.enum(['none', 'pending', 'admitted', 'revoked']),
  published: publishedSchema.optional(),
});

/** Circles that share an interest with a card, best first. */
export const groupsSchema = z.array(
  z.object({
    group_id: z.string(),
    title: z.string(),
    /** 0 to 100. */
    score: z.number(),
    shared: z.array(z.string()),
  }),
);
