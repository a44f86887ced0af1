import {
  type ComposedStep,
  type Conversation,
  composeStep,
  type Entry,
  findCallable,
  type ModelData,
  type PromptData,
  type Step,
  type StepMessage,
  sentMessages,
} from '@cuebook/define';
import {
  type BlockInput,
  composeRequest,
  describeRefusal,
  fail,
  type GatedRequest,
  type JsonValue,
  ok,
  type Result,
} from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import type { Frame } from '../run/frame.js';
import type { Message } from '../run/message.js';
import type { ThreadRunState } from '../run/state.js';
import { type Seen, seenBy } from './conversation.js';
import { isRecord, toHookMessage } from './hook-message.js';
import type { HookRun } from './hooks.js';
import type { DriveParts } from './parts.js';
import { type Described, toConversation } from './pictures.js';

/** A step that may be sent. */
export interface ComposedAsk {
  readonly request: GatedRequest;
  readonly step: Step;
  readonly model: Entry<ModelData>;
  /** Models behind this one. */
  readonly fallbacks: number;
  readonly described: readonly Described[];
}

export interface AskPlace {
  readonly state: ThreadRunState;
  readonly frame: Frame;
  readonly reader: Reader & { readonly prompt: Entry<PromptData> };
  /** Which of the prompt's models. */
  readonly model: number;
}

/** What a conversation's next request says, hooks included. */
export async function composeAsk(
  parts: DriveParts,
  { state, frame, reader, model: index }: AskPlace,
  hooks: HookRun,
): Promise<Result<ComposedAsk, { readonly code: string; readonly message: string }>> {
  const { catalog } = parts.live;
  const { prompt, agent } = reader;
  const missing = missingVariables(parts, { state, frame, reader });
  if (missing.length > 0)
    return fail({
      code: 'E_VARIABLE_MISSING',
      message: `The prompt "${prompt.name}" requires ${missing.map((name) => `"${name}"`).join(', ')}, and no layer has a value. Hand it in with --env ${missing[0]}=…`,
    });
  const lost = prompt.data.tools.find(({ name }) => findCallable(catalog, name) === undefined);
  if (lost !== undefined)
    return fail({
      code: 'E_NAME_UNKNOWN',
      message: `The prompt "${prompt.name}" lists "${lost.name}", which is not defined or did not load.`,
    });
  const models = modelsOf(parts, prompt);
  const model = models[index];
  if (model === undefined)
    return fail({
      code: 'E_NAME_UNKNOWN',
      message: `The prompt "${prompt.name}" has no model that is defined.`,
    });
  const env = parts.environments.handed(state, frame);
  const system = hooks.has('after_system_message')
    ? await systemText(composeStep({ catalog, prompt, agent, model, env }), hooks)
    : undefined;
  const redactor = parts.redactorOf(state);
  const seen = await filtered(seenBy(state, frame), hooks);
  const { conversation, described } = await toConversation(parts, { prompt, model, redactor }, seen);
  const filteredPrompt = await prefiltered(prompt, conversation, hooks);
  const composed = composeStep({
    catalog,
    prompt: filteredPrompt.prompt,
    agent,
    model,
    env,
    conversation: filteredPrompt.conversation,
  });
  if (!composed.ok) {
    const [first] = composed.diagnostics;
    return fail({
      code: first?.code ?? 'E_THREAD_PROMPT',
      message: first?.message ?? 'The prompt does not compose.',
    });
  }
  const step = composed.value;
  const isFree = prompt.data.toolChoice === 'required' && frame.called;
  const request = composeRequest({
    blocks: system === undefined ? step.blocks : withSystem(step.blocks, system),
    tools: step.tools,
    params: isFree ? { ...step.params, toolChoice: 'auto' } : step.params,
    hash: parts.hash,
    redactor,
  });
  if (!request.ok)
    return fail({
      code: 'E_THREAD_PROMPT',
      message: request.error.map(describeRefusal).slice(0, 3).join(' '),
    });
  return ok({ request: request.value, step, model, fallbacks: models.length - index - 1, described });
}

function modelsOf({ live }: DriveParts, { data }: Entry<PromptData>): readonly Entry<ModelData>[] {
  const first = live.catalog.models.get(data.model);
  if (first === undefined) return [];
  return [first, ...first.data.fallbacks.flatMap((name) => live.catalog.models.get(name) ?? [])];
}

/** Required variables of the prompt and the agent that no layer has. */
function missingVariables(
  parts: DriveParts,
  { state, frame, reader }: Omit<AskPlace, 'model'>,
): readonly string[] {
  const declared = [...(reader.agent?.data.variables ?? []), ...reader.prompt.data.variables];
  const required = declared.filter((variable) => variable.required).map(({ name }) => name);
  if (required.length === 0) return [];
  const visible = parts.environments.visible(state, frame, reader);
  return [...new Set(required)].filter((name) => !Object.hasOwn(visible, name));
}

/** `filter_messages`: the stored messages, before the prompt chooses among them. */
async function filtered({ earlier, current }: Seen, hooks: HookRun): Promise<Seen> {
  if (!hooks.has('filter_messages')) return { earlier, current };
  const all = [...earlier, ...current];
  const kept = await hooks.change<readonly Message[]>('filter_messages', all, {
    args: (messages) => [messages.map(toHookMessage)],
    accept: (answer, messages) => acceptMessages(answer, messages),
  });
  const past = new Set(earlier.map(({ id }) => id));
  return {
    earlier: kept.filter(({ id }) => past.has(id)),
    current: kept.filter(({ id }) => !past.has(id)),
  };
}

/** Messages are known by their id; one without is new, and as little trusted as its role. */
function acceptMessages(answer: JsonValue, before: readonly Message[]): readonly Message[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const byId = new Map(before.map((message) => [message.id, message]));
  const messages: Message[] = [];
  for (const [index, each] of (answer as readonly JsonValue[]).entries()) {
    if (!isRecord(each) || typeof each.content !== 'string') return undefined;
    const known = byId.get(typeof each.id === 'string' ? each.id : '');
    if (known !== undefined)
      messages.push(each.content === known.text ? known : { ...known, text: each.content });
    else if (each.role === 'user' || each.role === 'assistant')
      messages.push({
        id: `hook_${index}`,
        role: each.role,
        side: each.role === 'user' ? 'b' : 'a',
        turn: 0,
        from: each.role === 'user' ? 'person' : 'model',
        text: each.content,
      });
    else return undefined;
  }
  return messages;
}

/** `prefilter_llm_history`: what is really sent, the last stop before the request. */
async function prefiltered(
  prompt: Entry<PromptData>,
  conversation: Conversation,
  hooks: HookRun,
): Promise<{ readonly prompt: Entry<PromptData>; readonly conversation: Conversation }> {
  if (!hooks.has('prefilter_llm_history')) return { prompt, conversation };
  const sent = sentMessages(prompt.data, conversation);
  const kept = await hooks.change<readonly (typeof sent)[number][]>('prefilter_llm_history', sent, {
    args: (list) => [list.map(({ message }, index) => llmMessage(message, index))],
    accept: (answer) => acceptSent(answer, sent),
  });
  // What the prompt leaves out is left out already.
  const whole = { ...prompt, data: { ...prompt.data, includeChat: true, includePastTools: true } };
  const of = (volatility: 'session' | 'turn') =>
    kept.filter((each) => each.volatility === volatility).map(({ message }) => message);
  return { prompt: whole, conversation: { earlier: of('session'), current: of('turn') } };
}

const llmMessage = ({ role, text, calls, callId }: StepMessage, index: number): JsonValue => ({
  index,
  role,
  content: text,
  ...(calls === undefined ? {} : { toolCalls: calls.map((call) => ({ ...call })) }),
  ...(callId === undefined ? {} : { toolCallId: callId }),
});

function acceptSent(
  answer: JsonValue,
  sent: ReturnType<typeof sentMessages>,
): ReturnType<typeof sentMessages> | undefined {
  if (!Array.isArray(answer)) return undefined;
  const list: (typeof sent)[number][] = [];
  for (const each of answer as readonly JsonValue[]) {
    if (!isRecord(each) || typeof each.content !== 'string') return undefined;
    const known = typeof each.index === 'number' ? sent[each.index] : undefined;
    if (known !== undefined) list.push({ ...known, message: { ...known.message, text: each.content } });
    else if (each.role === 'user' || each.role === 'assistant')
      list.push({ message: { role: each.role, text: each.content }, volatility: 'turn' });
    else return undefined;
  }
  return list;
}

/** `after_system_message`: the project's own code may rewrite the project's own words. Undefined: it did not. */
async function systemText(composed: ComposedStep, hooks: HookRun): Promise<string | undefined> {
  const first = composed.ok ? composed.value.blocks[0] : undefined;
  if (first?.role !== 'system') return undefined;
  const text = first.pieces.map((piece) => piece.text).join('');
  const changed = await hooks.change('after_system_message', text, {
    args: (words) => [words],
    accept: (answer, words) => (answer === null ? words : typeof answer === 'string' ? answer : undefined),
    mayBeEmpty: true,
  });
  return changed === text ? undefined : changed;
}

function withSystem([system, ...rest]: readonly BlockInput[], text: string): readonly BlockInput[] {
  if (system === undefined) return rest;
  const origin = { kind: 'result', ref: 'after_system_message' } as const;
  const piece = { text, origin, trust: 'author', secrecy: 'public', volatility: 'turn' } as const;
  return [{ ...system, pieces: [piece] }, ...rest];
}
