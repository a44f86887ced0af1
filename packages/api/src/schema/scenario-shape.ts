import * as z from '../zod.js';

/** The form of a JSON answer, as data, so that it can be signed with the template that asks for it. */
export type Shape =
  | { readonly type: 'object'; readonly members: Readonly<Record<string, Shape>> }
  | { readonly type: 'array'; readonly min: number; readonly max: number; readonly items: Shape }
  | { readonly type: 'string'; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | { readonly type: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'nullable'; readonly shape: Shape }
  /** Objects told apart by the text of one member. */
  | { readonly type: 'variant'; readonly on: string; readonly of: Readonly<Record<string, Shape>> };

const count = z.int().min(0).max(1_000_000);

const shape: z.ZodType<Shape> = z
  .lazy(() =>
    z.union([
      z.object({ type: z.literal('object'), members: z.record(z.string(), shape) }),
      z.object({ type: z.literal('array'), min: count, max: count, items: shape }),
      z.object({ type: z.literal('string'), min: count, max: count }),
      z.object({ type: z.literal('choice'), of: z.array(z.string()).min(1).max(64) }),
      z.object({ type: z.enum(['integer', 'number']), min: z.number(), max: z.number() }),
      z.object({ type: z.literal('nullable'), shape }),
      z.object({ type: z.literal('variant'), on: z.string(), of: z.record(z.string(), shape) }),
    ]),
  )
  .meta({ id: 'AnswerShape' });

const text = z.object({
  format: z.literal('text'),
  min: z.int().min(0),
  max: z.int().min(1),
  max_sentences: z.int().min(1).optional(),
  ends_with_question: z.boolean().optional(),
});

/** What an answer must be. */
export const outputContractSchema = z.union([text, z.object({ format: z.literal('json'), shape })]);

/** The parameters that go beside the prompt. */
export const presetSchema = z.strictObject({
  temperature: z.number().min(0).max(2),
  max_tokens: z.int().min(1).max(32_000),
  top_p: z.number().min(0).max(1),
});

/** Text that a template leaves open. */
export const placeholderSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  kind: z.enum(['view', 'text', 'score', 'date']),
  trust: z.enum(['platform', 'author', 'operator', 'user', 'agent', 'tool', 'external']),
  required: z.boolean(),
  example: z.string().max(2000),
});

/** A version of a scenario, whole. */
export const scenarioShape = {
  id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  version: z.int().min(1),
  side: z.enum(['agent', 'platform']),
  summary: z.string().max(500),
  placeholders: z.array(placeholderSchema).max(32),
  preset: presetSchema,
  output: outputContractSchema,
  template: z.string().max(64_000),
};
