import { guarded } from '@cuebook/guard';
import {
  type Block,
  fail,
  type GatedRequest,
  nameTools,
  ok,
  type Result,
  type ToolNames,
} from '@cuebook/prompt';
import { type ArgumentNames, nameArguments } from '../../tool/argument-names.js';
import { fitSchema } from '../../tool/fit-schema.js';
import type { Schema } from '../../tool/schema.js';
import { toolSchema } from '../../tool/tool-schema.js';
import type { TurnError } from '../../turn.js';
import type { Vendor } from '../vendor.js';
import type { CallOptions, ModelTool, VendorOptions } from '../wire/model.js';
import { isStrictSchema } from './answer-schema.js';
import { type CachePlan, planCache } from './cache-plan.js';
import { googleSchema } from './google-schema.js';
import { BREAKPOINT, toModelMessages, wireOrder } from './messages.js';
import { claudeFamily } from './model-family.js';
import { type ApiParams, parseParams } from './params.js';
import { reasoningOptions } from './reasoning.js';
import { settleParams } from './settle-params.js';
import type { KeptThoughts, ThoughtMemory } from './thoughts.js';

/** A request as one call of the AI SDK. */
export interface ApiCall {
  readonly model: string;
  readonly options: CallOptions;
  readonly names: ToolNames;
  readonly args: ArgumentNames;
  readonly plan: CachePlan;
  readonly blocks: readonly Block[];
  /** What was changed for the vendor's sake, for the log. */
  readonly notes: readonly string[];
}

export interface CallContext {
  readonly vendor: Vendor;
  readonly model?: string;
  readonly thoughts: ThoughtMemory;
  /** What the request belongs to; the vendor sees a digest of it. */
  readonly conversation?: string;
}

/** Pure: the same request and the same memory, the same call. */
export function prepareCall(request: GatedRequest, context: CallContext): Result<ApiCall, TurnError> {
  const { vendor, thoughts, conversation } = context;
  const params = parseParams(request.params);
  if (!params.ok) return fail({ code: 'E_PROVIDER_PARAM', message: params.error, retryable: false });
  const model = context.model ?? params.value.model;
  if (model === undefined) {
    return fail({ code: 'E_PROVIDER_MODEL', message: 'No model is named.', retryable: false });
  }
  const blocks = wireOrder(request.prompt.blocks, vendor);
  const problem = orderProblem(blocks, vendor, model);
  if (problem !== undefined) return fail({ code: 'E_PROVIDER_REJECTED', message: problem, retryable: false });
  const answers = blocks.flatMap(({ calls }) => (calls?.length ? [calls] : []));
  const kept = thoughts.recall(answers);
  const called = answers.flatMap((calls) => calls.map(({ name }) => name));
  const names = nameTools(
    request.tools.map(({ name }) => name),
    called,
  );
  const plan = planCache(blocks, request.tools, model, conversation);
  const { breakpoints } = plan;
  const offered = request.tools.map((tool) => ({ ...tool, parameters: toolSchema(tool.parameters) }));
  const args = nameArguments(vendor.argumentNames === 'plain' ? offered : []);
  const tools = toModelTools(offered, { names, args, vendor, afterTools: plan.afterTools });
  const hasTools = tools.length > 0;
  const isLost = lostThoughts(blocks, kept, { vendor, model });
  const saysJson = blocks.some(({ text }) => /json/i.test(text));
  const about = {
    vendor: vendor.name,
    model,
    hasTools,
    offered: new Set(request.tools.map(({ name }) => name)),
  };
  const settled = settleParams(params.value, { ...about, isLost, saysJson });
  const own = vendorOptions(settled.params, { vendor, model, plan, hasTools });
  return ok({
    model,
    names,
    args,
    plan,
    blocks,
    notes: [...settled.notes, ...own.notes],
    options: {
      prompt: toModelMessages(blocks, { vendor, names, args, kept, breakpoints }),
      ...(hasTools && { tools }),
      ...settingsOf(settled.params, { names, vendor, model }),
      providerOptions: own.options,
    },
  });
}

/** What no order of the same words would make the vendor take. */
function orderProblem(blocks: readonly Block[], { name }: Vendor, model: string): string | undefined {
  if (blocks.length === 0) return 'The request says nothing: every block of it is empty.';
  const isOwn = blocks.at(-1)?.role === 'assistant';
  const takesPrefill = name === 'anthropic' ? claudeFamily(model).takesPrefill : name !== 'google';
  if (!isOwn || takesPrefill) return undefined;
  return `The conversation ends with words of the model, and ${model} does not go on from those. Say something to it.`;
}

/**
 * Anthropic takes the results of tools from a model that thinks by a budget only behind the thoughts that led to
 * the calls. Another process may have heard those.
 */
function lostThoughts(
  blocks: readonly Block[],
  kept: readonly (KeptThoughts | undefined)[],
  { vendor, model }: { readonly vendor: Vendor; readonly model: string },
): boolean {
  if (vendor.name !== 'anthropic' || claudeFamily(model).thinking !== 'budget') return false;
  const last = blocks.findLast(({ role }) => role === 'assistant');
  return Boolean(last?.calls?.length) && !kept.at(-1)?.thoughts.length;
}

interface ToolContext {
  readonly names: ToolNames;
  readonly args: ArgumentNames;
  readonly vendor: Vendor;
  readonly afterTools: boolean;
}

function toModelTools(
  tools: GatedRequest['tools'],
  { names, args, vendor, afterTools }: ToolContext,
): ModelTool[] {
  const isMarked = vendor.cache === 'marked' && afterTools;
  return tools.map(({ name, description, parameters }, index) => ({
    type: 'function',
    name: names.toWire(name),
    ...(description !== undefined && { description }),
    inputSchema: schemaFor(vendor, args.toSchema(name, parameters ?? {})),
    // Its arguments are checked here: the vendor is not to make optional ones required.
    ...(vendor.namespace === 'openai' && { strict: false }),
    ...(isMarked && index === tools.length - 1 && { providerOptions: BREAKPOINT }),
  }));
}

const schemaFor = ({ name }: Vendor, schema: Schema): Schema =>
  name === 'google' ? guarded('api.google-schema', googleSchema, schema) : schema;

interface SettingContext {
  readonly names: ToolNames;
  readonly vendor: Vendor;
  readonly model: string;
}

function settingsOf(params: ApiParams, { names, vendor, model }: SettingContext): Partial<CallOptions> {
  const { temperature, maxOutputTokens, topP, topK, presencePenalty, frequencyPenalty, seed } = params;
  const numbers = { temperature, maxOutputTokens, topP, topK, presencePenalty, frequencyPenalty, seed };
  const { stop, toolChoice, responseFormat } = params;
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
    ...(stop !== undefined && { stopSequences: [stop].flat() }),
    ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice, names) }),
    ...(responseFormat !== undefined && { responseFormat: formatOf(responseFormat, vendor, model) }),
  };
}

const choiceOf = (
  choice: NonNullable<ApiParams['toolChoice']>,
  names: ToolNames,
): NonNullable<CallOptions['toolChoice']> =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: names.toWire(choice.tool) };

function formatOf(
  format: NonNullable<ApiParams['responseFormat']>,
  vendor: Vendor,
  model: string,
): NonNullable<CallOptions['responseFormat']> {
  if (typeof format === 'string') return { type: format };
  const name = format.name?.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64);
  // An older Claude is given the form as a tool.
  const isTool = vendor.name === 'anthropic' && !claudeFamily(model).takesSchema;
  const schema = isTool ? toolSchema(format.schema) : schemaFor(vendor, fitSchema(format.schema));
  return { type: 'json', schema, ...(name && { name }) };
}

/** What only this vendor knows: ours first, so that the user's own options have the last word. */
function vendorOptions(
  params: ApiParams,
  about: {
    readonly vendor: Vendor;
    readonly model: string;
    readonly plan: CachePlan;
    readonly hasTools: boolean;
  },
): { readonly options: VendorOptions; readonly notes: readonly string[] } {
  const { vendor, model, plan, hasTools } = about;
  const { parallelToolCalls, responseFormat, providerOptions = {} } = params;
  const reasoning = reasoningOptions(vendor.name, model, params);
  const isFormed = typeof responseFormat === 'object';
  const isLoose = typeof responseFormat === 'object' && !isStrictSchema(fitSchema(responseFormat.schema));
  const own: Record<string, unknown> = {
    ...(vendor.cache === 'keyed' && { promptCacheKey: plan.key }),
    // The record is ours: nothing is kept at the vendor for the sake of a later turn.
    ...(vendor.namespace === 'openai' && { store: false }),
    ...reasoning.options,
    ...(isLoose && vendor.strictSchemas && { strictJsonSchema: false }),
    // Also for names that the SDK does not know.
    ...(isFormed &&
      vendor.name === 'anthropic' &&
      claudeFamily(model).takesSchema && { structuredOutputMode: 'outputFormat' }),
    ...(parallelToolCalls !== undefined && hasTools && parallelOptions(vendor, parallelToolCalls)),
    ...providerOptions[vendor.namespace],
  };
  const options = { ...providerOptions, [vendor.namespace]: own } as VendorOptions;
  return { options, notes: 'note' in reasoning && reasoning.note !== undefined ? [reasoning.note] : [] };
}

function parallelOptions({ name }: Vendor, parallel: boolean): Record<string, unknown> {
  switch (name) {
    case 'anthropic':
      return { disableParallelToolUse: !parallel };
    case 'google':
      return {};
    case 'compatible':
      // Handed through by the SDK as it is spelled, and this is how such servers spell it.
      return { parallel_tool_calls: parallel };
    default:
      return { parallelToolCalls: parallel };
  }
}
