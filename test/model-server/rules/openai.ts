import { field, listOf } from '../request.js';
import { isDraftSchema, listProblem, strictProblem, topLevelProblem } from './schema.js';

/** What OpenAI's two APIs answer with 400, in their words, by their documentation. */

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const isBlankList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** `5.01` for gpt-5.1, 0 for a model that thinks by another name; undefined for a name that says nothing. */
function gptNumber(model: unknown): number | undefined {
  const name = String(model);
  if (/^o\d+(?:-|$)/.test(name)) return 0;
  const [, major, minor, variant = ''] = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(name) ?? [];
  if (major === undefined) return undefined;
  return variant.startsWith('chat') ? 4 : Number(major) + Number(minor ?? 0) / 100;
}

const isThinker = (number: number | undefined): boolean =>
  number === 0 || (number !== undefined && number >= 5);

function refuseEffort(model: unknown, effort: unknown, param: string): string | undefined {
  if (effort === undefined) return undefined;
  const number = gptNumber(model);
  if (number === undefined) return undefined;
  const refused = (known: readonly string[]) =>
    known.includes(String(effort))
      ? undefined
      : `Unsupported value: '${param}' does not support '${effort}' with this model. Supported values are: ${known.join(', ')}.`;
  if (!isThinker(number)) return `Unsupported parameter: '${param}' is not supported with this model.`;
  if (number === 0) return refused(['low', 'medium', 'high']);
  if (/-pro/.test(String(model))) return refused(number < 5.02 ? ['high'] : ['medium', 'high', 'xhigh']);
  if (number < 5.01) return refused(['minimal', 'low', 'medium', 'high']);
  if (number < 5.02) return refused(['none', 'low', 'medium', 'high']);
  return refused(['none', 'low', 'medium', 'high', 'xhigh', 'max']);
}

function refuseSampling(body: unknown, effort: unknown): string | undefined {
  const number = gptNumber(field(body, 'model'));
  if (!isThinker(number) || (number !== undefined && number >= 5.01 && number < 6 && effort === 'none'))
    return undefined;
  const set = [
    'temperature',
    'top_p',
    'presence_penalty',
    'frequency_penalty',
    'logprobs',
    'logit_bias',
  ].find((key) => field(body, key) !== undefined);
  return set === undefined ? undefined : `Unsupported parameter: '${set}' is not supported with this model.`;
}

function refuseFormat(format: unknown, words: string, place: string): string | undefined {
  const type = field(format, 'type');
  if (type === undefined || type === 'text') return undefined;
  if (type === 'json_object') {
    return /json/i.test(words)
      ? undefined
      : `'messages' must contain the word 'json' in some form, to use '${place}' of type 'json_object'.`;
  }
  if (type !== 'json_schema')
    return `Invalid value: '${type}'. Supported values are: 'json_object', 'json_schema', 'text'.`;
  const inner = field(format, 'json_schema') ?? format;
  if (!TOOL_NAME.test(String(field(inner, 'name'))))
    return `Invalid '${place}.name': string does not match pattern.`;
  const schema = field(inner, 'schema');
  const problem =
    field(inner, 'strict') === true
      ? (topLevelProblem(schema) ?? strictProblem(schema))
      : field(schema, 'type') === 'object'
        ? undefined
        : 'schema must be a JSON Schema of \'type: "object"\'';
  return problem === undefined ? undefined : `Invalid schema for ${place}: ${problem}`;
}

function refuseTool(tool: unknown, place: string): string | undefined {
  const name = field(tool, 'name');
  if (!TOOL_NAME.test(String(name)))
    return `Invalid '${place}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  const parameters = field(tool, 'parameters');
  if (parameters === undefined) return undefined;
  const problem =
    topLevelProblem(parameters) ??
    listProblem(parameters) ??
    (isDraftSchema(parameters) ? undefined : 'it is not valid under any of the given schemas') ??
    (field(tool, 'strict') === true ? strictProblem(parameters) : undefined);
  return problem === undefined ? undefined : `Invalid schema for function '${name}': ${problem}`;
}

function refuseChoice(body: unknown, names: readonly unknown[]): string | undefined {
  if (names.length === 0 && field(body, 'parallel_tool_calls') !== undefined)
    return "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.";
  const choice = field(body, 'tool_choice');
  if (choice === undefined) return undefined;
  if (names.length === 0)
    return "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.";
  const wanted = field(choice, 'function', 'name') ?? field(choice, 'name');
  return wanted === undefined || names.includes(wanted)
    ? undefined
    : `Invalid value for 'tool_choice': function '${wanted}' not found in 'tools'.`;
}

function refuseFrame(body: unknown): string | undefined {
  const odd = Object.keys(body as object).find((key) => /[A-Z]/.test(key));
  if (odd !== undefined) return `Unrecognized request argument supplied: ${odd}`;
  const key = field(body, 'prompt_cache_key');
  return typeof key === 'string' && key.length > 64
    ? "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64."
    : undefined;
}

const CHAT_FIELDS: ReadonlySet<string> = new Set(
  'model messages stream stream_options tools tool_choice parallel_tool_calls temperature top_p max_tokens max_completion_tokens stop seed n user store metadata prompt_cache_key prompt_cache_options safety_identifier service_tier reasoning_effort verbosity response_format presence_penalty frequency_penalty logit_bias logprobs top_logprobs modalities audio prediction web_search_options'.split(
    ' ',
  ),
);

/** Chat Completions. */
export function refuseChat(body: unknown): string | undefined {
  if (typeof field(body, 'model') !== 'string') return 'you must provide a model parameter';
  const messages = listOf(field(body, 'messages'));
  if (messages.length === 0) return "Invalid 'messages': empty array.";
  const unknown = Object.keys(body as object).find((key) => !CHAT_FIELDS.has(key));
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  const tools = listOf(field(body, 'tools'));
  if (isBlankList(field(body, 'tools'))) return "Invalid 'tools': empty array.";
  for (const [index, tool] of tools.entries()) {
    const problem = refuseTool(field(tool, 'function'), `tools[${index}].function`);
    if (problem !== undefined) return problem;
  }
  if (field(body, 'stream_options') !== undefined && field(body, 'stream') !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  const number = gptNumber(field(body, 'model'));
  if (isThinker(number) && field(body, 'max_tokens') !== undefined)
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const stop = [field(body, 'stop') ?? []].flat();
  if (stop.length > 4) return "Invalid 'stop': array too long. Expected an array with maximum length 4.";
  if (isThinker(number) && stop.length > 0)
    return "Unsupported parameter: 'stop' is not supported with this model.";
  const effort = field(body, 'reasoning_effort');
  return (
    refuseFrame(body) ??
    refuseChoice(
      body,
      tools.map((tool) => field(tool, 'function', 'name')),
    ) ??
    refuseEffort(field(body, 'model'), effort, 'reasoning_effort') ??
    refuseSampling(body, effort) ??
    refuseFormat(field(body, 'response_format'), JSON.stringify(messages), 'response_format') ??
    refuseChatTurns(messages)
  );
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

function refuseChatTurns(messages: readonly unknown[]): string | undefined {
  let open = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    const role = field(message, 'role');
    if (!ROLES.includes(String(role)))
      return `Invalid value: '${role}'. Supported values are: ${ROLES.join(', ')}.`;
    const content = field(message, 'content');
    const calls = listOf(field(message, 'tool_calls'));
    if (isBlankList(content)) return `Invalid 'messages[${index}].content': empty array.`;
    if (role === 'tool') {
      const isAnswer = open.delete(field(message, 'tool_call_id'));
      if (!isAnswer)
        return `Invalid parameter: messages.[${index}]: a tool message must answer a preceding tool call.`;
      if (listOf(content).some((part) => field(part, 'type') !== 'text'))
        return `Invalid 'messages[${index}].content': tool messages hold text alone.`;
    } else if (open.size > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to: ${[...open].join(', ')}`;
    } else if (content === undefined || content === null) {
      if (role !== 'assistant' || calls.length === 0)
        return `Invalid value for 'content': expected a string, got null. (messages[${index}])`;
    }
    if (role !== 'assistant') continue;
    if (isBlankList(field(message, 'tool_calls')))
      return `Invalid 'messages[${index}].tool_calls': empty array. Expected an array with minimum length 1.`;
    for (const call of calls) {
      const [id, name, args] = [
        field(call, 'id'),
        field(call, 'function', 'name'),
        field(call, 'function', 'arguments'),
      ];
      if (typeof id !== 'string' || id === '' || id.length > 40)
        return `Invalid 'messages[${index}].tool_calls[0].id': Expected a string with maximum length 40.`;
      if (name !== undefined && !TOOL_NAME.test(String(name)))
        return `Invalid 'messages[${index}].tool_calls[0].function.name': string does not match pattern.`;
      if (args !== undefined && typeof args !== 'string')
        return `Invalid type for 'messages[${index}].tool_calls[0].function.arguments': expected a string.`;
    }
    open = new Set(calls.map((call) => field(call, 'id')));
    if (open.size < calls.length) return `Duplicate value for 'tool_call_id' in messages[${index}].`;
  }
  return open.size > 0 ? 'An assistant message with tool_calls has no tool messages behind it.' : undefined;
}

/** Responses. */
export function refuseResponses(body: unknown): string | undefined {
  if (typeof field(body, 'model') !== 'string') return "Missing required parameter: 'model'.";
  const input = field(body, 'input');
  if (typeof input !== 'string' && listOf(input).length === 0) return "Missing required parameter: 'input'.";
  const tools = listOf(field(body, 'tools'));
  for (const [index, tool] of tools.entries()) {
    const problem = field(tool, 'type') === 'function' ? refuseTool(tool, `tools[${index}]`) : undefined;
    if (problem !== undefined) return problem;
  }
  const max = field(body, 'max_output_tokens');
  if (max !== undefined && Number(max) < 16)
    return "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.";
  const effort = field(body, 'reasoning', 'effort');
  return (
    refuseFrame(body) ??
    refuseChoice(
      body,
      tools.map((tool) => field(tool, 'name') ?? field(tool, 'type')),
    ) ??
    refuseEffort(field(body, 'model'), effort, 'reasoning.effort') ??
    refuseSampling(body, effort) ??
    refuseFormat(field(body, 'text', 'format'), JSON.stringify(input), 'text.format') ??
    refuseItems(listOf(input))
  );
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image', 'input_file', 'input_audio'],
  system: ['input_text'],
  developer: ['input_text'],
  assistant: ['output_text', 'refusal', 'input_text'],
};

function refuseItems(items: readonly unknown[]): string | undefined {
  const called = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const type = field(item, 'type');
    const role = field(item, 'role');
    if (type === undefined || type === 'message') {
      const known = PARTS[String(role)];
      if (known === undefined) return `Invalid value: '${role}'. (input[${index}].role)`;
      if (isBlankList(field(item, 'content'))) return `Invalid 'input[${index}].content': empty array.`;
      const odd = listOf(field(item, 'content')).find((part) => !known.includes(String(field(part, 'type'))));
      if (odd !== undefined)
        return `Invalid value: '${field(odd, 'type')}'. Supported values are: ${known.join(', ')}. (input[${index}].content)`;
    }
    if (type === 'reasoning') {
      const next = items[index + 1];
      const isFollowed = ['function_call', 'custom_tool_call', 'reasoning'].includes(
        String(field(next, 'type')),
      );
      if (!isFollowed && field(next, 'role') !== 'assistant')
        return `Item '${field(item, 'id')}' of type 'reasoning' was provided without its required following item.`;
    }
    if (type === 'function_call' || type === 'custom_tool_call') {
      const [id, args, name] = [field(item, 'call_id'), field(item, 'arguments'), field(item, 'name')];
      if (typeof id !== 'string' || id === '' || id.length > 64)
        return `Invalid 'input[${index}].call_id': Expected a string with maximum length 64.`;
      if (args !== undefined && typeof args !== 'string')
        return `Invalid type for 'input[${index}].arguments': expected a string.`;
      if (type === 'function_call' && name !== undefined && !/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)))
        return `Invalid 'input[${index}].name': string does not match pattern.`;
      if (called.has(id)) return `Duplicate call_id ${id}.`;
      called.add(id);
    }
    if (type !== 'function_call_output' && type !== 'custom_tool_call_output') continue;
    const id = field(item, 'call_id');
    if (!called.delete(id)) return `No tool call found for function call output with call_id ${id}.`;
  }
  if (called.size > 0) return `No tool output found for function call ${[...called].join(', ')}.`;
  return undefined;
}
