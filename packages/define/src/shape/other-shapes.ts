import { z } from 'zod';
import { HOOK_KINDS } from '../definition/hook.js';
import {
  count,
  definitionName,
  env,
  filled,
  flag,
  functionValue,
  oneOf,
  price,
  schemaValue,
  variables,
} from './values.js';

const approval = z.union([z.enum(['always', 'never']), functionValue.transform(() => 'function' as const)], {
  error: "'always', 'never' or a function is needed",
});

/** `agents/tools/*` */
export const toolShape = z.strictObject({
  description: filled,
  args: schemaValue.optional(),
  variables: variables.default([]),
  idempotent: flag.default(false),
  approval: approval.default('never'),
  execute: functionValue,
});

const provider = z.union([filled, functionValue.transform(({ $fn }) => $fn)], {
  error: 'the name of a provider is needed',
});

/** `agents/models/*` */
export const modelShape = z.strictObject({
  name: definitionName,
  provider,
  model: filled,
  fallbacks: z.array(filled, 'a list is needed').default([]),
  includedProviders: z.array(filled).optional(),
  inputPrice: price.optional(),
  outputPrice: price.optional(),
  cachedPrice: price.optional(),
  capabilities: z
    .strictObject(
      {
        vision: flag.optional(),
        reasoning: flag.optional(),
        toolCalls: flag.optional(),
        contextLength: count.optional(),
        maxOutputTokens: count.optional(),
      },
      'an object is needed',
    )
    .default({}),
  providerOptions: z.record(z.string(), z.unknown()).optional(),
  providerTools: z.array(filled).optional(),
});

const sessionTool = z.union(
  [
    filled.transform((name) => ({ name })),
    z.strictObject({
      name: filled,
      messageProperty: filled.optional(),
      attachmentsProperty: filled.optional(),
    }),
  ],
  'a tool or { name, messageProperty } is needed',
);

const side = z.strictObject(
  {
    prompt: filled,
    label: z.string().optional(),
    stopOnResponse: flag.default(true),
    stopTool: filled.optional(),
    stopToolResponseProperty: filled.optional(),
    maxSteps: count.optional(),
    sessionStop: sessionTool.optional(),
    sessionFail: sessionTool.optional(),
    sessionStatus: sessionTool.optional(),
    // Names that older files use for the three above.
    endSessionTool: sessionTool.optional(),
    failSessionTool: sessionTool.optional(),
    statusTool: sessionTool.optional(),
  },
  'a side is { prompt, … }',
);

/** `agents/agents/*` */
export const agentShape = z.strictObject({
  name: definitionName,
  type: oneOf('ai_human', 'dual_ai').default('ai_human'),
  sideA: side,
  sideB: side.optional(),
  maxSessionTurns: count.optional(),
  exposeAsTool: flag.default(false),
  toolDescription: filled.optional(),
  description: z.string().optional(),
  title: z.string().optional(),
  icon: z.string().optional(),
  env: env.default({}),
  variables: variables.default([]),
  hooks: z.array(filled, 'a list is needed').default([]),
});

/** `agents/hooks/*` */
export const hookShape = z.strictObject({
  hook: oneOf(...HOOK_KINDS),
  id: definitionName,
  execute: functionValue,
});

export type ToolData = z.infer<typeof toolShape>;
export type ModelData = z.infer<typeof modelShape>;
export type AgentData = z.infer<typeof agentShape>;
export type SideData = z.infer<typeof side>;
export type HookData = z.infer<typeof hookShape>;
