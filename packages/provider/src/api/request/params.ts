import { fail, ok, type Result } from '@cuebook/prompt';
import * as z from 'zod';

/** How much a model thinks before it answers, in the words that all vendors are mapped from. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

const count = z.number().int().positive();
const record = z.record(z.string(), z.unknown());

const SCHEMA = z.strictObject({
  /** Used when the session names none. */
  model: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count.optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: count.optional(),
  presencePenalty: z.number().min(-2).max(2).optional(),
  frequencyPenalty: z.number().min(-2).max(2).optional(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(16)]).optional(),
  seed: z.number().int().optional(),
  reasoningEffort: z.enum(REASONING_EFFORTS).optional(),
  /** The most tokens to think with; for a model that is not told a number, an effort that stands for it. */
  reasoningTokens: count.optional(),
  toolChoice: z
    .union([z.enum(['auto', 'none', 'required']), z.strictObject({ tool: z.string().min(1) })])
    .optional(),
  parallelToolCalls: z.boolean().optional(),
  responseFormat: z
    .union([z.enum(['text', 'json']), z.strictObject({ schema: record, name: z.string().optional() })])
    .optional(),
  /** By vendor: `{ openai: { serviceTier: 'flex' } }`. Handed on as it is. */
  providerOptions: z.record(z.string(), record).optional(),
});

/** The parameters that model APIs take. */
export type ApiParams = z.infer<typeof SCHEMA>;

/** Every unknown name and every value that does not fit, in one sentence. */
export function parseParams(params: Readonly<Record<string, unknown>>): Result<ApiParams, string> {
  const parsed = SCHEMA.safeParse(params);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.slice(0, 8).map(describeIssue);
  return fail(`${problems.join('; ')}. Known parameters: ${Object.keys(SCHEMA.shape).join(', ')}.`);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.slice(0, 8).join(', ')}`;
  return `${issue.path.join('.') || 'parameters'}: ${issue.message}`;
}
