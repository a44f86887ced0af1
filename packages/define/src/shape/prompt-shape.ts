import { z } from 'zod';
import { count, definitionName, env, filled, flag, oneOf, schemaValue, variables } from './values.js';

const part = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), content: z.string('a string is needed') }),
    z.strictObject({ type: z.literal('include'), prompt: filled }),
    z.strictObject({ type: z.literal('env'), property: filled }),
  ],
  { error: 'a part is { type: "text", content }, { type: "include", prompt } or { type: "env", property }' },
);

const content = z.union([z.string(), z.array(part)], {
  error: (issue) => (Array.isArray(issue.input) ? undefined : 'a string or a list of parts is needed'),
});

const immediate = z.union([
  z.boolean(),
  z.strictObject({
    nameEnv: filled.optional(),
    descriptionEnv: filled.optional(),
    scopedEnv: z.array(filled).optional(),
  }),
]);

const resumable = z.union(
  [
    z.literal(false),
    z.strictObject({
      receives_messages: oneOf('side_a', 'side_b'),
      maxInstances: count.optional(),
      parentCommunication: oneOf('implicit', 'explicit').default('implicit'),
    }),
  ],
  'false or { receives_messages, … } is needed',
);

/** The three forms of configuration in one: which keys mean anything depends on what the name leads to. */
export const toolConfig = z.strictObject({
  name: filled,
  env: env.optional(),
  options: z.record(z.string(), z.unknown(), 'an object is needed').optional(),
  approval: oneOf('always', 'never').optional(),
  includeTextResponse: flag.optional(),
  includeToolCalls: flag.optional(),
  includeErrors: flag.optional(),
  initUserMessageProperty: filled.optional(),
  initAttachmentsProperty: filled.optional(),
  maxSteps: count.optional(),
  blocking: flag.optional(),
  initAgentNameProperty: filled.optional(),
  immediate: immediate.optional(),
  optional: filled.optional(),
  resumable: resumable.optional(),
});

const tool = z.unknown().transform((value, context): ToolEntry => {
  const parsed =
    typeof value === 'string' ? toolConfig.safeParse({ name: value }) : toolConfig.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    context.addIssue({ ...issue, message: issue.message, input: undefined } as never);
  return z.NEVER;
});

export type ToolEntry = z.infer<typeof toolConfig>;

/** `agents/prompts/*`, with every default filled in. */
export const promptShape = z.strictObject({
  name: definitionName,
  toolDescription: filled,
  prompt: content,
  model: filled,
  includeChat: flag.default(false),
  includePastTools: flag.default(false),
  parallelToolCalls: flag.default(false),
  toolChoice: oneOf('auto', 'none', 'required').default('auto'),
  requiredSchema: schemaValue.optional(),
  tools: z.array(tool, 'a list is needed').default([]),
  variables: variables.default([]),
  env: env.default({}),
  reasoning: z
    .strictObject(
      {
        effort: oneOf('low', 'medium', 'high').optional(),
        maxTokens: count.optional(),
        exclude: flag.optional(),
        include: flag.optional(),
      },
      'an object is needed',
    )
    .optional(),
  recentImageThreshold: count.default(10),
  temperature: z.number('a number is needed').min(0, 'from 0 to 2').max(2, 'from 0 to 2').optional(),
  maxOutputTokens: count.optional(),
  hooks: z.array(filled, 'a list is needed').optional(),
});

export type PromptData = z.infer<typeof promptShape>;
