import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { defineTypes } from '../../../../scripts/define-types.mjs';
import { ROOT } from '../../../../test/root.js';
import { folderWith } from '../../test/cuebook.js';
import { DEFINE_TYPES } from './define-types.js';
import { TEMPLATE } from './template.js';

/** What the compiler says about a project as `init` writes it, with more files beside its own. */
async function compile(more: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderWith({ ...TEMPLATE, ...more });
  const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(folder, 'agents')];
  const answer = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: unknown) => error,
  );
  return (answer as { stdout: string }).stdout;
}

/** Every type of the reference of prompts, used as a project would; and the definers of all kinds. */
const EVERY_NAME = `import { z } from 'zod';
import {
  type AgentDefinition, type Env, type HookArguments, type HookDefinition, type HookKind, type HookToolCall,
  type HookToolResult, type ModelCapabilities, type ModelDefinition, type Names, type PromptContent,
  type PromptDefinition, type PromptEnvPart, type PromptIncludePart, type PromptInput, type PromptPart,
  type PromptTextPart, type ReasoningConfig, type SessionTool, type SideConfig, type StructuredPrompt,
  type SubagentToolConfig, type SubpromptConfig, type ThreadState, type ToolArgs, type ToolConfig,
  type ToolDefinition, type ToolInput, type ToolResult, type VariableDefinition,
  defineAgent, defineHook, defineModel, definePrompt, defineTool, HOOK_KINDS,
} from '@cuebook/define';
import type { PromptDefinition as SameDefinition } from '@standardagents/spec';

const text: PromptTextPart = { type: 'text', content: 'Hello' };
const include: PromptIncludePart = { type: 'include', prompt: 'other' };
const variable: PromptEnvPart = { type: 'env', property: 'TEAM' };
const parts: PromptPart[] = [text, include, variable];
const structured: StructuredPrompt = parts;
export const contents: PromptContent[] = ['words', structured];
const tool: ToolConfig<'search'> = { name: 'search', env: { A: 'b' }, options: { deep: true } };
const sub: SubpromptConfig = { name: 'x', includeTextResponse: true, initUserMessageProperty: 'm' };
const agent: SubagentToolConfig = {
  name: 'y',
  blocking: false,
  immediate: { nameEnv: 'N' },
  resumable: { receives_messages: 'side_a', maxInstances: 2, parentCommunication: 'explicit' },
};
const reasoning: ReasoningConfig = { effort: 'low', maxTokens: 5, exclude: true, include: false };
const schema = z.object({ query: z.string(), limit: z.number().optional() });
const args: ToolArgs = schema;
export const search = definePrompt({
  name: 'search',
  toolDescription: 'Searches',
  prompt: structured,
  model: 'm',
  tools: ['plain', tool, sub, agent],
  requiredSchema: schema,
  reasoning,
});
const input: PromptInput<typeof search> = { query: 'a', limit: undefined };
// @ts-expect-error a number is no query
const wrong: PromptInput<typeof search> = { query: 1, limit: undefined };
export const plain: PromptDefinition = { name: 'p', toolDescription: 't', prompt: 'w', model: 'm' };
export const same: SameDefinition = plain;
export const lookUp = defineTool({
  description: 'Looks up',
  args: schema,
  execute: (state: ThreadState, { query }): ToolResult => ({ status: 'success', result: state.env(query) }),
});
export const hook = defineHook({ hook: 'after_system_message', id: 'h', execute: (_state, words) => words.length });
export const model = defineModel({ name: 'm', provider: 'p', model: 'x' });
export const desk = defineAgent({ name: 'desk', sideA: { prompt: 'p' } });
export type Rest = [
  AgentDefinition, Env, HookArguments, HookDefinition, HookKind, HookToolCall, HookToolResult, ModelCapabilities,
  ModelDefinition, Names, SessionTool, SideConfig, ToolDefinition, ToolInput<typeof lookUp>, VariableDefinition,
];
export const kinds: readonly HookKind[] = HOOK_KINDS;
export default [args, input, wrong];
`;

it('every type name of the reference compiles against what init writes, and a wrong value does not', async () => {
  expect(await compile({ 'agents/every-name.ts': EVERY_NAME })).toBe('');
});

it('the types that init writes are what the compiler says of the real ones', () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  spawnSync(process.execPath, [tsc, '-b', 'packages/define'], { cwd: ROOT });
  expect(DEFINE_TYPES, 'run `npm run build`, then `node scripts/define-types.mjs`').toBe(defineTypes());
});
