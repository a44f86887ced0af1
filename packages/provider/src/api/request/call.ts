import { type Block, fail, type GatedRequest, ok, type Result } from '@cuebook/prompt';
import type { TurnError } from '../../turn.js';
import type { Vendor } from '../vendor.js';
import type { CallOptions, ModelTool, VendorOptions } from '../wire/model.js';
import { type CachePlan, planCache } from './cache-plan.js';
import { BREAKPOINT, toModelMessages, wireOrder } from './messages.js';
import { type ApiParams, parseParams } from './params.js';
import { reasoningOptions } from './reasoning.js';
import type { ThoughtMemory } from './thoughts.js';
import { mapToolNames, type ToolNames } from './tool-names.js';

/** A request as one call of the AI SDK. */
export interface ApiCall {
  readonly model: string;
  readonly options: CallOptions;
  readonly names: ToolNames;
  readonly plan: CachePlan;
  readonly blocks: readonly Block[];
  /** What was changed for the vendor's sake, for the log. */
  readonly notes: readonly string[];
}

/** Pure: the same request, the same call. */
export function prepareCall(
  request: GatedRequest,
  {
    vendor,
    model,
    thoughts,
  }: { readonly vendor: Vendor; readonly model?: string; readonly thoughts: ThoughtMemory },
): Result<ApiCall, TurnError> {
  const params = parseParams(request.params);
  if (!params.ok) return fail({ code: 'E_PROVIDER_PARAM', message: params.error, retryable: false });
  const chosen = model ?? params.value.model;
  if (chosen === undefined) {
    return fail({ code: 'E_PROVIDER_MODEL', message: 'No model is named.', retryable: false });
  }
  const blocks = wireOrder(request.prompt.blocks, vendor.systemBlocks);
  const called = blocks.flatMap(({ calls = [] }) => calls.map(({ name }) => name));
  const names = mapToolNames([...request.tools.map(({ name }) => name), ...called]);
  const plan = planCache(blocks, request.tools, chosen);
  const { breakpoints } = plan;
  const tools = toModelTools(request, names, vendor.cache === 'marked' && plan.afterTools);
  const isLost = params.value.reasoningEffort !== undefined && lostThoughts(blocks, { vendor, thoughts });
  const settled: ApiParams = isLost ? { ...params.value, reasoningEffort: 'none' } : params.value;
  return ok({
    model: chosen,
    names,
    plan,
    blocks,
    notes: isLost
      ? ['The thoughts before the last tool calls are gone, so this turn goes on without thinking.']
      : [],
    options: {
      prompt: toModelMessages(blocks, { vendor, names, thoughts, breakpoints }),
      ...(tools.length > 0 && { tools }),
      ...settingsOf(settled, names),
      providerOptions: vendorOptions(settled, {
        vendor,
        model: chosen,
        plan,
        hasTools: tools.length > 0,
      }),
    },
  });
}

/**
 * Anthropic takes the results of tools from a thinking model only behind the thoughts that led to the calls.
 * Another process may have heard those.
 */
function lostThoughts(
  blocks: readonly Block[],
  { vendor, thoughts }: { readonly vendor: Vendor; readonly thoughts: ThoughtMemory },
): boolean {
  if (vendor.name !== 'anthropic') return false;
  const last = blocks.findLast(
    ({ role, calls }) => role === 'user' || (role === 'assistant' && calls?.length),
  );
  const [first] = last?.calls ?? [];
  return first !== undefined && !thoughts.find(first.id)?.thoughts.length;
}

function toModelTools({ tools }: GatedRequest, names: ToolNames, isMarked: boolean): ModelTool[] {
  return tools.map(({ name, description, parameters }, index) => ({
    type: 'function',
    name: names.toWire(name),
    ...(description !== undefined && { description }),
    inputSchema: { type: 'object', properties: {}, ...parameters },
    ...(isMarked && index === tools.length - 1 && { providerOptions: BREAKPOINT }),
  }));
}

function settingsOf(params: ApiParams, names: ToolNames): Partial<CallOptions> {
  const { temperature, maxOutputTokens, topP, topK, presencePenalty, frequencyPenalty, seed } = params;
  const numbers = { temperature, maxOutputTokens, topP, topK, presencePenalty, frequencyPenalty, seed };
  const { stop, toolChoice, responseFormat } = params;
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
    ...(stop !== undefined && { stopSequences: [stop].flat() }),
    ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice, names) }),
    ...(responseFormat !== undefined && { responseFormat: formatOf(responseFormat) }),
  };
}

const choiceOf = (
  choice: NonNullable<ApiParams['toolChoice']>,
  names: ToolNames,
): NonNullable<CallOptions['toolChoice']> =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: names.toWire(choice.tool) };

function formatOf(
  format: NonNullable<ApiParams['responseFormat']>,
): NonNullable<CallOptions['responseFormat']> {
  if (typeof format === 'string') return { type: format };
  return { type: 'json', schema: format.schema, ...(format.name !== undefined && { name: format.name }) };
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
): VendorOptions {
  const { vendor, model, plan, hasTools } = about;
  const { reasoningEffort, parallelToolCalls, providerOptions = {} } = params;
  const own: Record<string, unknown> = {
    ...(vendor.cache === 'keyed' && { promptCacheKey: plan.key }),
    // The record is ours: nothing is kept at the vendor for the sake of a later turn.
    ...(vendor.namespace === 'openai' && { store: false }),
    ...(reasoningEffort !== undefined && reasoningOptions(vendor.name, model, reasoningEffort)),
    ...(parallelToolCalls !== undefined && hasTools && parallelOptions(vendor, parallelToolCalls)),
    ...providerOptions[vendor.namespace],
  };
  return { ...providerOptions, [vendor.namespace]: own } as VendorOptions;
}

function parallelOptions(vendor: Vendor, parallel: boolean): Record<string, unknown> {
  if (vendor.name === 'anthropic') return { disableParallelToolUse: !parallel };
  return vendor.name === 'google' ? {} : { parallelToolCalls: parallel };
}
