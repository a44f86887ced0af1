import { field, listOf } from '../request.js';
import { isDraftSchema, keyProblem, topLevelProblem } from './schema.js';

/** What the Messages API answers with 400, in its words, by its documentation. */
export function refuseMessages(body: unknown): string | undefined {
  return (
    refuseFrame(body) ??
    refuseTools(body) ??
    refuseTurns(listOf(field(body, 'messages')), body) ??
    refuseThinking(body) ??
    refuseSampling(body)
  );
}

/** Numbers of a model, as `4.07` for 4.7; undefined for a name that the API would not know. */
export function claudeNumber(model: unknown): number | undefined {
  const tokens = (/claude-(.*)$/.exec(String(model))?.[1] ?? '').split(/[-.@]/);
  const at = tokens.findIndex((token) => /^\d{1,2}$/.test(token));
  if (at < 0) return undefined;
  const minor = tokens[at + 1] ?? '';
  return Number(tokens[at]) + (/^\d{1,2}$/.test(minor) ? Number(minor) / 100 : 0);
}

const alwaysThinks = (model: unknown): boolean =>
  /claude-(?:fable|mythos)|claude-(?:opus|sonnet)-5-5/.test(String(model));

function refuseFrame(body: unknown): string | undefined {
  if (typeof field(body, 'model') !== 'string') return 'model: Field required';
  const max = field(body, 'max_tokens');
  if (!Number.isInteger(max)) return 'max_tokens: Field required';
  if (Number(max) < 1) return 'max_tokens: Input should be greater than or equal to 1';
  if (listOf(field(body, 'messages')).length === 0) return 'messages: at least one message is required';
  const odd = Object.keys(body as object).find((key) => /[A-Z]/.test(key));
  if (odd !== undefined) return `${odd}: Extra inputs are not permitted`;
  const system = field(body, 'system');
  if (listOf(system).some((part) => isBlank(field(part, 'text'))))
    return 'system: text content blocks must be non-empty';
  if (listOf(field(body, 'stop_sequences')).some(isBlank))
    return 'stop_sequences: each stop sequence must contain non-whitespace';
  if (countBreakpoints(body) > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
  return undefined;
}

/** White space as this API counts it: some of what separates lines elsewhere, and no mark of the order of bytes. */
const isBlank = (value: unknown): boolean =>
  typeof value === 'string' && /^[\p{White_Space}\x1c-\x1f]*$/u.test(value);

function refuseTools(body: unknown): string | undefined {
  const names = new Set<unknown>();
  for (const [index, tool] of listOf(field(body, 'tools')).entries()) {
    const name = field(tool, 'name');
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (names.has(name)) return 'tools: Tool names must be unique.';
    names.add(name);
    const isCustom = field(tool, 'type') === undefined || field(tool, 'type') === 'custom';
    if (!isCustom) continue;
    if (field(tool, 'input_schema', 'type') !== 'object')
      return `tools.${index}.custom.input_schema.type: Field required`;
    const problem = topLevelProblem(field(tool, 'input_schema'));
    if (problem !== undefined)
      return `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    const keys = keyProblem(field(tool, 'input_schema'));
    if (keys !== undefined) return `tools.${index}.custom.input_schema.properties: ${keys}`;
    if (!isDraftSchema(field(tool, 'input_schema')))
      return `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.`;
  }
  const choice = field(body, 'tool_choice');
  if (choice !== undefined && names.size === 0)
    return 'tool_choice may only be specified while providing tools.';
  if (field(choice, 'type') === 'tool' && !names.has(field(choice, 'name')))
    return `tool_choice.tool.name: Tool '${field(choice, 'name')}' not found in provided tools`;
  return undefined;
}

/** Roles take turns loosely, and every result follows the message that holds its call, before any other word. */
function refuseTurns(messages: readonly unknown[], body: unknown): string | undefined {
  let open = new Set<unknown>();
  const ids = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    const role = field(message, 'role');
    if (role !== 'user' && role !== 'assistant' && role !== 'system') {
      return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    }
    if (index === 0 && role === 'assistant') return 'messages: first message must use the "user" role';
    const content = field(message, 'content');
    if (isBlank(content)) return `messages.${index}: text content blocks must contain non-whitespace text`;
    const parts = listOf(content);
    if (typeof content !== 'string' && parts.length === 0)
      return `messages.${index}: all messages must have non-empty content`;
    if (parts.some((part) => field(part, 'type') === 'text' && field(part, 'text') === ''))
      return `messages.${index}: text content blocks must be non-empty`;
    if (parts.some((part) => field(part, 'type') === 'text' && isBlank(field(part, 'text'))))
      return `messages.${index}: text content blocks must contain non-whitespace text`;
    const isResult = parts.map((part) => field(part, 'type') === 'tool_result');
    for (const result of parts.filter((_, at) => isResult[at])) {
      const id = field(result, 'tool_use_id');
      if (!open.delete(id))
        return `messages.${index}: unexpected tool_use_id found in tool_result blocks: ${id}`;
    }
    const isLate = isResult.lastIndexOf(true) > isResult.indexOf(false) && isResult.includes(false);
    if (isLate || (role !== 'system' && open.size > 0)) {
      return `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${[...open].join(', ')}`;
    }
    if (role !== 'assistant') continue;
    const calls = parts.filter((part) => field(part, 'type') === 'tool_use');
    for (const call of calls) {
      const id = field(call, 'id');
      if (!/^[a-zA-Z0-9_-]+$/.test(String(id)))
        return `messages.${index}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      if (ids.has(id)) return `messages.${index}: \`tool_use\` ids must be unique`;
      ids.add(id);
      const input = field(call, 'input');
      if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input)))
        return `messages.${index}.content.tool_use.input: Input should be a valid dictionary`;
    }
    open = new Set(calls.map((part) => field(part, 'id')));
  }
  if (open.size > 0) return 'messages: `tool_use` ids were found without `tool_result` blocks at the end';
  return refusePrefill(messages.at(-1), body);
}

function refusePrefill(last: unknown, body: unknown): string | undefined {
  if (field(last, 'role') !== 'assistant') return undefined;
  const number = claudeNumber(field(body, 'model'));
  if (number !== undefined && number >= 4.06)
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  const content = field(last, 'content');
  const text = typeof content === 'string' ? content : field(listOf(content).at(-1), 'text');
  return typeof text === 'string' && /\s$/.test(text)
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : undefined;
}

function refuseThinking(body: unknown): string | undefined {
  const model = field(body, 'model');
  const number = claudeNumber(model);
  const thinking = field(body, 'thinking');
  const type = field(thinking, 'type');
  const effort = field(body, 'output_config', 'effort');
  if (effort !== undefined) {
    const known = ['low', 'medium', 'high', 'xhigh', 'max'];
    if (!known.includes(String(effort))) return `output_config.effort: Input should be ${known.join(', ')}`;
    if (number !== undefined && number < 4.05)
      return 'output_config.effort: This model does not support effort.';
    if (effort === 'xhigh' && number !== undefined && number < 4.07)
      return "output_config.effort: 'xhigh' is not supported for this model.";
  }
  if (type === 'disabled' && (alwaysThinks(model) || (number !== undefined && number >= 4.07 && number < 5)))
    return '"thinking.type.disabled" is not supported for this model.';
  if (type === 'adaptive' && number !== undefined && number < 4.06)
    return 'thinking.type: adaptive thinking is not supported on this model';
  if (type === 'enabled') {
    if (alwaysThinks(model) || (number !== undefined && number >= 4.07))
      return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
    if (number !== undefined && number < 3.07) return 'thinking: Extra inputs are not permitted';
    const budget = Number(field(thinking, 'budget_tokens'));
    if (!(budget >= 1024))
      return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
    if (budget >= Number(field(body, 'max_tokens')))
      return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  }
  if (type !== 'enabled' && type !== 'adaptive') return undefined;
  if (['any', 'tool'].includes(String(field(body, 'tool_choice', 'type'))))
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  return type === 'enabled' ? refuseLostThought(body) : undefined;
}

/** A model that thinks with a budget wants its thought back in front of the calls that are answered now. */
function refuseLostThought(body: unknown): string | undefined {
  const messages = listOf(field(body, 'messages'));
  const answers = listOf(field(messages.at(-1), 'content')).some(
    (part) => field(part, 'type') === 'tool_result',
  );
  const last = messages.findLast((message) => field(message, 'role') === 'assistant');
  const first = field(listOf(field(last, 'content'))[0], 'type');
  if (!answers || first === 'thinking' || first === 'redacted_thinking') return undefined;
  return `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`.`;
}

function refuseSampling(body: unknown): string | undefined {
  const number = claudeNumber(field(body, 'model'));
  const [temperature, topP, topK] = ['temperature', 'top_p', 'top_k'].map((key) => field(body, key));
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1))
    return 'temperature: range: 0..1';
  const isThinking = ['enabled', 'adaptive'].includes(String(field(body, 'thinking', 'type')));
  if (isThinking && temperature !== undefined && temperature !== 1)
    return '`temperature` may only be set to 1 when thinking is enabled.';
  if (isThinking && topK !== undefined) return '`top_k` must be unset when thinking is enabled.';
  if (number === undefined) return undefined;
  if (number >= 4.07 && [temperature, topP, topK].some((value) => value !== undefined))
    return 'temperature, top_p and top_k are not supported for this model.';
  if (number >= 4.01 && temperature !== undefined && topP !== undefined)
    return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.';
  return undefined;
}

function countBreakpoints(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countBreakpoints(item), 0);
  if (value === null || typeof value !== 'object') return 0;
  const own = 'cache_control' in value && value.cache_control ? 1 : 0;
  return Object.values(value).reduce((sum: number, item) => sum + countBreakpoints(item), own);
}
