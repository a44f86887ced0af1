import type { AgentDefinition } from './agent.js';
import type { HookDefinition, HookKind } from './hook.js';
import type { ModelDefinition } from './model.js';
import type { PromptDefinition, ToolArgs } from './prompt.js';
import type { ToolDefinition } from './tool.js';

/** Defines a prompt: the default export of a file in `agents/prompts/`. */
export const definePrompt = <const Name extends string, Schema extends ToolArgs = never>(
  definition: PromptDefinition<Name, Schema>,
): PromptDefinition<Name, Schema> => marked('prompt', definition);

/** Defines a tool: the default export of a file in `agents/tools/`, which gives it its name. */
export const defineTool = <Args extends ToolArgs = never>(
  definition: ToolDefinition<Args>,
): ToolDefinition<Args> => marked('tool', definition);

/** Defines a model: the default export of a file in `agents/models/`. */
export const defineModel = <const Name extends string>(
  definition: ModelDefinition<Name>,
): ModelDefinition<Name> => marked('model', definition);

/** Defines an agent: the default export of a file in `agents/agents/`. */
export const defineAgent = <const Name extends string>(
  definition: AgentDefinition<Name>,
): AgentDefinition<Name> => marked('agent', definition);

/** Defines a hook: the default export of a file in `agents/hooks/`. */
export const defineHook = <Kind extends HookKind, const Id extends string>(
  definition: HookDefinition<Kind, Id>,
): HookDefinition<Kind, Id> => marked('hook', definition);

/** The same mark that the loading thread's own definers leave. */
const KIND = Symbol.for('cuebook.kind');

function marked<Definition extends object>(kind: string, definition: Definition): Definition {
  const target = Object.isExtensible(definition) ? definition : { ...definition };
  if (!(KIND in target)) Object.defineProperty(target, KIND, { value: kind });
  return target;
}
