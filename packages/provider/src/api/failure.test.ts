import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type Step, startModelServer } from '../../../../test/model-server/index.js';
import { conversation, said } from '../../test/conversation.js';
import { play, redactor, requestOf } from '../../test/play.js';
import { type ApiOptions, createApiProvider } from './provider.js';
import type { ApiName } from './vendor.js';
import { readFailure, retryAfter } from './wire/api-error.js';

const KEY = 'sk-test-0123456789abcdef';
const APIS: readonly ApiName[] = ['openai', 'openai-chat', 'anthropic', 'google', 'compatible'];

let server: ModelServer;
let odd: Server;
let oddUrl: string;
/** How the odd server answers the next request. */
let answer: (response: ServerResponse) => void;
let count = 0;

beforeAll(async () => {
  server = await startModelServer();
  odd = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  oddUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
});
afterAll(async () => {
  odd.closeAllConnections();
  odd.close();
  await server.close();
});

const open = (api: ApiName, options: Partial<ApiOptions>) =>
  createApiProvider({ api, apiKey: KEY, sleep: async () => {}, ...options }).open({ model: 'm', redactor });

function scripted(api: ApiName, steps: readonly Step[]) {
  count += 1;
  const lane = `${api}-${count}`;
  server.script(lane, steps);
  const base = server.laneUrl(lane);
  return open(api, { baseUrl: api === 'anthropic' || api === 'google' ? base : `${base}/v1` });
}

const quick = { limits: { retries: 0 } };

describe.each(APIS)('%s', (api) => {
  const hostile: readonly (readonly [string, (response: ServerResponse) => void, string])[] = [
    [
      'a page instead of a stream',
      (out) => out.writeHead(200, HTML).end('<html>Sign in</html>'),
      'E_PROVIDER_PROTOCOL',
    ],
    ['nothing at all', (out) => out.writeHead(200, SSE).end(), 'E_PROVIDER_PROTOCOL'],
    [
      'garbage',
      (out) => out.writeHead(200, SSE).end('data: {"a": [}\n\ndata: \u0000\n\n'),
      'E_PROVIDER_PROTOCOL',
    ],
    [
      'JSON of another shape',
      (out) => out.writeHead(200, SSE).end('data: {"no": 1}\n\n'),
      'E_PROVIDER_PROTOCOL',
    ],
    ['a cut before the first byte', (out) => out.socket?.destroy(), 'E_PROVIDER_NETWORK'],
    [
      'a page with an error',
      (out) => out.writeHead(502, HTML).end('<html>Bad gateway</html>'),
      'E_PROVIDER_DOWN',
    ],
    ['an error without a body', (out) => out.writeHead(500).end(), 'E_PROVIDER_DOWN'],
  ];
  it.each(hostile)('%s is a typed end', async (_name, say, code) => {
    answer = say;
    const { end, text } = await play(open(api, { baseUrl: oddUrl }), quick);
    expect([end.reason, end.error?.code, text]).toEqual(['error', code, '']);
  });

  it('a redirect does not carry the prompt elsewhere', async () => {
    const elsewhere = `elsewhere-${api}`;
    server.script(elsewhere, [{ text: 'Thanks.' }]);
    answer = (out) => out.writeHead(307, { location: `${server.laneUrl(elsewhere)}${PATHS[api]}` }).end();
    const { end } = await play(open(api, { baseUrl: oddUrl }), quick);
    expect([end.reason, end.error?.code]).toEqual(['error', 'E_PROVIDER_NETWORK']);
    expect(server.lane(elsewhere).requests).toEqual([]);
  });

  it('a flood ends at its limit', async () => {
    let written = 0;
    answer = (out) => {
      out.writeHead(200, SSE);
      const block = `: ${'x'.repeat(64 * 1024)}\n\n`;
      const flood = (): void => {
        while (!out.destroyed && written < 100 * 1024 * 1024) {
          written += block.length;
          if (!out.write(block)) return void out.once('drain', flood);
        }
        out.end();
      };
      flood();
    };
    const { end } = await play(open(api, { baseUrl: oddUrl }), {
      limits: { outputBytes: 1024 * 1024, retries: 0 },
    });
    expect([end.reason, end.error?.code]).toEqual(['error', 'E_PROVIDER_OUTPUT']);
    expect(written).toBeLessThan(50 * 1024 * 1024);
  });

  it('a stream that stops without an end is not done', async () => {
    const whole = scripted(api, [{ text: 'Half' }]);
    const { text } = await play(whole, {});
    expect(text).toBe('Half');
    const half = HALF[api];
    answer = (out) => out.writeHead(200, SSE).end(half);
    const cut = await play(open(api, { baseUrl: oddUrl }), quick);
    expect([cut.end.reason, cut.end.error?.code, cut.text]).toEqual(['error', 'E_PROVIDER_PROTOCOL', 'Half']);
  });

  it('what a vendor repeats of the key is not said again', async () => {
    const body = {
      error: { message: `Incorrect API key provided: ${KEY}`, type: 'x', status: 'UNAUTHENTICATED' },
    };
    const { end } = await play(scripted(api, [{ error: { status: 401, body } }]), {});
    expect(end.error?.code).toBe('E_PROVIDER_AUTH');
    expect(JSON.stringify(end)).not.toContain(KEY);
  });

  it('a prompt that holds the key of the provider is not sent', async () => {
    const { end } = await play(scripted(api, []), {
      request: requestOf(`The word is ${KEY.replace('sk-', 'zz-')}`),
    });
    expect(end.error?.code).toBe('E_PROVIDER_REJECTED');
    const own = createApiProvider({ api, apiKey: 'blue-whale-nineteen', baseUrl: oddUrl }).open({
      model: 'm',
      redactor,
    });
    const refused = await play(own, { request: requestOf('The word is blue-whale-nineteen.') });
    expect(refused.end).toMatchObject({ reason: 'refused', error: { code: 'E_PROMPT_LEAK' } });
    expect(refused.sent).toEqual([]);
  });
});

describe('before anything is sent', () => {
  const refused: readonly (readonly [string, Partial<ApiOptions> & { api: ApiName }, string, RegExp])[] = [
    ['no key', { api: 'anthropic', env: {} }, 'E_PROVIDER_KEY', /ANTHROPIC_API_KEY/],
    ['no address', { api: 'compatible', env: {} }, 'E_PROVIDER_ADDRESS', /No base address/],
    ['no URL', { api: 'openai', apiKey: KEY, baseUrl: 'nowhere' }, 'E_PROVIDER_ADDRESS', /not a URL/],
    ['a file', { api: 'openai', apiKey: KEY, baseUrl: 'file:///x' }, 'E_PROVIDER_ADDRESS', /neither/],
    [
      'a password',
      { api: 'openai', apiKey: KEY, baseUrl: 'http://a:hunter2@127.0.0.1/' },
      'E_PROVIDER_ADDRESS',
      /holds/,
    ],
  ];
  it.each(refused)('%s is told', async (_name, options, code, words) => {
    const { end, sent } = await play(createApiProvider(options).open({ model: 'm', redactor }), {});
    expect([end.reason, end.error?.code, sent]).toEqual(['error', code, []]);
    expect(end.error?.message).toMatch(words);
    expect(JSON.stringify(end)).not.toMatch(/hunter2/);
  });

  it('keys and addresses come from the environment that is handed in', async () => {
    server.script('env', [{ text: 'ok' }, { text: 'ok' }]);
    const env = {
      GEMINI_API_KEY: 'from-env-0001',
      GOOGLE_GEMINI_BASE_URL: `${server.laneUrl('env')}/v1beta/`,
    };
    const { end } = await play(createApiProvider({ api: 'google', env }).open({ model: 'm', redactor }), {});
    expect(end.reason).toBe('done');
    const [request] = server.lane('env').requests;
    expect([request?.headers['x-goog-api-key'], request?.path.startsWith('/v1beta/models/m:')]).toEqual([
      'from-env-0001',
      true,
    ]);
  });

  it('a closed session says nothing', async () => {
    const session = scripted('openai', [{ text: 'x' }]);
    await session.close();
    await session.close();
    const { end, sent } = await play(session, {});
    expect([end.reason, sent]).toEqual(['aborted', []]);
  });
});

describe('the network', () => {
  const network = (code: string) =>
    Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('at https://user:pw@host'), { code }),
    });
  it.each(['ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT', 'CERT_HAS_EXPIRED', 'UND_ERR_CONNECT_TIMEOUT'])(
    '%s is retried and told by its code',
    async (code) => {
      let tries = 0;
      const fetch = async (): Promise<never> => {
        tries += 1;
        throw network(code);
      };
      const { end } = await play(open('openai', { fetch, baseUrl: oddUrl }), { limits: { retries: 1 } });
      expect(end).toMatchObject({ error: { code: 'E_PROVIDER_NETWORK', retryable: true } });
      expect([end.error?.message.includes(code), end.error?.message.includes('pw@'), tries]).toEqual([
        true,
        false,
        2,
      ]);
    },
  );
});

describe('readFailure', () => {
  const failed = (statusCode: number, message: string, type = '') => ({
    name: 'AI_APICallError',
    message: 'x',
    statusCode,
    responseBody: JSON.stringify({ error: { message, type, code: type } }),
  });
  it.each([
    [failed(429, 'You exceeded your current quota', 'insufficient_quota'), 'E_PROVIDER_QUOTA', false],
    [failed(400, 'Your credit balance is too low'), 'E_PROVIDER_QUOTA', false],
    [failed(400, 'too long', 'context_length_exceeded'), 'E_PROVIDER_CONTEXT', false],
    [failed(400, 'prompt is too long: 210000 tokens'), 'E_PROVIDER_CONTEXT', false],
    [
      failed(400, 'The input token count (9) exceeds the maximum number of tokens'),
      'E_PROVIDER_CONTEXT',
      false,
    ],
    [failed(413, 'large'), 'E_PROVIDER_CONTEXT', false],
    [failed(402, 'pay'), 'E_PROVIDER_QUOTA', false],
    [{ type: 'rate_limit_error', message: 'slow' }, 'E_PROVIDER_RATE', true],
    [{ error: { type: 'overloaded_error', message: 'busy' } }, 'E_PROVIDER_DOWN', true],
    [{ error: { type: 'invalid_request_error', message: 'no' } }, 'E_PROVIDER_REJECTED', false],
    ['just text', 'E_PROVIDER_DOWN', true],
    [null, 'E_PROVIDER_DOWN', true],
  ])('%j', (thrown, code, retryable) => {
    expect(readFailure(thrown, 'test').error).toMatchObject({ code, retryable });
  });

  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }, 4_000],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('waits as %j says', (headers, ms) => {
    expect(retryAfter(headers, 5_000)).toBe(ms);
  });
});

it('tool results, calls and errors in the history reach no wire uncleaned', async () => {
  const { end, sent } = await play(scripted('openai', [{ text: 'ok' }]), {
    request: conversation([
      said('user', 'Go.'),
      said('assistant', '', { calls: [{ id: 'c', name: 't', args: { at: '/home/marked-person/x' } }] }),
      said('tool', 'No /home/marked-person/x.', { callId: 'c' }),
    ]),
  });
  expect(end.reason).toBe('done');
  expect(sent.join()).not.toContain('marked-person');
});

const PATHS: Readonly<Record<ApiName, string>> = {
  openai: '/v1/responses',
  'openai-chat': '/v1/chat/completions',
  anthropic: '/v1/messages',
  google: '/v1beta/models/m:streamGenerateContent',
  compatible: '/v1/chat/completions',
};
const HTML = { 'content-type': 'text/html' };
const SSE = { 'content-type': 'text/event-stream' };
const line = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chat = line({
  id: '1',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'm',
  choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }],
});
/** Streams that are well formed as far as they go. */
const HALF: Readonly<Record<ApiName, string>> = {
  openai:
    line({ type: 'response.created', response: { id: 'r', created_at: 0, model: 'm' } }) +
    line({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } }) +
    line({ type: 'response.output_text.delta', item_id: 'i', delta: 'Half' }),
  'openai-chat': chat,
  compatible: chat,
  anthropic:
    line({
      type: 'message_start',
      message: {
        id: 'm',
        model: 'm',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }) +
    line({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
    line({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } }),
  google: line({ candidates: [{ content: { role: 'model', parts: [{ text: 'Half' }] }, index: 0 }] }),
};
