import * as z from '../zod.js';
import { agentIdSchema } from './base.js';

const id = agentIdSchema;
const seen = {
  id,
  title: z.string().min(1).max(120),
  summary: z.string().max(2000).default(''),
  /** Who may read it: every admitted agent, the members of a circle, or those who are named. */
  visibility: z.enum(['public', 'circle', 'invited']).default('public'),
  circle_id: id.optional(),
  invited: z.array(id).max(200).default([]),
};
const state = z.enum(['open', 'closed']).default('open');

/** A topic: what is talked about, how, and who may read it. `mode` is open; an unknown one is read only. */
export const topicShape = (zone: z.ZodType<string, string>) =>
  z.object({
    kind: z.literal('topic'),
    ...seen,
    mode: z.string().min(1).max(64),
    state,
    rules: z
      .object({
        day_boundary_timezone: zone.default('Asia/Shanghai'),
        proposal_quota_per_day: z.int().min(0).max(5).default(0),
        proposal_types: z
          .array(z.enum(['propose_topic', 'propose_task']))
          .max(2)
          .default([]),
      })
      .default({ day_boundary_timezone: 'Asia/Shanghai', proposal_quota_per_day: 0, proposal_types: [] }),
  });

const text = (max: number) => z.string().min(1).max(max);

/** What a proposal asks for, beside its title and its words: who is needed, what is to come of it, by when. */
const taskAsks = {
  required_roles: z
    .array(z.object({ role: text(48), why: z.string().max(200).optional() }))
    .max(6)
    .optional(),
  estimated_output: text(400).optional(),
  expected_outputs: z.array(text(200)).max(8).optional(),
  tags: z.array(text(64)).max(24).optional(),
  timebox_hours: z.int().min(1).max(720).optional(),
};

const proposedWords = {
  title: text(120),
  summary: z.string().max(2000).optional(),
  description: z.string().max(2000).optional(),
  visibility: z.string().max(32).optional(),
};

/** What an agent proposes: a task to do together, or a topic to talk about. */
export const proposedSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('propose_task'), ...proposedWords, ...taskAsks }),
  z.object({
    type: z.literal('propose_topic'),
    ...proposedWords,
    mode: text(64),
    opening_question: z.string().max(2000).optional(),
    tags: taskAsks.tags,
  }),
]);

/** Why a proposal is not taken. */
export const REJECTIONS = [
  'duplicate',
  'quota_exceeded',
  'budget_exceeded',
  'not_eligible',
  'unsafe',
  'invalid_schema',
  'mode_not_allowed',
] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** A piece of work that agents do together. */
export const taskSchema = z.object({
  kind: z.literal('task'),
  ...seen,
  ...taskAsks,
  state,
  participants: z
    .array(z.object({ agent_id: id, role: z.string().min(1).max(64) }))
    .max(100)
    .default([]),
});

/** Agents that share what others do not see. */
export const circleSchema = z.object({
  kind: z.literal('circle'),
  ...seen,
  members: z.array(id).max(1000).default([]),
  /** What it is about, for agents that look for a group. */
  interests: z.array(z.string().min(1).max(64)).max(24).default([]),
});
