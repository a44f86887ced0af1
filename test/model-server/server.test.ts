import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './index.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

interface Api {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A request that is taken. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Requests that are not, by what is wrong with them. */
  readonly refused: Readonly<Record<string, unknown>>;
}

const bearer = { authorization: 'Bearer k' };
const user = { role: 'user', content: 'Hi' };
const call = { id: 'c', type: 'function', function: { name: 't', arguments: '{}' } };
const model = 'm';

const APIS: Readonly<Record<string, Api>> = {
  anthropic: {
    path: '/v1/messages?beta=true',
    headers: { 'x-api-key': 'k' },
    body: { model, max_tokens: 9, stream: true, messages: [user] },
    refused: {
      'no model': { max_tokens: 9, messages: [user] },
      'no limit': { model, messages: [user] },
      'no messages': { model, max_tokens: 9, messages: [] },
      'an odd role': { model, max_tokens: 9, messages: [{ role: 'tool', content: 'x' }] },
      'an empty text': {
        model,
        max_tokens: 9,
        messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }],
      },
      'a name with a dot': {
        model,
        max_tokens: 9,
        messages: [user],
        tools: [{ name: 'a.b', input_schema: { type: 'object' } }],
      },
      'a tool without a schema': { model, max_tokens: 9, messages: [user], tools: [{ name: 'a' }] },
      'a result without a call': {
        model,
        max_tokens: 9,
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }],
      },
      'a call without a result': {
        model,
        max_tokens: 9,
        messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] }, user],
      },
      'five breakpoints': {
        model,
        max_tokens: 9,
        messages: [user],
        system: Array(5).fill({ type: 'text', text: 'x', cache_control: {} }),
      },
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    headers: bearer,
    body: { model, stream: true, input: [user] },
    refused: {
      'no model': { input: 'x' },
      'no input': { model, input: [] },
      'a name with a dot': { model, input: 'x', tools: [{ type: 'function', name: 'a.b' }] },
      'a result without a call': { model, input: [{ type: 'function_call_output', call_id: 'x' }] },
      'a call without a result': { model, input: [{ type: 'function_call', call_id: 'x' }] },
    },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    headers: bearer,
    body: { model, stream: true, stream_options: { include_usage: true }, messages: [user] },
    refused: {
      'no model': { messages: [user] },
      'no messages': { model, messages: [] },
      'an odd role': { model, messages: [{ role: 'robot' }] },
      'a name with a dot': { model, messages: [user], tools: [{ function: { name: 'a.b' } }] },
      'a result without a call': { model, messages: [{ role: 'tool', tool_call_id: 'x' }] },
      'a call without a result': { model, messages: [{ role: 'assistant', tool_calls: [call] }, user] },
      'a call at the end': { model, messages: [{ role: 'assistant', tool_calls: [call] }] },
    },
  },
  google: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'k' },
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    refused: {
      'no contents': { contents: [] },
      'no parts': { contents: [{ role: 'user', parts: [] }] },
      'an odd role': { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] },
      'a name with a blank': {
        contents: [{ parts: [{ text: 'x' }] }],
        tools: [{ functionDeclarations: [{ name: 'a b' }] }],
      },
    },
  },
};

let lanes = 0;
function lane(steps: Parameters<ModelServer['script']>[1] = []) {
  lanes += 1;
  const name = `lane ${lanes}`;
  server.script(name, steps);
  const post = (api: Api, body: unknown, headers: Readonly<Record<string, string>> = api.headers) =>
    fetch(server.laneUrl(name) + api.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { post, lane: server.lane(name) };
}

describe.each(Object.entries(APIS))('%s', (_name, api) => {
  it('says text, reasoning, calls and usage, as many times as told', async () => {
    const step = {
      text: 'Hello',
      reasoning: 'Hm',
      toolCalls: [{ id: 'c1', name: 't', args: { a: 1 } }],
      times: 2,
    };
    const { post, lane: own } = lane([{ ...step, usage: { input: 7, output: 5 } }]);
    expect(own.left).toBe(2);
    const first = await (await post(api, api.body)).text();
    for (const part of ['He', 'H', '"t"', '7']) expect(first).toContain(part);
    expect((await post(api, api.body)).status).toBe(200);
    expect([own.left, own.requests.length]).toEqual([0, 2]);
    const last = await post(api, api.body);
    expect([last.status, own.requests.length]).toEqual([400, 3]);
    expect(await last.text()).toContain('script of this lane');
  });

  it.each(Object.entries(api.refused))('does not take %s', async (_what, body) => {
    const { post, lane: own } = lane([{ text: 'never' }]);
    const response = await post(api, body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(
      own.requests[0]?.refused?.slice(0, 12) ?? 'nothing',
    );
    expect(own.left).toBe(1);
  });

  it('does not take a request without a credential, or without JSON', async () => {
    const { post, lane: own } = lane();
    expect((await post(api, api.body, {})).status).toBe(401);
    expect((await post(api, '{')).status).toBe(400);
    expect(own.requests.map(({ body }) => body === undefined)).toEqual([false, true]);
  });

  it('fails as told', async () => {
    const { post } = lane([
      { error: { status: 429, headers: { 'retry-after': '3' } } },
      { error: { status: 418, body: 'tea' } },
      { text: 'Half', streamError: { message: 'oh dear' } },
      { text: 'Half', drop: true },
      { raw: ['data: ', 'x\n\n'] },
    ]);
    const busy = await post(api, api.body);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await (await post(api, api.body)).text()).toBe('tea');
    expect(await (await post(api, api.body)).text()).toContain('oh dear');
    await expect((await post(api, api.body)).text()).rejects.toThrow();
    expect(await (await post(api, api.body)).text()).toBe('data: x\n\n');
  });
});

it('computes a step from the request, and keeps lanes apart', async () => {
  const api = APIS['openai-chat'] as Api;
  const { post, lane: own } = lane([async ({ text }) => ({ text: `${text.length}` })]);
  const other = lane();
  const { stream_options: _, ...body } = { ...api.body, stream: false } as Record<string, unknown>;
  expect(await (await post(api, body)).json()).toMatchObject({
    choices: [{ message: { content: String(JSON.stringify(body).length) }, finish_reason: 'stop' }],
  });
  expect([own.requests.length, other.lane.requests.length]).toEqual([1, 0]);
  await own.received(1);
});

it('holds a stream open until the server closes', async () => {
  const own = await startModelServer();
  own.script('held', [{ text: 'Half', hang: true }]);
  const { path, headers, body } = APIS.google as Api;
  const response = await fetch(own.laneUrl('held') + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await own.close();
  await expect(reader?.read().then(() => reader.read())).rejects.toThrow();
});

const SIDE: readonly (readonly [string, string, unknown])[] = [
  [
    'a title',
    'anthropic',
    { model, max_tokens: 9, messages: [user], system: 'You are naming a coding session.' },
  ],
  [
    'a suggestion',
    'anthropic',
    { model, max_tokens: 9, messages: [{ role: 'user', content: '[SUGGESTION MODE] next?' }] },
  ],
  [
    'a title of another client',
    'openai-responses',
    { model, input: 'x', text: { format: { schema: { properties: { title: {} } } } } },
  ],
  [
    'a guardian',
    'openai-responses',
    { model, input: 'x', text: { format: { schema: { properties: { risk_level: {} } } } } },
  ],
  [
    'one more title',
    'openai-chat',
    { model, messages: [{ role: 'system', content: 'You are a title generator.' }] },
  ],
];
it.each(SIDE)("answers the client's own business without a step: %s", async (_what, name, body) => {
  const { post, lane: own } = lane([{ text: 'main' }]);
  const response = await post(APIS[name] as Api, body);
  expect([response.status, own.left, own.requests.map(({ side }) => side)]).toEqual([200, 1, [true]]);
});
