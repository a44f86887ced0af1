import type { BlockInput, Diagnostic, ToolDefinition } from '@cuebook/prompt';
import { declarationsIn } from '../check/variables.js';
import type { Catalog, Entry } from '../load/catalog.js';
import type { AgentData, ModelData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { type Conversation, conversationBlocks } from './conversation.js';
import { type Environment, environmentOf, type HandedEnv, type VariableTrace } from './environment.js';
import { systemBlocks } from './system.js';
import { boundTools, type ToolBinding } from './tools.js';

/** Everything that one request to a model is made of. */
export interface StepInput {
  readonly catalog: Catalog;
  readonly prompt: Entry<PromptData>;
  /** Whose step it is: its environment is a layer, and its hooks run where the prompt names none. */
  readonly agent?: Entry<AgentData> | undefined;
  readonly env?: HandedEnv;
  readonly conversation?: Conversation;
  /** Another model than the prompt's own, such as a fallback. */
  readonly model?: Entry<ModelData>;
}

/** One step, composed: what is told, and how its answer is to be dealt with. */
export interface Step {
  readonly blocks: readonly BlockInput[];
  readonly tools: readonly ToolDefinition[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly bindings: readonly ToolBinding[];
  readonly environment: Environment;
  readonly trace: readonly VariableTrace[];
  /** The hooks that run, in order. */
  readonly hooks: readonly string[];
  /** The models to try, in order. */
  readonly models: readonly Entry<ModelData>[];
}

export type ComposedStep =
  | { readonly ok: true; readonly value: Step }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Definitions and a conversation to one request. Pure and deterministic: a thread calls it for every step, and
 * `render` for the first.
 */
export function composeStep(input: StepInput): ComposedStep {
  const { catalog, prompt, agent, env = {}, conversation = NOTHING_SAID } = input;
  const environment = environmentOf({ catalog, prompt, agent, handed: env });
  const system = systemBlocks({ catalog, declarations: declarationsIn(catalog), prompt, environment });
  if (!system.ok) return system;
  const models = modelsFor(catalog, prompt.data, input.model);
  const vision = models[0]?.data.capabilities.vision ?? true;
  const { tools, bindings } = boundTools(catalog, prompt, environment);
  const trace = environment.trace();
  return {
    ok: true,
    value: {
      blocks: [...system.blocks, ...conversationBlocks(prompt.data, conversation, { vision })],
      tools,
      params: paramsOf(prompt.data, models[0], trace),
      bindings,
      environment,
      trace,
      hooks: prompt.data.hooks ?? agent?.data.hooks ?? [],
      models,
    },
  };
}

const NOTHING_SAID: Conversation = { earlier: [], current: [] };

function modelsFor(
  catalog: Catalog,
  prompt: PromptData,
  chosen: Entry<ModelData> | undefined,
): readonly Entry<ModelData>[] {
  const first = chosen ?? catalog.models.get(prompt.model);
  if (first === undefined) return [];
  return [first, ...first.data.fallbacks.flatMap((name) => catalog.models.get(name) ?? [])];
}

/**
 * The parameters that providers know by name. What only a thread needs to know (the provider, the whole
 * reasoning setting, which layer won) stands under `providerOptions.cuebook`, which no vendor reads.
 */
function paramsOf(
  prompt: PromptData,
  model: Entry<ModelData> | undefined,
  environment: readonly VariableTrace[],
): Readonly<Record<string, unknown>> {
  const { reasoning } = prompt;
  const { provider, model: id, providerOptions = {} } = model?.data ?? {};
  return {
    ...(id === undefined ? {} : { model: id }),
    toolChoice: prompt.toolChoice,
    parallelToolCalls: prompt.parallelToolCalls,
    ...(reasoning?.effort === undefined ? {} : { reasoningEffort: reasoning.effort }),
    providerOptions: {
      ...providerOptions,
      cuebook: {
        ...(provider === undefined ? {} : { provider }),
        model: prompt.model,
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(environment.length === 0 ? {} : { environment }),
      },
    },
  };
}
