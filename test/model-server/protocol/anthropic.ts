import { field, listOf } from '../request.js';
import { argumentsOf, cut, type Step, usageOf } from '../step.js';
import { bearer, type Ids, type Protocol, sse } from './protocol.js';

/** Anthropic's Messages. */
export const anthropic: Protocol = {
  name: 'anthropic',

  credential: (request) => {
    const key = request.headers['x-api-key'];
    return typeof key === 'string' ? key : bearer(request);
  },

  refuse({ body, path }) {
    if (path.includes('/count_tokens')) return undefined;
    if (typeof field(body, 'model') !== 'string') return 'model: Field required';
    if (!Number.isInteger(field(body, 'max_tokens'))) return 'max_tokens: Field required';
    const messages = listOf(field(body, 'messages'));
    if (messages.length === 0) return 'messages: at least one message is required';
    for (const tool of listOf(field(body, 'tools'))) {
      const name = field(tool, 'name');
      if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
        return "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
      }
      const isCustom = field(tool, 'type') === undefined || field(tool, 'type') === 'custom';
      if (isCustom && field(tool, 'input_schema', 'type') !== 'object') {
        return 'tools.0.custom.input_schema.type: Field required';
      }
    }
    if (countBreakpoints(body) > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
    return refuseMessages(messages) ?? refuseThinking(body, messages);
  },

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
    model: field(body, 'model'),
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
  if (step.stop === 'content-filter') return 'refusal';
  return step.toolCalls?.length ? 'tool_use' : 'end_turn';
}

/** Roles take turns loosely, but every result follows the message that holds its call. */
function refuseMessages(messages: readonly unknown[]): string | undefined {
  let open = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    const role = field(message, 'role');
    if (role !== 'user' && role !== 'assistant' && role !== 'system') {
      return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    }
    const content = field(message, 'content');
    if (typeof content !== 'string' && listOf(content).length === 0) {
      return `messages.${index}: all messages must have non-empty content`;
    }
    const parts = listOf(content);
    if (parts.some((part) => field(part, 'type') === 'text' && field(part, 'text') === '')) {
      return `messages.${index}: text content blocks must be non-empty`;
    }
    const answered = parts.filter((part) => field(part, 'type') === 'tool_result');
    for (const result of answered) {
      const id = field(result, 'tool_use_id');
      if (!open.delete(id))
        return `messages.${index}: unexpected tool_use_id found in tool_result blocks: ${id}`;
    }
    if (role !== 'system' && open.size > 0) {
      return `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${[...open].join(', ')}`;
    }
    if (role !== 'assistant') continue;
    const calls = parts.filter((part) => field(part, 'type') === 'tool_use');
    open = new Set(calls.map((part) => field(part, 'id')));
  }
  return undefined;
}

/** A model that thinks with a budget wants its thought back in front of the calls that are answered now. */
function refuseThinking(body: unknown, messages: readonly unknown[]): string | undefined {
  if (field(body, 'thinking', 'type') !== 'enabled') return undefined;
  const answers = listOf(field(messages.at(-1), 'content')).some(
    (part) => field(part, 'type') === 'tool_result',
  );
  const last = messages.findLast((message) => field(message, 'role') === 'assistant');
  const first = field(listOf(field(last, 'content'))[0], 'type');
  if (!answers || first === 'thinking' || first === 'redacted_thinking') return undefined;
  return `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`.`;
}

function countBreakpoints(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countBreakpoints(item), 0);
  if (value === null || typeof value !== 'object') return 0;
  const own = 'cache_control' in value && value.cache_control ? 1 : 0;
  return Object.values(value).reduce((sum: number, item) => sum + countBreakpoints(item), own);
}
