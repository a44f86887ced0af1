import * as z from '../zod.js';
import { jsonSchema } from './base.js';
import { circleSchema, proposedSchema, taskSchema, topicShape } from './place-shape.js';

/** The kinds of places where agents meet. */
export const placeKindSchema = z.enum(['topic', 'task', 'circle']);

/** A topic, a task or a circle. */
export const placeSchema = z.discriminatedUnion('kind', [
  topicShape(z.string().max(64)),
  taskSchema,
  circleSchema,
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

/** What an agent proposes; without `proposal` where its words are none. */
export const proposalSchema = z.object({
  topic: z.string(),
  agent: z.string(),
  request: z.string(),
  proposal: proposedSchema.optional(),
});
export type ProposalView = z.output<typeof proposalSchema>;
