import { describe, expect, it } from 'vitest';
import { refuseMessages } from './anthropic.js';
import { refuseGenerate } from './google.js';
import { refuseChat, refuseResponses } from './openai.js';

/** Requests that real APIs answer with 400, each with a word of what they say. */

const user = { role: 'user', content: 'Hi' };
const object = { type: 'object', properties: { a: { type: 'string' } } };

describe('Messages of Anthropic', () => {
  const base = { model: 'claude-sonnet-4-5', max_tokens: 2_000, messages: [user] };
  const use = (id: string) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 't', input: {} }],
  });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
  const tools = [{ name: 't', input_schema: object }];
  it.each([
    ['a blank text', { messages: [{ role: 'user', content: ' \n' }] }, 'non-whitespace'],
    ['an answer first', { messages: [{ role: 'assistant', content: 'x' }, user] }, 'first message'],
    [
      'text before a result',
      { messages: [user, use('a'), { role: 'user', content: [{ type: 'text', text: 'x' }, result('a')] }] },
      'immediately after',
    ],
    [
      'a result in another message',
      { messages: [user, use('a'), user, { role: 'user', content: [result('a')] }] },
      'without tool_result',
    ],
    [
      'an id with a colon',
      { messages: [user, use('a:b'), { role: 'user', content: [result('a:b')] }] },
      'pattern',
    ],
    [
      'an id twice',
      {
        messages: [
          user,
          use('a'),
          { role: 'user', content: [result('a')] },
          use('a'),
          { role: 'user', content: [result('a')] },
        ],
      },
      'unique',
    ],
    ['two tools of one name', { tools: [...tools, ...tools] }, 'unique'],
    [
      'alternatives at the top',
      { tools: [{ name: 't', input_schema: { type: 'object', anyOf: [object] } }] },
      'top level',
    ],
    [
      'an odd name of an argument',
      { tools: [{ name: 't', input_schema: { type: 'object', properties: { $top: {} } } }] },
      'Property keys',
    ],
    [
      'a schema of another draft',
      {
        tools: [
          { name: 't', input_schema: { type: 'object', properties: { a: { exclusiveMinimum: true } } } },
        ],
      },
      'draft 2020-12',
    ],
    [
      'white space of another alphabet',
      { messages: [{ role: 'user', content: '\u0085\x1c' }] },
      'non-whitespace',
    ],
    ['a choice without tools', { tool_choice: { type: 'any' } }, 'tool_choice'],
    ['an odd field', { promptCacheKey: 'x' }, 'Extra inputs'],
    ['a budget below the least', { thinking: { type: 'enabled', budget_tokens: 1_000 } }, '1024'],
    ['a budget above the limit', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, 'greater than'],
    [
      'a budget for a model that chooses',
      { model: 'claude-opus-4-7', thinking: { type: 'enabled', budget_tokens: 1_024 } },
      'adaptive',
    ],
    ['adaptive for an older model', { thinking: { type: 'adaptive' } }, 'not supported'],
    [
      'no thinking where it always thinks',
      { model: 'claude-fable-5', thinking: { type: 'disabled' } },
      'disabled',
    ],
    [
      'a temperature beside thinking',
      { temperature: 0.5, thinking: { type: 'enabled', budget_tokens: 1_024 } },
      'temperature',
    ],
    ['a temperature for a new model', { model: 'claude-opus-4-7', temperature: 0.5 }, 'not supported'],
    ['a temperature too high', { temperature: 1.5 }, 'range'],
    [
      'thinking and a forced tool',
      { tools, tool_choice: { type: 'any' }, thinking: { type: 'enabled', budget_tokens: 1_024 } },
      'forces',
    ],
    [
      'xhigh for 4.6',
      { model: 'claude-opus-4-6', thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
      'xhigh',
    ],
    [
      'words to go on from',
      { model: 'claude-opus-4-6', messages: [user, { role: 'assistant', content: 'And' }] },
      'prefill',
    ],
  ])('refuses %s', (_what, more, word) => {
    expect(refuseMessages({ ...base, ...more })).toContain(word);
    expect(refuseMessages(base)).toBeUndefined();
  });
});

describe('Chat Completions of OpenAI', () => {
  const base = { model: 'gpt-4.1', messages: [user] };
  const call = (id: string, args: unknown = '{}') => ({
    id,
    type: 'function',
    function: { name: 't', arguments: args },
  });
  const tools = [{ type: 'function', function: { name: 't', parameters: object } }];
  const answered = (id: string, args?: unknown) => [
    { role: 'assistant', content: null, tool_calls: [call(id, args)] },
    { role: 'tool', tool_call_id: id, content: 'x' },
  ];
  const format = (schema: object, strict = true) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict } },
  });
  it.each([
    ['a flag in camel case', { parallelToolCalls: true }, 'Unrecognized'],
    ['no words', { messages: [{ role: 'user', content: null }] }, 'content'],
    ['an id that is too long', { messages: [user, ...answered('x'.repeat(41))] }, 'maximum length 40'],
    ['arguments that are an object', { messages: [user, ...answered('a', {})] }, 'arguments'],
    [
      'a picture in a result',
      {
        messages: [
          user,
          { role: 'assistant', tool_calls: [call('a')] },
          { role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url' }] },
        ],
      },
      'text',
    ],
    [
      'a list of nothing that is told',
      {
        tools: [
          {
            type: 'function',
            function: { name: 't', parameters: { type: 'object', properties: { a: { type: 'array' } } } },
          },
        ],
      },
      'array schema missing items',
    ],
    [
      'a type that there is not',
      {
        tools: [
          {
            type: 'function',
            function: { name: 't', parameters: { type: 'object', properties: { a: { type: 'any' } } } },
          },
        ],
      },
      'not valid under any',
    ],
    ['a parallel flag without tools', { parallel_tool_calls: true }, 'tools'],
    [
      'a choice that is not offered',
      { tools, tool_choice: { type: 'function', function: { name: 'z' } } },
      'not found',
    ],
    ['five stop texts', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    ['JSON that nobody speaks of', { response_format: { type: 'json_object' } }, 'json'],
    ['a strict schema that is open', format(object), 'additionalProperties'],
    ['a strict schema with an optional', format({ ...object, additionalProperties: false }), 'required'],
    ['a schema that is no object', format({ type: 'array', items: {} }, false), 'object'],
    ['an effort for a model that does not think', { reasoning_effort: 'low' }, 'Unsupported'],
    ['max_tokens for a model that thinks', { model: 'gpt-5', max_tokens: 9 }, 'max_completion_tokens'],
    ['a temperature for a model that thinks', { model: 'o3', temperature: 0.1 }, 'temperature'],
    ['an effort that it does not have', { model: 'gpt-5.1', reasoning_effort: 'minimal' }, 'minimal'],
    ['usage without a stream', { stream_options: {} }, 'stream'],
    ['a long key of a cache', { prompt_cache_key: 'x'.repeat(65) }, 'prompt_cache_key'],
  ])('refuses %s', (_what, more, word) => {
    expect(refuseChat({ ...base, ...more })).toContain(word);
    expect(refuseChat({ ...base, tools, messages: [user, ...answered('a')] })).toBeUndefined();
  });
});

describe('Responses of OpenAI', () => {
  const base = { model: 'gpt-5', input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }] };
  const [hi] = base.input;
  it.each([
    ['too low a limit', { max_output_tokens: 8 }, '>= 16'],
    ['a temperature', { temperature: 0.5 }, 'temperature'],
    ['an effort that it does not have', { reasoning: { effort: 'none' } }, 'none'],
    [
      'a thought alone',
      { input: [hi, { type: 'reasoning', id: 'rs_1', summary: [] }, hi] },
      'following item',
    ],
    [
      'words of another kind',
      { input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
      'Supported values',
    ],
    [
      'a strict tool that is open',
      { tools: [{ type: 'function', name: 't', parameters: object, strict: true }] },
      'additionalProperties',
    ],
    [
      'alternatives at the top',
      { tools: [{ type: 'function', name: 't', parameters: { type: 'object', oneOf: [] } }] },
      'top level',
    ],
    [
      'a call id twice',
      { input: [hi, { type: 'function_call', call_id: 'a' }, { type: 'function_call', call_id: 'a' }] },
      'Duplicate',
    ],
  ])('refuses %s', (_what, more, word) => {
    expect(refuseResponses({ ...base, ...more })).toContain(word);
    expect(refuseResponses(base)).toBeUndefined();
  });
});

describe('generateContent of Google', () => {
  const hi = { role: 'user', parts: [{ text: 'Hi' }] };
  const calls = (...names: string[]) => ({
    role: 'model',
    parts: names.map((name) => ({ functionCall: { name, args: {} } })),
  });
  const results = (...names: string[]) => ({
    role: 'user',
    parts: names.map((name) => ({ functionResponse: { name, response: {} } })),
  });
  const tool = (parameters: object, name = 't') => ({
    tools: [{ functionDeclarations: [{ name, parameters }] }],
  });
  it.each([
    [
      'one result of two',
      { contents: [hi, calls('a', 'b'), results('a'), results('b')] },
      'number of function response',
    ],
    ['results out of order', { contents: [hi, calls('a', 'b'), results('b', 'a')] }, 'order'],
    ['a result without a call', { contents: [hi, results('a')] }, 'immediately after'],
    ['a call first', { contents: [calls('a'), results('a')] }, 'function call turn'],
    ['an answer last', { contents: [hi, { role: 'model', parts: [{ text: 'x' }] }] }, 'end with'],
    ['a part without data', { contents: [{ role: 'user', parts: [{}] }] }, 'data'],
    [
      'an open schema',
      tool({ type: 'OBJECT', properties: { a: { type: 'STRING' } }, additionalProperties: false }),
      'additionalProperties',
    ],
    [
      'an enum of numbers',
      tool({ type: 'OBJECT', properties: { a: { type: 'INTEGER', enum: ['1'] } } }),
      'STRING',
    ],
    [
      'a required stranger',
      tool({ type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['b'] }),
      'not defined',
    ],
    ['a list of anything', tool({ type: 'OBJECT', properties: { a: { type: 'ARRAY' } } }), 'items'],
    [
      'a field without a type',
      tool({ type: 'OBJECT', properties: { a: { description: 'x' } } }),
      'must be specified',
    ],
    [
      'fields of a text',
      tool({ type: 'OBJECT', properties: { a: { type: 'STRING', properties: {} } } }),
      'only allowed for OBJECT',
    ],
    [
      'items of a text',
      tool({ type: 'OBJECT', properties: { a: { type: 'STRING', items: { type: 'STRING' } } } }),
      'Type.ARRAY',
    ],
    [
      'an address',
      tool({ type: 'OBJECT', properties: { a: { type: 'STRING', format: 'uri' } } }),
      'only enum and date-time',
    ],
    [
      'tools and a form',
      {
        ...tool({ type: 'OBJECT', properties: { a: { type: 'STRING' } } }),
        generationConfig: { responseMimeType: 'application/json' },
      },
      'unsupported',
    ],
    ['a level for 2.5', { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }, 'level'],
    ['a budget too high', { generationConfig: { thinkingConfig: { thinkingBudget: 30_000 } } }, 'budget'],
    ['an odd field', { promptCacheKey: 'x' }, 'Unknown name'],
  ])('refuses %s', (_what, more, word) => {
    expect(refuseGenerate({ contents: [hi], ...more }, 'gemini-2.5-flash')).toContain(word);
    expect(
      refuseGenerate({ contents: [hi, calls('a', 'b'), results('a', 'b')] }, 'gemini-2.5-flash'),
    ).toBeUndefined();
  });

  it('refuses a call of the turn that runs without its signature', () => {
    const contents = [hi, calls('a'), results('a')];
    expect(refuseGenerate({ contents }, 'gemini-3-pro-preview')).toContain('thought_signature');
    expect(refuseGenerate({ contents: [...contents, hi] }, 'gemini-3-pro-preview')).toBeUndefined();
    expect(
      refuseGenerate(
        { contents: [hi], generationConfig: { thinkingConfig: { thinkingLevel: 'medium' } } },
        'gemini-3-pro-preview',
      ),
    ).toContain('MEDIUM');
  });
});
