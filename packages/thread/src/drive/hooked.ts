import {
  type ComposedStep,
  type ConversationHistory,
  chosen,
  type DefinitionEntry,
  LAYERS,
  type PromptData,
  type SentMessage,
  type StepMessage,
  sentMessages,
  vouch,
} from '@cuebook/define';
import { type JsonValue, type Piece, piecesText, type Trust } from '@cuebook/prompt';
import type { Message } from '../run/message.js';
import type { Seen } from './conversation.js';
import { isRecord, toHookMessage } from './hook-message.js';
import type { HookPlace, HookRun } from './hooks.js';
import type { DriveParts } from './parts.js';

/**
 * `after_system_message`: what hooks made of the system text, with a label for each word. A function of the project may
 * have its words from anywhere: those that are not shown to be the author's are not. Undefined: nothing was changed.
 */
export async function hookedSystem(
  parts: DriveParts,
  place: HookPlace,
  composed: ComposedStep,
  hooks: HookRun,
): Promise<readonly Piece[] | undefined> {
  const first = composed.ok ? composed.value.blocks[0] : undefined;
  if (first?.role !== 'system' || !hooks.has('after_system_message')) return undefined;
  const written = new Map<string, readonly Piece[]>();
  for (const hook of hooks.of('after_system_message')) written.set(hook, await parts.live.written(hook));
  const { values, untrusted } = readable(parts, place);
  const changed = await hooks.change<readonly Piece[]>('after_system_message', first.pieces, {
    args: (pieces) => [piecesText(pieces)],
    accept: (answer, pieces, hook) => {
      if (answer === null || answer === piecesText(pieces)) return pieces;
      if (typeof answer !== 'string') return undefined;
      const known = [...(written.get(hook) ?? []), ...values];
      const labelled = vouch({ before: pieces, answer, known, untrusted, hook });
      if (labelled.some(({ trust, text }) => trust === 'tool' && text.trim() !== ''))
        hooks.note(fenced(hook));
      return labelled;
    },
    mayBeEmpty: true,
  });
  return changed === first.pieces ? undefined : changed;
}

const fenced = (hook: string) =>
  ({
    code: 'W_HOOK_WORDS',
    severity: 'warning',
    message: `The hook "${hook}" (after_system_message) answered words that stand neither in the prompt nor in its own code, so they are told in a fence behind the system text.`,
  }) as const;

interface Readable {
  /** Values of trusted layers. */
  readonly values: readonly Piece[];
  /** What anybody may have written. */
  readonly untrusted: readonly string[];
}

/** The texts that a hook of a conversation can read beside what it is given. */
function readable({ environments }: DriveParts, { state, frame, reader }: HookPlace): Readable {
  const handed = environments.handed(state, frame);
  const layers: Readonly<Record<(typeof LAYERS)[number], Readonly<Record<string, string>> | undefined>> = {
    ...{ thread: handed.thread, account: handed.account, instance: handed.instance },
    ...{ agent: reader.agent?.data.env, tool: undefined, prompt: reader.prompt?.data.env },
  };
  const secret = new Set(environments.secrets(state));
  const values = LAYERS.flatMap((layer) => {
    const trust = TRUSTED[layer];
    if (trust === undefined) return [];
    return Object.entries(layers[layer] ?? {}).flatMap(([name, text]): Piece[] =>
      secret.has(text)
        ? []
        : [
            {
              text,
              origin: { kind: 'variable', ref: name },
              trust,
              secrecy: 'public',
              volatility: 'session',
            },
          ],
    );
  });
  const messages = Object.values(state.frames).flatMap((each) => [
    ...each.messages.map(({ text }) => text),
    ...each.inbox.map(({ message }) => message.text),
  ]);
  const open = [handed.thread ?? {}, handed.account ?? {}].flatMap((layer) => Object.values(layer));
  return { values, untrusted: [...open, ...messages].filter((text) => text !== '') };
}

const TRUSTED: Readonly<Partial<Record<(typeof LAYERS)[number], Trust>>> = {
  instance: 'operator',
  agent: 'author',
  prompt: 'author',
};

/** `filter_messages`: the stored messages, before the prompt chooses among them. */
export async function filtered({ earlier, current }: Seen, hooks: HookRun): Promise<Seen> {
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

/** Messages are known by their id. The words of one that is changed or new are those of a function. */
function acceptMessages(answer: JsonValue, before: readonly Message[]): readonly Message[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const byId = new Map(before.map((message) => [message.id, message]));
  const messages: Message[] = [];
  for (const [index, each] of (answer as readonly JsonValue[]).entries()) {
    if (!isRecord(each) || typeof each.content !== 'string') return undefined;
    const known = byId.get(typeof each.id === 'string' ? each.id : '');
    if (known !== undefined)
      messages.push(each.content === known.text ? known : { ...known, text: each.content, rewritten: true });
    else if (each.role === 'user' || each.role === 'assistant')
      messages.push({
        id: `hook_${index}`,
        role: each.role,
        side: each.role === 'user' ? 'b' : 'a',
        turn: 0,
        from: each.role === 'user' ? 'person' : 'model',
        text: each.content,
        rewritten: true,
      });
    else return undefined;
  }
  return messages;
}

/** `prefilter_llm_history`: what is really sent, in the order that it gives, the last stop before the request. */
export async function prefiltered(
  { data }: DefinitionEntry<PromptData>,
  conversation: ConversationHistory,
  hooks: HookRun,
): Promise<ConversationHistory> {
  if (!hooks.has('prefilter_llm_history')) return conversation;
  const sent = sentMessages(data, conversation);
  const kept = await hooks.change<readonly SentMessage[]>('prefilter_llm_history', sent, {
    args: (list) => [list.map(({ message }, index) => llmMessage(message, index))],
    accept: (answer) => acceptSent(answer, sent),
  });
  return chosen(kept);
}

const llmMessage = ({ role, text, calls, callId }: StepMessage, index: number): JsonValue => ({
  index,
  role,
  content: text,
  ...(calls === undefined ? {} : { toolCalls: calls.map((call) => ({ ...call })) }),
  ...(callId === undefined ? {} : { toolCallId: callId }),
});

function acceptSent(answer: JsonValue, sent: readonly SentMessage[]): readonly SentMessage[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const list: SentMessage[] = [];
  for (const each of answer as readonly JsonValue[]) {
    if (!isRecord(each) || typeof each.content !== 'string') return undefined;
    const known = typeof each.index === 'number' ? sent[each.index] : undefined;
    if (known !== undefined && known.message.text === each.content) list.push(known);
    else if (known !== undefined)
      list.push({ ...known, message: { ...known.message, text: each.content, ...HOOKED } });
    else if (each.role === 'user' || each.role === 'assistant')
      list.push({
        message: { role: each.role, text: each.content, ...HOOKED },
        isEarlier: false,
        volatility: 'turn',
      });
    else return undefined;
  }
  return list;
}

/** What a function computed is not the word of whoever it computed it from. */
const HOOKED = { trust: 'tool', origin: { kind: 'result', ref: 'prefilter_llm_history' } } as const;
