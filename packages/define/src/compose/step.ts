import type { BesideSources, BlockInput, Diagnostic, OfferedTool, Piece } from '@cuebook/prompt';
import { declarationsIn } from '../check/variables.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData, ModelData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { type ConversationHistory, conversationBlocks } from './conversation.js';
import { type Environment, environmentOf, type HandedEnv, type VariableTrace } from './environment.js';
import { stepSources } from './sources.js';
import { hookedBlocks, systemBlocks } from './system.js';
import { type BoundTools, boundTools, type ToolBinding } from './tools.js';

/** Everything that one request to a model is made of. */
export interface StepInput {
  readonly catalog: Catalog;
  readonly prompt: DefinitionEntry<PromptData>;
  /** Whose step it is: its environment is a layer, and its hooks run where the prompt names none. */
  readonly agent?: DefinitionEntry<AgentData> | undefined;
  readonly env?: HandedEnv;
  readonly conversation?: ConversationHistory;
  /** Another model than the prompt's own, such as a fallback. */
  readonly model?: DefinitionEntry<ModelData> | undefined;
  /** The system text as hooks left it; without it, as the prompt has it. */
  readonly system?: readonly Piece[] | undefined;
}

/** One step, composed: what is told, and how its answer is to be dealt with. */
export interface StepRequest {
  readonly blocks: readonly BlockInput[];
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
  /** Where tools and parameters are written. */
  readonly sources: BesideSources;
  readonly bindings: readonly ToolBinding[];
  readonly environment: Environment;
  readonly trace: readonly VariableTrace[];
  /** The hooks that run, in order. */
  readonly hooks: readonly string[];
  /** The models to try, in order. */
  readonly models: readonly DefinitionEntry<ModelData>[];
}

export type ComposedStep =
  | { readonly ok: true; readonly value: StepRequest }
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
  const told = input.system === undefined ? system.blocks : hookedBlocks(system.blocks, input.system);
  const models = modelsFor(catalog, prompt.data, input.model);
  const { vision = true, toolCalls = true } = models[0]?.data.capabilities ?? {};
  const { tools, placed, bindings } = toolCalls ? boundTools(catalog, prompt, environment) : NO_TOOLS;
  const trace = environment.trace();
  const params = paramsOf(prompt.data, models[0], trace);
  return {
    ok: true,
    value: {
      blocks: [...told, ...conversationBlocks(prompt.data, conversation, { vision })],
      tools,
      params,
      sources: stepSources({ tools, params }, { catalog, placed, prompt, model: models[0], trace }),
      bindings,
      environment,
      trace,
      hooks: prompt.data.hooks ?? agent?.data.hooks ?? [],
      models,
    },
  };
}

const NO_TOOLS: BoundTools = { tools: [], placed: [], bindings: [] };
const NOTHING_SAID: ConversationHistory = { earlier: [], current: [] };

function modelsFor(
  catalog: Catalog,
  prompt: PromptData,
  chosen: DefinitionEntry<ModelData> | undefined,
): readonly DefinitionEntry<ModelData>[] {
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
  model: DefinitionEntry<ModelData> | undefined,
  environment: readonly VariableTrace[],
): Readonly<Record<string, unknown>> {
  const { provider, model: id, providerOptions = {}, capabilities = {} } = model?.data ?? {};
  const maxOutputTokens = fewest(prompt.maxOutputTokens, capabilities.maxOutputTokens);
  const { temperature } = prompt;
  const reasoning = capabilities.reasoning === false ? undefined : prompt.reasoning;
  return {
    ...(id === undefined ? {} : { model: id }),
    toolChoice: prompt.toolChoice,
    parallelToolCalls: prompt.parallelToolCalls,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(reasoning?.effort === undefined ? {} : { reasoningEffort: reasoning.effort }),
    ...(reasoning?.maxTokens === undefined ? {} : { reasoningTokens: reasoning.maxTokens }),
    providerOptions: {
      ...providerOptions,
      cuebook: {
        ...(provider === undefined ? {} : { provider }),
        model: prompt.model,
        ...(prompt.reasoning === undefined ? {} : { reasoning: prompt.reasoning }),
        ...(environment.length === 0 ? {} : { environment }),
      },
    },
  };
}

/** What the prompt wants, within what the model gives. */
const fewest = (wanted: number | undefined, given: number | undefined): number | undefined =>
  wanted === undefined || given === undefined ? (wanted ?? given) : Math.min(wanted, given);
