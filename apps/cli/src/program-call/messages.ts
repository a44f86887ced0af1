import type { OfferedTool, ToolCall, toMessages } from '@cuebook/prompt';

type ChatMessage = ReturnType<typeof toMessages>[number];

/** Messages as `generateText` and `streamText` of the AI SDK take them. */
export type AiSdkMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | readonly AiSdkPart[] }
  | { readonly role: 'tool'; readonly content: readonly AiSdkResult[] };

type AiSdkPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    };

interface AiSdkResult {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: 'text'; readonly value: string };
}

export function toAiSdk(messages: readonly ChatMessage[]): readonly AiSdkMessage[] {
  const names = namesOfCalls(messages);
  return messages.map((message): AiSdkMessage => {
    const { role, content, toolCalls, toolCallId = '' } = message;
    if (role === 'tool') {
      const output = { type: 'text', value: content } as const;
      return {
        role,
        content: [{ type: 'tool-result', toolCallId, toolName: names.get(toolCallId) ?? '', output }],
      };
    }
    if (role !== 'assistant' || toolCalls === undefined) return { role, content };
    const calls = toolCalls.map(
      ({ id, name, args }): AiSdkPart => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: name,
        input: args,
      }),
    );
    return {
      role,
      content: [...(content === '' ? [] : [{ type: 'text', text: content } as const]), ...calls],
    };
  });
}

/** Messages of the chat completions of OpenAI and all who speak like it. */
export type OpenAiMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly OpenAiCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

interface OpenAiCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export function toOpenAi(messages: readonly ChatMessage[]): readonly OpenAiMessage[] {
  return messages.map(({ role, content, toolCalls, toolCallId = '' }): OpenAiMessage => {
    if (role === 'tool') return { role, tool_call_id: toolCallId, content };
    if (role !== 'assistant' || toolCalls === undefined) return { role, content };
    const calls = toolCalls.map(
      ({ id, name, args }): OpenAiCall => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }),
    );
    return { role, content: content === '' ? null : content, tool_calls: calls };
  });
}

/** What the messages API of Anthropic takes: system text stands beside the messages. */
export interface AnthropicPrompt {
  readonly system?: string;
  readonly messages: readonly AnthropicMessage[];
}

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly AnthropicPart[];
}

type AnthropicPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content: string };

export function toAnthropic(messages: readonly ChatMessage[]): AnthropicPrompt {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const told: AnthropicMessage[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const last = told.at(-1);
    const { role, content } = anthropicMessage(message);
    // All results of one message are one message.
    if (message.role === 'tool' && last?.role === 'user' && isResults(last.content)) {
      told[told.length - 1] = { role, content: [...last.content, ...(content as readonly AnthropicPart[])] };
    } else told.push({ role, content });
  }
  return { ...(system.length === 0 ? {} : { system: system.join('\n\n') }), messages: told };
}

const isResults = (content: AnthropicMessage['content']): content is readonly AnthropicPart[] =>
  typeof content !== 'string' && content[0]?.type === 'tool_result';

function anthropicMessage({ role, content, toolCalls, toolCallId = '' }: ChatMessage): AnthropicMessage {
  if (role === 'tool')
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolCallId, content }] };
  if (role !== 'assistant' || toolCalls === undefined) {
    return { role: role === 'assistant' ? 'assistant' : 'user', content };
  }
  const calls = toolCalls.map(
    ({ id, name, args }): AnthropicPart => ({ type: 'tool_use', id, name, input: args }),
  );
  return { role, content: [...(content === '' ? [] : [{ type: 'text', text: content } as const]), ...calls] };
}

const namesOfCalls = (messages: readonly ChatMessage[]): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }: ToolCall) => [id, name] as const)),
  );

/** Tools as OpenAI takes them. */
export const toolsForOpenAi = (tools: readonly OfferedTool[]) =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? EMPTY_SCHEMA,
    },
  }));

/** Tools as Anthropic takes them. */
export const toolsForAnthropic = (tools: readonly OfferedTool[]) =>
  tools.map(({ name, description, parameters }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: parameters ?? EMPTY_SCHEMA,
  }));

const EMPTY_SCHEMA = { type: 'object', properties: {} } as const;
