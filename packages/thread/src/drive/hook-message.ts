import type { JsonValue } from '@cuebook/prompt';
import type { Message, NewMessage } from '../run/message.js';

/** A message as hooks see it. */
export type HookMessage = { readonly [key: string]: JsonValue };

const OWN = new Set([
  'id',
  'role',
  'content',
  'toolCalls',
  'toolCallId',
  'name',
  'status',
  'reasoning',
  'attachments',
  'silent',
  'metadata',
]);

export const toHookMessage = (message: NewMessage | Message): HookMessage => ({
  id: message.id,
  role: message.role,
  content: message.text,
  ...(message.calls === undefined ? {} : { toolCalls: message.calls.map((call) => ({ ...call })) }),
  ...(message.callId === undefined ? {} : { toolCallId: message.callId }),
  ...(message.name === undefined ? {} : { name: message.name }),
  ...(message.isError === undefined ? {} : { status: message.isError ? 'error' : 'success' }),
  ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
  ...(message.attachments === undefined ? {} : { attachments: message.attachments.map(({ path }) => path) }),
  ...(message.silent === undefined ? {} : { silent: true }),
  ...(message.subagent === undefined ? {} : { metadata: { subagent_id: message.subagent } }),
  ...message.extra,
});

export const isRecord = (value: unknown): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What hooks added beside the fields that every message has. */
export function extraOf(message: HookMessage): Message['extra'] {
  const more = Object.entries(message).filter(([key]) => !OWN.has(key));
  return more.length === 0 ? undefined : Object.fromEntries(more);
}

/** A message that a hook may change: its words, and what stands beside them. */
export const changingMessage = {
  args: (message: HookMessage): readonly JsonValue[] => [message],
  accept: (answer: JsonValue, before: HookMessage): HookMessage | undefined => {
    if (
      !isRecord(answer) ||
      ('content' in answer && typeof answer.content !== 'string' && answer.content !== null)
    )
      return undefined;
    const { id, role, toolCalls, toolCallId } = before;
    return {
      ...answer,
      content: answer.content ?? before.content ?? null,
      ...(id === undefined ? {} : { id }),
      ...(role === undefined ? {} : { role }),
      ...(toolCalls === undefined ? {} : { toolCalls }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
  },
};

export const wordsOf = ({ content }: HookMessage): string => (typeof content === 'string' ? content : '');
