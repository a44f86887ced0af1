import {
  type ConversationHistory,
  composeStep,
  type DefinitionEntry,
  findCallable,
  type ModelData,
  type PromptData,
  type StepRequest,
  sentMessages,
  servedName,
  type VariableData,
} from '@cuebook/define';
import { guard } from '@cuebook/guard';
import {
  composeRequest,
  type Diagnostic,
  describeRefusal,
  fail,
  type GatedRequest,
  ok,
  type Result,
} from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import type { Frame } from '../run/frame.js';
import type { ThreadRunState } from '../run/state.js';
import { TEXTS } from '../shipped-texts.js';
import { composeFitting } from './condense.js';
import { seenBy } from './conversation.js';
import type { Describer } from './describe.js';
import { filtered, hookedSystem, prefiltered } from './hooked.js';
import type { HookRun } from './hooks.js';
import type { DriveParts } from './parts.js';
import { type Described, toConversation } from './pictures.js';

/** A step that may be sent. */
export interface ComposedAsk {
  readonly request: GatedRequest;
  readonly step: StepRequest;
  readonly model: DefinitionEntry<ModelData>;
  /** Models behind this one. */
  readonly fallbacks: number;
  readonly described: readonly Described[];
}

export interface AskError {
  readonly code: string;
  readonly message: string;
}

export interface AskPlace {
  readonly state: ThreadRunState;
  readonly frame: Frame;
  readonly reader: Reader & { readonly prompt: DefinitionEntry<PromptData> };
  /** Which of the prompt's models. */
  readonly model: number;
  /** Required variables may be without a value: nobody is asked. */
  readonly isOpen?: boolean;
  readonly describe?: Describer['describe'];
}

/** What a conversation's next request says, hooks included. */
export async function composeAsk(
  parts: DriveParts,
  { state, frame, reader, model: index, isOpen = false, describe }: AskPlace,
  hooks: HookRun,
): Promise<Result<ComposedAsk, AskError>> {
  const { catalog } = parts.live;
  const { prompt, agent } = reader;
  const missing = missingVariables(parts, { state, frame, reader });
  if (missing.length > 0 && !isOpen)
    return fail({
      code: 'E_VARIABLE_MISSING',
      message: `The prompt "${prompt.name}" requires ${missing.map(describeVariable).join(', ')}, and no layer has a value. Hand it in with --env ${missing[0]?.name}=…`,
    });
  // A server that is away has been told of, and its tools are not offered.
  const lost = prompt.data.tools.find(
    ({ name }) => findCallable(catalog, name) === undefined && servedName(name) === undefined,
  );
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
  const place = { state, frame, reader };
  const system = await hookedSystem(parts, place, composeStep({ catalog, prompt, agent, model, env }), hooks);
  const redactor = parts.redactorOf(state);
  const seen = await filtered(seenBy(state, frame), hooks);
  const { conversation, described } = await toConversation(
    parts,
    { prompt, model, redactor, describe },
    seen,
  );
  const sent = await prefiltered(prompt, conversation, hooks);
  const composed = composeFitting({
    catalog,
    prompt,
    agent,
    model,
    env,
    system,
    conversation: frame.ask === null ? sent : spoken(prompt, sent),
  });
  if (!composed.ok) return fail(whyNot(composed.error));
  const step = composed.value;
  const isFree = prompt.data.toolChoice === 'required' && frame.called;
  const request = composeRequest({
    blocks: step.blocks,
    tools: step.tools,
    params: isFree ? { ...step.params, toolChoice: 'auto' } : step.params,
    sources: step.sources,
    hash: parts.hash,
    redactor,
    memo: parts.memo,
  });
  if (!request.ok)
    return fail({
      code: 'E_THREAD_PROMPT',
      message: request.error.map(describeRefusal).slice(0, 3).join(' '),
    });
  return ok({ request: request.value, step, model, fallbacks: models.length - index - 1, described });
}

/** Somebody speaks in every request: no model answers to nothing, and vendors refuse an empty list. */
function spoken(prompt: DefinitionEntry<PromptData>, conversation: ConversationHistory): ConversationHistory {
  const isSilent = sentMessages(prompt.data, conversation).length === 0;
  if (!guard('request.silent', isSilent)) return conversation;
  const { text, origin } = TEXTS.piece('conversation.md#begin');
  return { earlier: [], current: [{ role: 'user', text, trust: 'platform', origin }] };
}

function whyNot(error: 'no-room' | { readonly diagnostics: readonly Diagnostic[] }): AskError {
  if (error === 'no-room')
    return {
      code: 'E_THREAD_ROOM',
      message:
        'What is always told and the newest message have more than the model takes. Say less, or raise capabilities.contextLength of the model if it takes more.',
    };
  const [first] = error.diagnostics;
  return {
    code: first?.code ?? 'E_THREAD_PROMPT',
    message: first?.message ?? 'The prompt does not compose.',
  };
}

function modelsOf(
  { live }: DriveParts,
  { data }: DefinitionEntry<PromptData>,
): readonly DefinitionEntry<ModelData>[] {
  const first = live.catalog.models.get(data.model);
  if (first === undefined) return [];
  return [first, ...first.data.fallbacks.flatMap((name) => live.catalog.models.get(name) ?? [])];
}

/** Required variables of the prompt and the agent that no layer has. */
function missingVariables(
  parts: DriveParts,
  { state, frame, reader }: Omit<AskPlace, 'model'>,
): readonly VariableData[] {
  const declared = [...(reader.agent?.data.variables ?? []), ...reader.prompt.data.variables];
  const required = new Map(declared.filter((each) => each.required).map((each) => [each.name, each]));
  if (required.size === 0) return [];
  const visible = parts.environments.visible(state, frame, reader);
  return [...required.values()].filter(({ name }) => !Object.hasOwn(visible, name));
}

const describeVariable = ({ name, description }: VariableData): string =>
  description === '' ? `"${name}"` : `"${name}" (${description})`;
