import {
  definePrompt,
  type PromptContent,
  type PromptDefinition,
  type PromptIncludePart,
  type PromptInput,
  type PromptPart,
  type PromptTextPart,
  type ReasoningConfig,
  type StructuredPrompt,
  type SubagentToolConfig,
  type SubpromptConfig,
  type ToolArgs,
  type ToolConfig,
} from '@cuebook/define';
import { z } from 'zod';

// Every type of the reference, by its name and with its shape.

const text: PromptTextPart = { type: 'text', content: 'Be kind.' };
const include: PromptIncludePart = { type: 'include', prompt: 'rules' };
const parts: readonly PromptPart[] = [text, include];
const structured: StructuredPrompt = parts;
const contents: readonly PromptContent[] = ['Be kind.', structured];

const tool: ToolConfig<'look_up'> = { name: 'look_up', env: { SHOP: 'a' }, options: { deep: [1] } };
const subprompt: SubpromptConfig<'rules'> = {
  name: 'rules',
  includeTextResponse: true,
  includeToolCalls: false,
  includeErrors: true,
  initUserMessageProperty: 'query',
  initAttachmentsProperty: 'image',
};
const subagents: readonly SubagentToolConfig<'pair'>[] = [
  {
    name: 'pair',
    blocking: false,
    initUserMessageProperty: 'task',
    initAttachmentsProperty: 'files',
    initAgentNameProperty: 'who',
    immediate: { nameEnv: 'WHO', descriptionEnv: 'TASK', scopedEnv: ['PASS'] },
    optional: 'WITH_PAIR',
    resumable: { receives_messages: 'side_b', maxInstances: 2, parentCommunication: 'explicit' },
  },
  { name: 'pair', immediate: true, resumable: false },
];
const reasoning: ReasoningConfig = { effort: 'medium', maxTokens: 1, exclude: false, include: true };

const schema = z.object({ query: z.string() }) satisfies ToolArgs;
const whole: PromptDefinition<'search', typeof schema> = {
  name: 'search',
  toolDescription: 'Searches',
  prompt: structured,
  model: 'fast',
  includeChat: true,
  includePastTools: true,
  parallelToolCalls: true,
  toolChoice: 'required',
  requiredSchema: schema,
  tools: ['look_up', tool, subprompt, ...subagents],
  variables: [{ name: 'SHOP', type: 'secret', required: false, description: 'Which shop' }],
  env: { SHOP: 'a' },
  reasoning,
  recentImageThreshold: 1,
  hooks: ['short'],
};
const defined: PromptDefinition<'search', typeof schema> = definePrompt(whole);
const input: PromptInput<typeof defined> = { query: 'x' };

export default [contents, defined, input];
