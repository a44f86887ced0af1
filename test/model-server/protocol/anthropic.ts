import { field, listOf } from '../request.js';
import { refuseMessages } from '../rules/anthropic.js';
import { argumentsOf, cut, type Step, usageOf } from '../step.js';
import { bearer, type Ids, type Protocol, sse } from './protocol.js';

/** Anthropic's Messages. */
export const anthropic: Protocol = {
  name: 'anthropic',

  credential: (request) => {
    const key = request.headers['x-api-key'];
    return typeof key === 'string' ? key : bearer(request);
  },

  refuse: ({ body, path }) => (path.includes('/count_tokens') ? undefined : refuseMessages(body)),

  side({ body, path, method }) {
    if (method === 'HEAD' || path.includes('/api/hello')) return {};
    if (path.includes('/count_tokens')) return {};
    const system = JSON.stringify(field(body, 'system') ?? '');
    const hasTools = listOf(field(body, 'tools')).length > 0;
    if (!hasTools && system.includes('You are naming a coding session'))
      return { text: '{"title":"Session"}' };
    const last = JSON.stringify(listOf(field(body, 'messages')).at(-1) ?? '');
    if (last.includes('[SUGGESTION MODE')) return { text: 'go on' };
    if (!hasTools && field(body, 'max_tokens') === 1) return { text: 'ok' };
    return undefined;
  },

  streams: ({ body }) => field(body, 'stream') === true,

  stream(step, { body }, ids) {
    const opening = [sse({ type: 'message_start', message: emptyMessage(step, body, ids) }, 'message_start')];
    let index = 0;
    const block = (start: unknown, deltas: readonly unknown[], isLast = true): string[] => {
      const frames = [
        sse({ type: 'content_block_start', index, content_block: start }, 'content_block_start'),
        ...deltas.map((delta) => sse({ type: 'content_block_delta', index, delta }, 'content_block_delta')),
      ];
      if (isLast) frames.push(sse({ type: 'content_block_stop', index }, 'content_block_stop'));
      if (isLast) index += 1;
      return frames;
    };
    if (step.reasoning !== undefined) {
      const deltas = cut(step.reasoning, step).map((thinking) => ({ type: 'thinking_delta', thinking }));
      const signature = { type: 'signature_delta', signature: SIGNATURE };
      opening.push(...block({ type: 'thinking', thinking: '', signature: '' }, [...deltas, signature]));
    }
    const closing: string[] = [];
    if (step.text !== undefined) {
      const deltas = cut(step.text, step).map((text) => ({ type: 'text_delta', text }));
      opening.push(...block({ type: 'text', text: '' }, deltas, false));
      closing.push(sse({ type: 'content_block_stop', index }, 'content_block_stop'));
      index += 1;
    }
    for (const call of step.toolCalls ?? []) {
      const deltas = cut(argumentsOf(call), step).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
      closing.push(
        ...block({ type: 'tool_use', id: call.id ?? ids.next('toolu'), name: call.name, input: {} }, deltas),
      );
    }
    const end = { type: 'message_delta', delta: { stop_reason: stopReason(step), stop_sequence: null } };
    closing.push(sse({ ...end, usage: { output_tokens: usageOf(step).output } }, 'message_delta'));
    closing.push(sse({ type: 'message_stop' }, 'message_stop'));
    return { opening, closing };
  },

  plain(step, { body, path }, ids) {
    if (path.includes('/count_tokens')) return { input_tokens: usageOf(step).input };
    const content = [
      ...(step.reasoning === undefined
        ? []
        : [{ type: 'thinking', thinking: step.reasoning, signature: SIGNATURE }]),
      ...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]),
      ...(step.toolCalls ?? []).map((call) => ({
        type: 'tool_use',
        id: call.id ?? ids.next('toolu'),
        name: call.name,
        input: call.args ?? {},
      })),
    ];
    const message = emptyMessage(step, body, ids);
    return {
      ...message,
      content,
      stop_reason: stopReason(step),
      usage: { ...message.usage, output_tokens: usageOf(step).output },
    };
  },

  streamError: ({ type = 'overloaded_error', message }) =>
    sse({ type: 'error', error: { type, message } }, 'error'),

  errorBody: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
    request_id: 'req_test',
  }),
};

/** What a signed thought carries; opaque to whoever sends it back. */
export const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function emptyMessage(step: Step, body: unknown, ids: Ids) {
  const { input, cached, cacheWrite } = usageOf(step);
  return {
    id: ids.next('msg'),
    type: 'message',
    role: 'assistant',
    model: step.model ?? field(body, 'model'),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input - cached - cacheWrite,
      cache_creation_input_tokens: cacheWrite,
      cache_read_input_tokens: cached,
      output_tokens: 1,
    },
  };
}

function stopReason(step: Step): string {
  if (step.stop === 'length') return 'max_tokens';
  if (step.stop === 'context-window') return 'model_context_window_exceeded';
  if (step.stop === 'content-filter') return 'refusal';
  return step.toolCalls?.length ? 'tool_use' : 'end_turn';
}
