import { field, listOf } from '../request.js';
import { refuseChat } from '../rules/openai.js';
import { argumentsOf, cut, type Step, usageOf } from '../step.js';
import { openaiError } from './openai.js';
import { bearer, type Protocol, sse } from './protocol.js';

/** OpenAI's Chat Completions, which many others speak too. */
export const openaiChat: Protocol = {
  name: 'openai-chat',
  credential: bearer,
  refuse: ({ body }) => refuseChat(body),
  streams: ({ body }) => field(body, 'stream') === true,
  errorBody: openaiError,

  side({ body }) {
    const hasTools = listOf(field(body, 'tools')).length > 0;
    const first = JSON.stringify(listOf(field(body, 'messages'))[0] ?? '');
    return !hasTools && first.includes('title generator') ? { text: 'Session' } : undefined;
  },

  stream(step, { body }, ids) {
    const base = {
      id: ids.next('chatcmpl'),
      object: 'chat.completion.chunk',
      created: 0,
      model: step.model ?? field(body, 'model'),
    };
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      sse({ ...base, choices: [{ index: 0, delta, finish_reason }] });
    const opening = [
      chunk({ role: 'assistant', content: '' }),
      ...cut(step.reasoning ?? '', step).map((part) => chunk({ reasoning_content: part })),
      ...cut(step.text ?? '', step).map((content) => chunk({ content })),
    ];
    const closing = (step.toolCalls ?? []).flatMap((call, index) => {
      const head = { index, id: call.id ?? ids.next('call'), type: 'function' };
      return [
        chunk({ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] }),
        ...cut(argumentsOf(call), step).map((part) =>
          chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
        ),
      ];
    });
    closing.push(chunk({}, finishReason(step)));
    if (field(body, 'stream_options', 'include_usage') === true) {
      closing.push(sse({ ...base, choices: [], usage: usageBody(step) }));
    }
    return { opening, closing: [...closing, 'data: [DONE]\n\n'] };
  },

  plain(step, { body }, ids) {
    const calls = (step.toolCalls ?? []).map((call) => ({
      id: call.id ?? ids.next('call'),
      type: 'function',
      function: { name: call.name, arguments: argumentsOf(call) },
    }));
    const message = {
      role: 'assistant',
      content: step.text ?? null,
      ...(step.reasoning !== undefined && { reasoning_content: step.reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return {
      id: ids.next('chatcmpl'),
      object: 'chat.completion',
      created: 0,
      model: step.model ?? field(body, 'model'),
      choices: [{ index: 0, message, finish_reason: finishReason(step) }],
      usage: usageBody(step),
    };
  },

  streamError: ({ type = 'server_error', message }) =>
    sse({ error: { message, type, param: null, code: null } }),
};

function finishReason(step: Step): string {
  if (step.stop === 'length' || step.stop === 'context-window') return 'length';
  if (step.stop === 'content-filter') return 'content_filter';
  return step.toolCalls?.length ? 'tool_calls' : 'stop';
}

function usageBody(step: Step) {
  const { input, output, cached, reasoning } = usageOf(step);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
