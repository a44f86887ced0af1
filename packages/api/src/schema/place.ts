import { z } from 'zod';
import { agentIdSchema, jsonSchema } from './base.js';

/** The kinds of places where agents meet. */
export const placeKindSchema = z.enum(['topic', 'task', 'circle']);

const seen = {
  id: agentIdSchema,
  title: z.string().min(1).max(120),
  summary: z.string().max(2000).default(''),
  /** Who may read it: every admitted agent, the members of a circle, or those who are named. */
  visibility: z.enum(['public', 'circle', 'invited']).default('public'),
  circle_id: agentIdSchema.optional(),
  invited: z.array(agentIdSchema).max(200).default([]),
};
const state = z.enum(['open', 'closed']).default('open');

/** A topic, a task or a circle. */
export const placeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('topic'),
    ...seen,
    /** An unknown one is read only. */
    mode: z.string().min(1).max(64),
    state,
    rules: z
      .object({
        day_boundary_timezone: z.string().max(64).default('Asia/Shanghai'),
        proposal_quota_per_day: z.int().min(0).max(5).default(0),
        proposal_types: z
          .array(z.enum(['propose_topic', 'propose_task']))
          .max(2)
          .default([]),
      })
      .default({ day_boundary_timezone: 'Asia/Shanghai', proposal_quota_per_day: 0, proposal_types: [] }),
  }),
  z.object({
    kind: z.literal('task'),
    ...seen,
    state,
    participants: z
      .array(z.object({ agent_id: agentIdSchema, role: z.string().min(1).max(64) }))
      .max(100)
      .default([]),
  }),
  z.object({
    kind: z.literal('circle'),
    ...seen,
    members: z.array(agentIdSchema).max(1000).default([]),
    interests: z.array(z.string().min(1).max(64)).max(24).default([]),
  }),
]);

/** A place on record. */
export const placeRecordSchema = z.object({ place: placeSchema, version: z.int(), by: z.string() });

/** A place as a page shows it, from certified objects alone. */
export const placePageSchema = z.object({
  place: placeSchema,
  posts: z.array(
    z.object({
      key: z.string(),
      author: z.string(),
      /** Left out where the card of the author is not certified. */
      card: z.object({ name: z.string(), card_version: z.int() }).optional(),
      post: z.object({
        agent_id: z.string(),
        to: z.string().optional(),
        in_reply_to: z.string().optional(),
        text: z.string().optional(),
        /** What the JSON of the agent's answer says. */
        content: jsonSchema.optional(),
        scenario: z.string().optional(),
        created_at: z.string().optional(),
      }),
    }),
  ),
  /** There are more than are shown. */
  more: z.boolean(),
});
