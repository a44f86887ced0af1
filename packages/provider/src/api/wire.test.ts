import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../test/model-server/index.js';
import { conversation, said } from '../../test/conversation.js';
import { manualClock } from '../../test/manual-clock.js';
import { eventsOf, type Played, play, redactor } from '../../test/play.js';
import { type ApiOptions, createApiProvider } from './provider.js';
import type { ApiName } from './vendor.js';

const KEY = 'sk-test-0123456789abcdef';
const MODELS: Readonly<Record<ApiName, string>> = {
  openai: 'gpt-5',
  'openai-chat': 'gpt-4.1',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  compatible: 'any-model',
};
const APIS = Object.keys(MODELS) as readonly ApiName[];
const TOOL = {
  name: 'files.read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

let server: ModelServer;
let count = 0;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** A session on a lane of its own. Pauses are counted, not waited for. */
function open(api: ApiName, steps: readonly ScriptedStep[], options: Partial<ApiOptions> = {}) {
  count += 1;
  const lane = `${api}-${count}`;
  server.script(lane, steps);
  const pauses: number[] = [];
  const base = server.laneUrl(lane);
  const provider = createApiProvider({
    api,
    apiKey: KEY,
    baseUrl: api === 'anthropic' || api === 'google' ? base : `${base}/v1`,
    sleep: async (ms) => void pauses.push(ms),
    random: () => 1,
    ...options,
  });
  const session = provider.open({ model: MODELS[api], redactor });
  return { session, provider, pauses, lane: server.lane(lane) };
}

const tools = (played: Played) =>
  eventsOf(played, 'tool.end').map(({ id, name, input }) => ({ id, name, input }));
const reasoningOf = (played: Played): string =>
  eventsOf(played, 'reasoning.delta')
    .map(({ text }) => text)
    .join('');

describe.each(APIS)('%s', (api) => {
  it('says a plain turn, piece by piece, and counts it', async () => {
    const usage = { input: 2_000, output: 50, cached: 1_024 };
    const { session, lane } = open(api, [{ text: 'Hello from the model.', chunks: 4, usage }]);
    const played = await play(session, {
      request: conversation([said('system', 'Be brief.'), said('user', 'Say hello.')]),
    });
    // Google names the model in no field that the SDK reads.
    const model = api === 'google' ? {} : { model: MODELS[api] };
    expect(played.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop', ...model });
    expect(played.text).toBe('Hello from the model.');
    expect(eventsOf(played, 'text.delta').length).toBe(4);
    expect(played.events[0]).toEqual({ type: 'turn.start', provider: api, model: MODELS[api] });
    expect(eventsOf(played, 'usage')[0]?.usage).toMatchObject({
      inputTokens: 2_000,
      outputTokens: 50,
      cachedInputTokens: 1_024,
    });
    expect(played.sent).toEqual(lane.requests.map(({ text }) => text));
    expect(lane.requests.map(({ refused }) => refused)).toEqual([undefined]);
  });

  it('asks for our tool by its own name, and goes on with the result in a new process', async () => {
    const call = { id: 'call_1', name: 'files_read', args: { path: 'a.txt' } };
    const first = open(api, [
      (request) => ({ text: 'Reading.', toolCalls: [{ ...call, name: nameIn(request.body) }] }),
    ]);
    const asked = await play(first.session, {
      request: conversation([said('user', 'Read.')], { tools: [TOOL] }),
    });
    expect(asked.end).toMatchObject({ reason: 'done', stop: 'tool-calls' });
    const [tool] = tools(asked);
    expect(tool).toMatchObject({ name: 'files.read', input: { path: 'a.txt' } });
    expect(eventsOf(asked, 'tool.start')).toHaveLength(1);

    const next = open(api, [{ text: 'It says hi.' }]);
    const history = [
      said('user', 'Read.'),
      said('assistant', 'Reading.', {
        calls: [{ id: tool?.id ?? '', name: 'files.read', args: { path: 'a.txt' } }],
      }),
      said('tool', 'hi', { callId: tool?.id ?? '' }),
    ];
    const answered = await play(next.session, { request: conversation(history, { tools: [TOOL] }) });
    expect(answered.end.reason).toBe('done');
    expect(answered.text).toBe('It says hi.');
    expect(next.lane.requests[0]?.refused).toBeUndefined();
    expect(answered.sent[0]).toContain('hi');
  });

  it('makes several calls at once, and tells bad arguments', async () => {
    const names = (body: unknown) => nameIn(body);
    const bad = api === 'google' ? { path: 'b' } : '{"path": ';
    const { session } = open(api, [
      ({ body }) => ({
        toolCalls: [
          { id: 'c1', name: names(body), args: { path: 'a' } },
          { id: 'c2', name: names(body), args: bad },
        ],
      }),
    ]);
    const played = await play(session, { request: conversation([said('user', 'Go.')], { tools: [TOOL] }) });
    const ends = eventsOf(played, 'tool.end');
    expect(ends.map(({ input }) => input)).toEqual([
      { path: 'a' },
      api === 'google' ? { path: 'b' } : undefined,
    ]);
    expect(new Set(ends.map(({ id }) => id)).size).toBe(2);
    if (api !== 'google') expect(ends[1]?.badInput).toContain('{"path":');
  });

  it('tells reasoning from text', async () => {
    const { session } = open(api, [{ reasoning: 'Let me think.', text: 'Done.' }]);
    const request = conversation([said('user', 'Think.')], { params: { reasoningEffort: 'low' } });
    const played = await play(session, { request });
    expect(played.text).toBe('Done.');
    // Chat Completions of the vendor itself never show it.
    expect(reasoningOf(played)).toBe(api === 'openai-chat' ? '' : 'Let me think.');
  });

  const fatal = [
    [400, 'E_PROVIDER_REJECTED'],
    [401, 'E_PROVIDER_AUTH'],
    [403, 'E_PROVIDER_AUTH'],
    [404, 'E_PROVIDER_MODEL'],
  ] as const;
  it.each(fatal)('ends at once on HTTP %i', async (status, code) => {
    const { session, lane, pauses } = open(api, [{ error: { status }, times: 9 }]);
    const { end, text } = await play(session, {});
    expect(end).toMatchObject({ reason: 'error', error: { code, status, retryable: false } });
    expect([text, lane.requests.length, pauses]).toEqual(['', 1, []]);
  });

  const passing = [
    [408, 'E_PROVIDER_DOWN'],
    [409, 'E_PROVIDER_DOWN'],
    [429, 'E_PROVIDER_RATE'],
    [500, 'E_PROVIDER_DOWN'],
    [503, 'E_PROVIDER_DOWN'],
    [529, 'E_PROVIDER_DOWN'],
  ] as const;
  it.each(passing)('tries again on HTTP %i, and then says so', async (status, code) => {
    const { session, lane, pauses } = open(api, [{ error: { status }, times: 9 }]);
    const played = await play(session, { limits: { retries: 2 } });
    expect(played.end).toMatchObject({ reason: 'error', error: { code, status, retryable: true } });
    expect([lane.requests.length, pauses]).toEqual([3, [500, 1_000]]);
    expect(eventsOf(played, 'log')).toHaveLength(2);
  });

  it('waits as long as it is asked to, and recovers', async () => {
    const { session, pauses } = open(api, [
      { error: { status: 429, headers: { 'retry-after': '7' } } },
      { error: { status: 503 } },
      { text: 'Back.' },
    ]);
    const { end, text } = await play(session, {});
    expect([end.reason, text, pauses]).toEqual(['done', 'Back.', [7_000, 1_000]]);
  });

  it('does not wait for longer than is sensible', async () => {
    const { session, pauses } = open(api, [{ error: { status: 429, headers: { 'retry-after': '3600' } } }]);
    const { end } = await play(session, {});
    expect([end.error?.code, pauses]).toEqual(['E_PROVIDER_RATE', []]);
  });

  it('keeps the text when the connection is cut in mid-stream, and does not say it twice', async () => {
    const { session, lane } = open(api, [{ text: 'Half of it', drop: true }, { text: 'whole' }]);
    const { end, text } = await play(session, {});
    expect(end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_NETWORK', retryable: true } });
    expect([text, lane.requests.length]).toEqual(['Half of it', 1]);
    const again = await play(session, {});
    expect([again.end.reason, again.text]).toEqual(['done', 'whole']);
  });

  it('keeps the text when the stream turns into an error', async () => {
    const { session } = open(api, [{ text: 'Half', streamError: { message: 'overloaded today' } }]);
    const { end, text } = await play(session, {});
    expect(end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_DOWN', retryable: true } });
    expect(text).toBe('Half');
    expect(end.error?.message).toContain('overloaded today');
  });

  it('is aborted in mid-stream', async () => {
    const { session, lane } = open(api, [{ text: 'Half', hang: true }, { text: 'next' }]);
    const controller = new AbortController();
    const played = await play(session, { signal: controller.signal }, (event) => {
      if (event.type === 'text.delta') controller.abort();
    });
    expect(played.end).toEqual({ type: 'turn.end', reason: 'aborted' });
    expect(played.text).not.toBe('');
    const next = await play(session, {});
    expect([next.text, lane.requests.length]).toEqual(['next', 2]);
  });

  it('is silent for too long', async () => {
    const clock = manualClock();
    const { session } = open(api, [{ text: 'Half', chunks: 1, hang: true }], { clock });
    const { end, text } = await play(session, { limits: { idleMs: 1_000 } }, ({ type }) => {
      if (type === 'text.delta') clock.pass(1_000);
    });
    expect([end.reason, end.error?.code, text]).toEqual(['timeout', 'E_PROVIDER_TIMEOUT', 'Half']);
  });

  it('is cut off by its length, or by a filter', async () => {
    const { session } = open(api, [
      { text: 'Long', stop: 'length' },
      { text: 'No', stop: 'content-filter' },
    ]);
    const long = await play(session, {});
    expect(long.end).toMatchObject({ reason: 'error', stop: 'length', error: { code: 'E_PROVIDER_LENGTH' } });
    const no = await play(session, {});
    expect(no.end).toMatchObject({
      reason: 'refused',
      stop: 'content-filter',
      error: { code: 'E_PROVIDER_FILTER' },
    });
  });

  it('carries a prompt of 100 KB', async () => {
    const { session, lane } = open(api, [{ text: 'Read.' }]);
    const long = 'All work and no play. '.repeat(5_000);
    const { end } = await play(session, { request: conversation([said('user', long)]) });
    expect(end.reason).toBe('done');
    expect(lane.requests[0]?.bytes.length).toBeGreaterThan(100_000);
  });
});

/** The name of the first tool, wherever an API puts it. */
function nameIn(body: unknown): string {
  return /"name":"(files[^"]*)"/.exec(JSON.stringify(body))?.[1] ?? 'missing';
}
