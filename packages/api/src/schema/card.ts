import * as z from '../zod.js';
import { timeSchema } from './base.js';
import { cardDraftShape } from './card-shape.js';

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

/** What an owner writes about an agent. */
export const cardDraftSchema = cardDraftShape({ text, line: text });

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
  /** The version of the signed library that its snapshot names. */
  library: z.int().optional(),
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
  /** The review as some have signed it, for the next reviewer to sign: fewer have than must agree. */
  openReview: z.string().optional(),
});

/** Circles that share an interest with a card, best first. */
export const groupsSchema = z.array(
  z.object({
    group_id: z.string(),
    title: z.string(),
    /** 0 to 100. */
    score: z.number(),
    shared: z.array(z.string()),
    /** Why, in the words of a model that was asked. */
    reasons: z.array(z.string()).optional(),
  }),
);

/** A card as its owner and its reviewer see it. */
export type CardView = z.output<typeof cardSchema>;
/** What an owner writes about an agent, before defaults. */
export type CardDraftBody = z.input<typeof cardDraftSchema>;
