import { guard } from '@cuebook/guard';
import {
  type BlockInput,
  escapedPieces,
  isBelow,
  type Media,
  type Origin,
  type Piece,
  safeJson,
  shellPieces,
  type ToolCall,
  type Trust,
  type Volatility,
} from '@cuebook/prompt';
import type { PromptData } from '../shape/prompt-shape.js';
import { TEXTS } from '../shipped-texts.js';

/** A message of a thread, as the side whose step it is sees it. */
export interface StepMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Who could have written it. By default that of the role: user, agent, tool. */
  readonly trust?: Trust;
  readonly calls?: readonly ToolCall[];
  /** Which call a tool message answers. */
  readonly callId?: string;
  readonly media?: readonly StepMedia[];
  /** What the model thought before it said this. */
  readonly reasoning?: string;
  /** Where it comes from, when that is more than the chat. */
  readonly origin?: Origin;
}

/** A picture or file of a message, and what to tell of a picture that is not sent any more. */
export interface StepMedia extends Media {
  readonly description?: string;
  readonly name?: string;
}

/** What was said before the current turn, and in it. */
export interface ConversationHistory {
  readonly earlier: readonly StepMessage[];
  readonly current: readonly StepMessage[];
  /** What the prompt leaves out is left out already: every message is sent. */
  readonly isChosen?: boolean;
}

/** The model's side of what a conversation may show. */
export interface ModelSight {
  /** False: pictures are told by their description, all of them. */
  readonly vision: boolean;
}

/** The header of the fence around what a model thought in an earlier step. */
export const REASONING_HEADER = 'PAST_REASONING';

/**
 * The blocks of a conversation, one a message. The current turn is always whole; the words of earlier turns are there
 * when the prompt includes the chat, and their calls and results when it includes past tools. Every call is followed
 * by its results in call order. Pictures in the newest messages that are really sent are sent; older ones are
 * described. No message is empty, and the first is never the model's own: vendors refuse both. Pure.
 */
export function conversationBlocks(
  prompt: PromptData,
  conversation: ConversationHistory,
  sight: ModelSight,
): readonly BlockInput[] {
  const sent = sentMessages(prompt, conversation);
  const firstWithImages = sight.vision ? sent.length - prompt.recentImageThreshold : sent.length;
  const showsReasoning = prompt.reasoning?.include === true;
  const blocks = sent.map(({ message, volatility }, index) =>
    messageBlock(message, {
      name: `message-${index + 1}`,
      volatility,
      showsImages: index >= firstWithImages,
      showsReasoning,
    }),
  );
  return guard('compose.opening', blocks[0]?.role === 'assistant') ? [opening(), ...blocks] : blocks;
}

/** What stands before a conversation that the model itself began, or of which it is shown only the later part. */
const opening = (): BlockInput => ({
  name: 'opening',
  role: 'user',
  pieces: [TEXTS.piece('conversation.md#opening', 'session')],
});

/** A message that is really sent, and how often it changes. */
export interface SentMessage {
  readonly message: StepMessage;
  /** It was said before the current turn. */
  readonly isEarlier: boolean;
  readonly volatility: Volatility;
}

/** The messages of a conversation that a prompt's request holds, in their order. */
export function sentMessages(
  { includeChat, includePastTools }: Pick<PromptData, 'includeChat' | 'includePastTools'>,
  { earlier, current, isChosen = false }: ConversationHistory,
): readonly SentMessage[] {
  /** Whether it stands in later turns as it stands here. */
  const isKept = ({ role, calls }: StepMessage): boolean =>
    includeChat && (includePastTools || (role !== 'tool' && !calls?.length));
  const shown = (message: StepMessage): readonly StepMessage[] => {
    if (isChosen || (includeChat && includePastTools)) return [message];
    if (includeChat) return withoutTools(message);
    return includePastTools ? toolsAlone(message) : [];
  };
  const sent = (messages: readonly StepMessage[], isEarlier: boolean): readonly SentMessage[] =>
    inCallOrder(messages.filter(saysSomething)).map((message) => ({
      message,
      isEarlier,
      volatility: isEarlier || isKept(message) ? 'session' : 'turn',
    }));
  return [...sent(earlier.flatMap(shown), true), ...sent(current, false)];
}

/** A conversation of exactly these messages in this order. Earlier ones that stand behind newer ones belong to the turn. */
export function chosen(sent: readonly SentMessage[]): ConversationHistory {
  const newer = sent.findIndex(({ isEarlier }) => !isEarlier);
  const end = newer < 0 ? sent.length : newer;
  const at = sent.slice(end).some(({ isEarlier }) => isEarlier) ? 0 : end;
  const messages = sent.map(({ message }) => message);
  return { earlier: messages.slice(0, at), current: messages.slice(at), isChosen: true };
}

/** Blank text says nothing. The result of a call may be empty. */
const saysSomething = ({ role, text, calls, media }: StepMessage): boolean =>
  role === 'tool' || text.trim() !== '' || Boolean(calls?.length) || Boolean(media?.length);

/** The calls of a message and their results, without the words around them. */
function toolsAlone(message: StepMessage): readonly StepMessage[] {
  if (message.role === 'tool') return [message];
  const { calls, origin, trust } = message;
  if (!calls?.length) return [];
  return [
    {
      role: message.role,
      text: '',
      calls,
      ...(origin === undefined ? {} : { origin }),
      ...(trust === undefined ? {} : { trust }),
    },
  ];
}

function withoutTools(message: StepMessage): readonly StepMessage[] {
  if (message.role === 'tool') return [];
  if (message.calls === undefined) return [message];
  const { calls: _, ...rest } = message;
  return [rest];
}

/** Results right behind the message that asks for them. One that is missing is told; one nobody asked for is left out. */
function inCallOrder(messages: readonly StepMessage[]): readonly StepMessage[] {
  const results = new Map(
    messages.flatMap((each) => (each.callId === undefined ? [] : [[each.callId, each] as const])),
  );
  return messages.flatMap((message): readonly StepMessage[] => {
    if (message.role === 'tool') return [];
    const answers = (message.calls ?? []).map(({ id }) => results.get(id) ?? noResult(id));
    return [message, ...answers];
  });
}

function noResult(callId: string): StepMessage {
  const { text, origin } = TEXTS.piece('conversation.md#call.silent');
  return { role: 'tool', text, trust: 'platform', callId, origin };
}

const ROLE_TRUST: Readonly<Record<StepMessage['role'], Trust>> = {
  user: 'user',
  assistant: 'agent',
  tool: 'tool',
};

interface Showing {
  readonly name: string;
  readonly volatility: Volatility;
  readonly showsImages: boolean;
  readonly showsReasoning: boolean;
}

function messageBlock(
  message: StepMessage,
  { name, volatility, showsImages, showsReasoning }: Showing,
): BlockInput {
  const { role, text, calls, callId, media = [], reasoning, trust = ROLE_TRUST[role] } = message;
  const origin: Origin =
    message.origin ?? (role === 'user' ? { kind: 'input', ref: name } : { kind: 'result', ref: name });
  const piece = (words: string): Piece => ({ text: words, origin, trust, secrecy: 'public', volatility });
  const isImage = ({ type }: StepMedia): boolean => type.startsWith('image/');
  const kept = media.filter((each) => showsImages || !isImage(each));
  const told = media
    .filter((each) => !kept.includes(each))
    // A model wrote the description, or somebody named the file.
    .map((each) => ({
      ...piece(`\n[image: ${describeImage(each)}]`),
      trust: isBelow(trust, 'agent') ? trust : ('agent' as const),
    }));
  const thought =
    showsReasoning && reasoning !== undefined && reasoning !== ''
      ? [
          ...shellPieces({ header: REASONING_HEADER, fields: [], body: [piece(reasoning)], closed: true }),
          piece('\n'),
        ]
      : [];
  // The result of a tool that is JSON stays JSON, and of the same value.
  const words = role === 'tool' ? (safeJson(text) ?? text) : text;
  const said = [...(text === '' ? [] : [piece(words)]), ...told];
  return {
    name,
    role,
    pieces: [...thought, ...(isBelow(trust, 'operator') ? escapedPieces(said) : said)],
    ...(calls === undefined ? {} : { calls }),
    ...(callId === undefined ? {} : { callId }),
    ...(kept.length === 0 ? {} : { media: kept.map(({ type, data }) => ({ type, data })) }),
  };
}

const describeImage = ({ description, name, type }: StepMedia): string => description ?? name ?? type;
