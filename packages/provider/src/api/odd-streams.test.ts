import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../test/model-server/index.js';
import { inTurn, runs, share } from '../../../../test/runs.js';
import { conversation, said } from '../../test/conversation.js';
import { eventsOf, type Played, play, redactor } from '../../test/play.js';
import { createApiProvider } from './provider.js';
import type { ApiName } from './vendor.js';

// What a server of the same words may send otherwise, and what breaks on its way.

const APIS: readonly ApiName[] = ['openai', 'openai-chat', 'anthropic', 'google', 'compatible'];
const MODELS: Readonly<Record<ApiName, string>> = {
  openai: 'gpt-5',
  'openai-chat': 'gpt-4.1',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  compatible: 'any-model',
};
const TOOL = {
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const ARGS = { path: 'ä/b "c".txt' };
const TEXT = 'Grüße 🚀, two\nlines.';
const SSE = { 'content-type': 'text/event-stream' };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const request = () => conversation([said('user', 'Go.')], { tools: [TOOL] });
const open = (api: ApiName, baseUrl: string, fetch: typeof globalThis.fetch) =>
  createApiProvider({ api, apiKey: 'sk-test-0123456789abcdef', baseUrl, fetch, sleep: async () => {} }).open({
    model: MODELS[api],
    redactor,
  });

/** The bytes that the strict server answers with: words, then a call whose arguments come in pieces. */
async function recorded(api: ApiName): Promise<string> {
  const lane = `odd-${api}`;
  server.script(lane, [{ text: TEXT, chunks: 3, toolCalls: [{ id: 'c1', name: 'look', args: ARGS }] }]);
  const base = server.laneUrl(lane);
  let text = '';
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    text = await response.clone().text();
    return response;
  };
  const url = api === 'anthropic' || api === 'google' ? base : `${base}/v1`;
  const played = await play(open(api, url, fetch), { request: request() });
  expect(told(played)).toEqual(WHOLE);
  return text;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Plays one answer, whole or in pieces; `breaks`: the connection is lost after them. */
function answered(
  api: ApiName,
  pieces: readonly Uint8Array[],
  given: { readonly status?: number; readonly headers?: HeadersInit; readonly breaks?: boolean } = {},
): Promise<Played> {
  const { status = 200, headers = SSE, breaks = false } = given;
  const fetch = async (): Promise<Response> => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces[at];
        at += 1;
        if (piece !== undefined) controller.enqueue(piece);
        else if (breaks) controller.error(Object.assign(new Error('terminated'), { code: 'UND_ERR_SOCKET' }));
        else controller.close();
      },
    });
    return new Response(body, { status, headers });
  };
  return play(open(api, 'http://127.0.0.1:9/v1', fetch), { request: request(), limits: { retries: 0 } });
}

const told = (played: Played) => ({
  end: [played.end.reason, played.end.stop, played.end.error?.code],
  text: played.text,
  calls: eventsOf(played, 'tool.end').map(({ name, input }) => [name, input]),
});
const WHOLE = { end: ['done', 'tool-calls', undefined], text: TEXT, calls: [['look', ARGS]] };

const eventsIn = (stream: string): readonly string[] =>
  stream.split('\n\n').filter((each) => each.trim() !== '');
const joined = (events: readonly string[]): string => events.map((each) => `${each}\n\n`).join('');
const between = (stream: string, ...more: readonly string[]): string =>
  joined(eventsIn(stream).flatMap((each) => [...more, each]));

/** Ways to send the same. */
const SAME: Readonly<Record<string, (stream: string, api: ApiName) => readonly Uint8Array[]>> = {
  'as it is': (stream) => [bytesOf(stream)],
  'byte by byte': (stream) => [...bytesOf(stream)].map((byte) => Uint8Array.of(byte)),
  'with empty pieces': (stream) =>
    [...eventsIn(stream)].flatMap((each) => [new Uint8Array(), bytesOf(`${each}\n\n`)]),
  'with CRLF': (stream) => [bytesOf(stream.replaceAll('\n', '\r\n'))],
  'with CRLF, byte by byte': (stream) =>
    [...bytesOf(stream.replaceAll('\n', '\r\n'))].map((byte) => Uint8Array.of(byte)),
  'with CR': (stream) => [bytesOf(stream.replaceAll('\n', '\r'))],
  'after a byte order mark': (stream) => [bytesOf(`\uFEFF${stream}`)],
  'with comments that keep it alive': (stream) => [
    bytesOf(between(stream, ': keep-alive', ':', ': OPENROUTER PROCESSING')),
  ],
  'with ids and retries': (stream) => [bytesOf(stream.replaceAll(/^data:/gm, 'id: 7\nretry: 3000\ndata:'))],
  'without a space behind data': (stream) => [bytesOf(stream.replaceAll(/^data: /gm, 'data:'))],
  'in data of several lines': (stream) => [
    bytesOf(
      stream.replaceAll(/^data: (\{.*\})$/gm, (_all, json: string) =>
        JSON.stringify(JSON.parse(json), null, 1)
          .split('\n')
          .map((line) => `data: ${line}`)
          .join('\n'),
      ),
    ),
  ],
  'with empty lines between': (stream) => [bytesOf(stream.replaceAll('\n\n', '\n\n\n\n'))],
  'with fields that nobody knows': (stream) => [
    bytesOf(stream.replaceAll(/^data: \{/gm, 'data: {"x_new":{"a":[1,null]},')),
  ],
  'with events that nobody knows': (stream, api) => [bytesOf(between(stream, ...UNKNOWN[api]))],
};

const data = (value: object, type?: string): string =>
  `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(value)}`;
const NO_CHOICE = data({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [] });
/** Events that mean nothing: of a later version, or empty. */
const UNKNOWN: Readonly<Record<ApiName, readonly string[]>> = {
  openai: [
    data({ type: 'response.in_future', a: 1 }, 'response.in_future'),
    data({ type: 'keepalive', sequence_number: 3 }, 'keepalive'),
  ],
  'openai-chat': [NO_CHOICE],
  compatible: [NO_CHOICE],
  anthropic: [data({ type: 'ping' }, 'ping'), data({ type: 'in_future', a: { b: 1 } }, 'in_future')],
  google: [data({ modelVersion: 'm' }), data({ candidates: [{ content: {} }] }), data({ candidates: [] })],
};

describe.each(inTurn(APIS, 4))('%s', (api) => {
  let stream = '';
  beforeAll(async () => {
    stream = await recorded(api);
  });

  it.each(Object.keys(SAME))('%s it is the same answer', async (name) => {
    expect(told(await answered(api, SAME[name]?.(stream, api) ?? []))).toEqual(WHOLE);
  });

  it('cut anywhere, it ends once, with what came, and is done only where its last word came', async () => {
    const bytes = bytesOf(stream);
    const step = share(97, 11);
    // Where the word that ends it stands: a cut behind it may be done, one before it never is.
    const last = LAST[api].exec(stream)?.index ?? 0;
    for (let at = 0; at < bytes.length; at += step) {
      for (const breaks of [false, true]) {
        const played = await answered(api, [bytes.subarray(0, at)], { breaks });
        const { end, text } = told(played);
        expect(eventsOf(played, 'turn.end')).toHaveLength(1);
        expect(TEXT.startsWith(text)).toBe(true);
        if (bytesOf(stream.slice(0, last)).length >= at)
          expect([api, at, breaks, end[0]]).toEqual([api, at, breaks, 'error']);
        if (end[0] === 'error') expect(played.end.error?.code).toMatch(/^E_PROVIDER_(?:PROTOCOL|NETWORK)$/);
      }
    }
  });

  it('with usage missing, or told twice, it is the same answer', async () => {
    const events = eventsIn(stream);
    const usage = /,?"usage(?:Metadata)?":\{(?:[^{}]|\{[^{}]*\})*\}/g;
    const without = joined(events.map((each) => each.replaceAll(usage, '')));
    // Anthropic's Messages always tell it, and its SDK takes no event without.
    if (api !== 'anthropic') expect(told(await answered(api, [bytesOf(without)]))).toEqual(WHOLE);
    else expect((await answered(api, [bytesOf(without)])).end.error?.code).toBe('E_PROVIDER_PROTOCOL');
    const at = events.findLastIndex((each) => /"usage(?:Metadata)?":\{/.test(each));
    const again = AGAIN[api] ?? events[at] ?? '';
    const twice = joined([...events.slice(0, at + 1), again, ...events.slice(at + 1)]);
    const played = await answered(api, [bytesOf(twice)]);
    expect(told(played)).toEqual(WHOLE);
    expect(eventsOf(played, 'usage')).toHaveLength(1);
  });

  it.each([
    [
      'an error in JSON with status 200',
      200,
      { 'content-type': 'application/json' },
      '{"error":{"message":"no","type":"server_error","code":500}}',
    ],
    [
      'an error in JSON with status 200, said to be a stream',
      200,
      SSE,
      '{"error":{"message":"no","type":"server_error"}}',
    ],
    [
      'an error as the only event',
      200,
      SSE,
      'data: {"error":{"message":"no","type":"server_error","code":500}}\n\n',
    ],
    [
      'an answer that is no stream',
      200,
      { 'content-type': 'application/json' },
      '{"choices":[{"message":{"content":"hi"}}]}',
    ],
    ['null', 200, SSE, 'data: null\n\n'],
    ['a number', 200, SSE, 'data: 7\n\n'],
    ['a list', 200, SSE, 'data: []\n\n'],
    ['only the word for the end', 200, SSE, 'data: [DONE]\n\n'],
    ['bytes that are no text', 200, SSE, '\u0000\u0001\u0002'],
    ['a compressed body that nobody unpacked', 200, SSE, gzipSync('data: {}\n\n').toString('latin1')],
    [
      'overloaded',
      529,
      { 'content-type': 'application/json' },
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ],
    ['a page', 503, { 'content-type': 'text/html' }, '<!doctype html><h1>503</h1>'],
    ['an empty 500', 500, {}, ''],
    ['status 204', 200, SSE, ''],
    ['a page with status 404', 404, { 'content-type': 'text/html' }, '<h1>Not found</h1>'],
    ['JSON that is cut', 500, { 'content-type': 'application/json' }, '{"error":{"mess'],
    ['an error that is a text', 400, { 'content-type': 'application/json' }, '{"error":"bad thing"}'],
    [
      'an error that is a list',
      400,
      { 'content-type': 'application/json' },
      '[{"error":{"message":"bad","status":"INVALID_ARGUMENT"}}]',
    ],
    ['an error that is null', 400, { 'content-type': 'application/json' }, '{"error":null,"message":"x"}'],
    [
      'FastAPI detail',
      422,
      { 'content-type': 'application/json' },
      '{"detail":[{"loc":["body"],"msg":"field required"}]}',
    ],
  ] as const)('%s is one typed end', async (_name, status, headers, body) => {
    const played = await answered(api, [bytesOf(body)], { status, headers });
    expect(played.end.reason).toBe('error');
    expect(played.end.error?.code).toMatch(/^E_PROVIDER_/);
    expect(eventsOf(played, 'turn.end')).toHaveLength(1);
    if (status === 529) expect(played.end.error).toMatchObject({ code: 'E_PROVIDER_DOWN', retryable: true });
  });

  it('an error in the middle of a stream ends it, with what came before', async () => {
    const events = eventsIn(stream);
    for (let at = 1; at < events.length - 1; at += 1) {
      const broken = joined([...events.slice(0, at), BROKEN[api]]);
      const played = await answered(api, [bytesOf(broken)]);
      expect([at, played.end.reason]).toEqual([at, 'error']);
      expect(played.end.error?.code).toMatch(/^E_PROVIDER_(?:DOWN|RATE|PROTOCOL)$/);
      expect(TEXT.startsWith(played.text)).toBe(true);
    }
  });

  it('whatever events are lost, doubled or in another order, it ends once and throws nothing', async () => {
    const events = eventsIn(stream);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: events.length - 1 }), { maxLength: events.length * 2 }),
        fc.integer({ min: 1, max: 50 }),
        async (order, size) => {
          const bytes = bytesOf(joined(order.map((at) => events[at] ?? '')));
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size),
          );
          const played = await answered(api, pieces);
          expect(eventsOf(played, 'turn.end')).toHaveLength(1);
          const starts = eventsOf(played, 'tool.start').map(({ id }) => id);
          for (const { id } of eventsOf(played, 'tool.end')) expect(starts).toContain(id);
          if (played.end.reason === 'error') expect(played.end.error?.code).toMatch(/^E_PROVIDER_/);
        },
      ),
      runs(25, 2_000),
    );
  });
});

/** Usage by itself, where the event that tells it tells more. */
const AGAIN: Readonly<Partial<Record<ApiName, string>>> = {
  google: data({ usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 } }),
};

/** The word without which an answer is not over. */
const LAST: Readonly<Record<ApiName, RegExp>> = {
  openai: /"type":"response\.completed"/,
  'openai-chat': /"finish_reason":"tool_calls"/,
  compatible: /"finish_reason":"tool_calls"/,
  anthropic: /"stop_reason":"tool_use"/,
  google: /"finishReason":"STOP"/,
};

const BROKEN: Readonly<Record<ApiName, string>> = {
  openai: data(
    { type: 'error', code: 'server_error', message: 'The server had an error', sequence_number: 9 },
    'error',
  ),
  'openai-chat': data({ error: { message: 'The server had an error', type: 'server_error', code: null } }),
  compatible: data({ error: { message: 'The server had an error', type: 'server_error', code: 502 } }),
  anthropic: data({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
  google: data({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
};
