import { field } from '../request.js';
import { refuseResponses } from '../rules/openai.js';
import { argumentsOf, cut, type ScriptedCall, type Step, usageOf } from '../step.js';
import { openaiError } from './openai.js';
import { bearer, type Ids, type Protocol, sse } from './protocol.js';

/** OpenAI's Responses. */
export const openaiResponses: Protocol = {
  name: 'openai-responses',
  credential: bearer,
  refuse: ({ body }) => refuseResponses(body),
  streams: ({ body }) => field(body, 'stream') === true,
  errorBody: openaiError,

  side({ body, method, path }) {
    if (method === 'GET' && path.includes('/models')) return {};
    const schema = JSON.stringify(field(body, 'text', 'format', 'schema') ?? '');
    if (schema.includes('"risk_level"')) {
      return {
        text: '{"risk_level":"low","user_authorization":"high","outcome":"allow","rationale":"test"}',
      };
    }
    if (schema.includes('"title"') && !schema.includes('"answer"')) return { text: '{"title":"Session"}' };
    return undefined;
  },

  stream(step, { body }, ids) {
    const number = counter();
    const event = (type: string, data: object): string =>
      sse({ type, sequence_number: number(), ...data }, type);
    const response = emptyResponse(body, ids);
    const opening = [event('response.created', { response }), event('response.in_progress', { response })];
    const closing: string[] = [];
    const output: unknown[] = [];
    if (step.reasoning !== undefined) {
      const item = reasoningItem(step, ids);
      opening.push(...reasoningEvents(event, item, output.length, step));
      output.push(item);
    }
    if (step.text !== undefined) {
      const item = messageItem(step, ids);
      const parts = textEvents(event, item, output.length, step);
      opening.push(...parts.opening);
      closing.push(...parts.closing);
      output.push(item);
    }
    for (const call of step.toolCalls ?? []) {
      const item = callItem(call, ids);
      closing.push(...callEvents(event, item, output.length, step));
      output.push(item);
    }
    const end =
      step.stop === 'length' || step.stop === 'content-filter' ? 'response.incomplete' : 'response.completed';
    closing.push(event(end, { response: fullResponse(response, output, step) }));
    return { opening, closing };
  },

  plain(step, { body, method }, ids) {
    if (method === 'GET') return { object: 'list', data: [], models: [] };
    const output = [
      ...(step.reasoning === undefined ? [] : [reasoningItem(step, ids)]),
      ...(step.text === undefined ? [] : [messageItem(step, ids)]),
      ...(step.toolCalls ?? []).map((call) => callItem(call, ids)),
    ];
    return fullResponse(emptyResponse(body, ids), output, step);
  },

  streamError({ type = 'server_error', message }, ids) {
    const response = { id: ids.next('resp'), object: 'response', created_at: 0, status: 'failed' };
    const failed = { ...response, error: { code: type, message }, output: [] };
    return sse({ type: 'response.failed', sequence_number: 999, response: failed }, 'response.failed');
  },
};

type Emit = (type: string, data: object) => string;
type Item = Readonly<Record<string, unknown>> & { readonly id: string };

function counter(): () => number {
  let value = -1;
  return () => {
    value += 1;
    return value;
  };
}

const emptyResponse = (body: unknown, ids: Ids) => ({
  id: ids.next('resp'),
  object: 'response',
  created_at: 0,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  model: field(body, 'model'),
  output: [] as readonly unknown[],
});

function fullResponse(response: object, output: readonly unknown[], step: Step) {
  const { input, output: written, cached, cacheWrite, reasoning } = usageOf(step);
  const isCut = step.stop === 'length' || step.stop === 'content-filter';
  const reason = step.stop === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    ...response,
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason } : null,
    output,
    usage: {
      input_tokens: input,
      input_tokens_details: {
        cached_tokens: cached,
        ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
      },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + written,
    },
  };
}

const reasoningItem = (step: Step, ids: Ids): Item => ({
  id: ids.next('rs'),
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: step.reasoning }],
  encrypted_content: 'b3BhcXVl',
});

const messageItem = (step: Step, ids: Ids): Item => ({
  id: ids.next('msg'),
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: step.text, annotations: [], logprobs: [] }],
});

function callItem(call: ScriptedCall, ids: Ids): Item {
  const base = { status: 'completed', call_id: call.id ?? ids.next('call'), name: call.name };
  const more = call.namespace === undefined ? {} : { namespace: call.namespace };
  if (call.input !== undefined)
    return { id: ids.next('ctc'), type: 'custom_tool_call', ...base, ...more, input: call.input };
  return { id: ids.next('fc'), type: 'function_call', ...base, ...more, arguments: argumentsOf(call) };
}

function reasoningEvents(event: Emit, item: Item, output_index: number, step: Step): readonly string[] {
  const place = { item_id: item.id, output_index, summary_index: 0 };
  const text = step.reasoning ?? '';
  return [
    event('response.output_item.added', { output_index, item: { ...item, summary: [] } }),
    event('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } }),
    ...cut(text, step).map((delta) => event('response.reasoning_summary_text.delta', { ...place, delta })),
    event('response.reasoning_summary_text.done', { ...place, text }),
    event('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } }),
    event('response.output_item.done', { output_index, item }),
  ];
}

function textEvents(event: Emit, item: Item, output_index: number, step: Step) {
  const place = { item_id: item.id, output_index, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const text = step.text ?? '';
  return {
    opening: [
      event('response.output_item.added', {
        output_index,
        item: { ...item, status: 'in_progress', content: [] },
      }),
      event('response.content_part.added', { ...place, part }),
      ...cut(text, step).map((delta) =>
        event('response.output_text.delta', { ...place, delta, logprobs: [] }),
      ),
    ],
    closing: [
      event('response.output_text.done', { ...place, text, logprobs: [] }),
      event('response.content_part.done', { ...place, part: { ...part, text } }),
      event('response.output_item.done', { output_index, item }),
    ],
  };
}

function callEvents(event: Emit, item: Item, output_index: number, step: Step): readonly string[] {
  const isCustom = item.type === 'custom_tool_call';
  const key = isCustom ? 'input' : 'arguments';
  const name = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const text = String(item[key]);
  const place = { item_id: item.id, output_index };
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', [key]: '' },
    }),
    ...cut(text, step).map((delta) => event(`${name}.delta`, { ...place, delta })),
    event(`${name}.done`, { ...place, [key]: text }),
    event('response.output_item.done', { output_index, item }),
  ];
}
