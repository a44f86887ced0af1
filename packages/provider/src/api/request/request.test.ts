import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../../test/model-server/index.js';
import { conversation, said } from '../../../test/conversation.js';
import { manualClock } from '../../../test/manual-clock.js';
import { eventsOf, play, redactor } from '../../../test/play.js';
import { type ApiOptions, createApiProvider } from '../provider.js';
import type { ApiName } from '../vendor.js';

const PNG = { type: 'image/png', data: 'iVBORw0KGgo=' };
const TOOL = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const LONG = 'A long rule that never changes. '.repeat(400);

let server: ModelServer;
let count = 0;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

function open(
  api: ApiName,
  steps: readonly ScriptedStep[],
  options: Partial<ApiOptions> = {},
  model = 'm-1',
) {
  count += 1;
  const lane = `${api}-${count}`;
  server.script(lane, steps);
  const base = server.laneUrl(lane);
  const baseUrl = api === 'anthropic' || api === 'google' ? base : `${base}/v1`;
  const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, ...options });
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of five APIs
  const bodies = () => server.lane(lane).requests.map(({ body }) => body as any);
  return { session: provider.open({ model, redactor }), bodies, lane: server.lane(lane), provider };
}

const HI = { text: 'Hi.' };

describe('messages', () => {
  const blocks = [
    said('system', 'First.'),
    said('user', 'Hello.'),
    said('system', 'Second.'),
    said('user', 'And this.', { media: [PNG] }),
  ];

  it('system blocks stand where the API takes them, in their order', async () => {
    const found: Record<string, unknown> = {};
    for (const api of ['openai', 'openai-chat', 'anthropic', 'google', 'compatible'] as const) {
      const { session, bodies, lane } = open(api, [HI]);
      expect((await play(session, { request: conversation(blocks) })).end.reason).toBe('done');
      expect(lane.requests[0]?.refused).toBeUndefined();
      const [body] = bodies();
      const roles = (body.messages ?? body.input ?? body.contents).map(({ role }: { role: string }) => role);
      found[api] = [body.system ?? body.systemInstruction ?? null, roles];
    }
    expect(found).toEqual({
      openai: [null, ['system', 'user', 'system', 'user']],
      'openai-chat': [null, ['system', 'user', 'system', 'user']],
      anthropic: [
        [
          { type: 'text', text: 'First.' },
          { type: 'text', text: 'Second.', cache_control: { type: 'ephemeral' } },
        ],
        ['user'],
      ],
      google: [{ parts: [{ text: 'First.' }, { text: 'Second.' }] }, ['user', 'user']],
      compatible: [null, ['system', 'user', 'user']],
    });
  });

  it.each(['openai', 'openai-chat', 'anthropic', 'google', 'compatible'] as const)(
    '%s is shown pictures',
    async (api) => {
      const { session, bodies } = open(api, [HI]);
      const history = [
        said('user', 'Look.', { media: [PNG] }),
        said('assistant', '', { calls: [{ id: 'c1', name: 'look', args: {} }] }),
        said('tool', 'Here.', { callId: 'c1', media: [PNG] }),
      ];
      const { end } = await play(session, { request: conversation(history, { tools: [TOOL] }) });
      expect(end.reason).toBe('done');
      expect(JSON.stringify(bodies()[0]).split(PNG.data).length - 1).toBeGreaterThanOrEqual(1);
    },
  );

  it('a result that answers no call is said by the user; arguments that are no object are wrapped', async () => {
    const { session, bodies, lane } = open('anthropic', [HI]);
    const history = [
      said('user', 'Go.'),
      said('assistant', '', { calls: [{ id: 'c1', name: 'look', args: 'broken' }] }),
      said('tool', 'Bad arguments.', { callId: 'c1' }),
      said('tool', 'From nowhere.', { callId: 'c9' }),
    ];
    const { end } = await play(session, { request: conversation(history, { tools: [TOOL] }) });
    expect([end.reason, lane.requests[0]?.refused]).toEqual(['done', undefined]);
    expect(bodies()[0].messages[1].content[0].input).toEqual({ input: 'broken' });
    expect(bodies()[0].messages[2].content.map(({ type }: { type: string }) => type)).toEqual([
      'tool_result',
      'text',
    ]);
  });
});

describe('parameters', () => {
  it('reach the API under its own names', async () => {
    const params = {
      temperature: 0.2,
      maxOutputTokens: 99,
      topP: 0.9,
      stop: ['END'],
      toolChoice: 'required',
      parallelToolCalls: false,
      providerOptions: {
        anthropic: { metadata: { userId: 'u-1' } },
        'openai-chat': {},
        openai: { user: 'u-1' },
      },
    };
    const { temperature: _, ...anthropicParams } = params;
    const request = (own: object) =>
      conversation([said('user', 'Hi.')], { tools: [TOOL], params: { ...own } });
    const chat = open('openai-chat', [HI]);
    await play(chat.session, { request: request({ ...params, seed: 7 }) });
    expect(chat.bodies()[0]).toMatchObject({
      temperature: 0.2,
      max_tokens: 99,
      top_p: 0.9,
      stop: ['END'],
      seed: 7,
      tool_choice: 'required',
      parallel_tool_calls: false,
      user: 'u-1',
      store: false,
    });
    const claude = open('anthropic', [HI]);
    await play(claude.session, { request: request(anthropicParams) });
    expect(claude.bodies()[0]).toMatchObject({
      max_tokens: 99,
      stop_sequences: ['END'],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      metadata: { user_id: 'u-1' },
    });
  });

  it.each([
    ['an unknown name', { temprature: 1 }, 'temprature'],
    ['a value out of range', { temperature: 9 }, 'temperature'],
    ['a value of the wrong kind', { stop: 5 }, 'stop'],
    ['an unknown key inside', { toolChoice: { tol: 'x' } }, 'toolChoice'],
  ])('%s is refused before anything is sent', async (_name, params, word) => {
    const { session, lane } = open('openai', [HI]);
    const { end } = await play(session, { request: conversation([said('user', 'Hi.')], { params }) });
    expect(end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_PARAM', retryable: false } });
    expect(end.error?.message).toContain(word);
    expect(lane.requests).toEqual([]);
  });

  it('a setting that the API does not take is left out, and the log says so', async () => {
    const { session } = open('anthropic', [HI]);
    const request = conversation([said('user', 'Hi.')], { params: { frequencyPenalty: 1 } });
    const played = await play(session, { request });
    expect(played.end.reason).toBe('done');
    expect(eventsOf(played, 'log')[0]?.text).toContain('frequencyPenalty');
  });

  it.each([
    ['openai', 'gpt-5', { reasoning: { effort: 'high', summary: 'auto' } }],
    ['anthropic', 'claude-sonnet-4-5', { thinking: { type: 'enabled', budget_tokens: 24_576 } }],
    ['anthropic', 'claude-opus-5-5', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['google', 'gemini-2.5-flash', { generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } }],
    ['google', 'gemini-3-pro', { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }],
    ['compatible', 'x', { reasoning_effort: 'high' }],
  ] as const)('%s is told how much to think: %s', async (api, model, expected) => {
    const { session, bodies } = open(api, [HI], {}, model);
    const request = conversation([said('user', 'Hi.')], { params: { reasoningEffort: 'high' } });
    expect((await play(session, { request })).end.reason).toBe('done');
    expect(bodies()[0]).toMatchObject(expected);
  });

  it('the model may be named by the request, and must be named by somebody', async () => {
    const { provider, lane } = open('compatible', [HI]);
    const session = provider.open({ redactor });
    const unnamed = await play(session, {});
    expect([unnamed.end.error?.code, lane.requests.length]).toEqual(['E_PROVIDER_MODEL', 0]);
    const request = conversation([said('user', 'Hi.')], { params: { model: 'm-2' } });
    const named = await play(session, { request });
    expect(named.events[0]).toMatchObject({ type: 'turn.start', model: 'm-2' });
  });
});

describe('the cache', () => {
  const marks = (body: unknown): number => JSON.stringify(body).split('"cache_control"').length - 1;
  const first = [said('system', LONG), said('user', 'One.')];
  const second = [...first, said('assistant', 'Yes.'), said('user', 'Two.')];

  it('breakpoints stand behind the tools, the last stable block and the history', async () => {
    const { session, bodies } = open('anthropic', [HI, HI]);
    await play(session, { request: conversation(first, { tools: [TOOL] }) });
    await play(session, { request: conversation(second, { tools: [TOOL] }) });
    const [one, two] = bodies();
    expect(one.tools[0].cache_control).toEqual({ type: 'ephemeral' });
    expect(one.system[0].cache_control).toEqual({ type: 'ephemeral' });
    expect([marks(one), marks(two)]).toEqual([2, 3]);
    expect(two.messages.at(-1).content.at(-1).cache_control).toEqual({ type: 'ephemeral' });
  });

  it('a block that changes every turn ends the stable prefix', async () => {
    const { session, bodies } = open('anthropic', [HI]);
    const request = conversation([
      said('system', 'Stable.'),
      said('system', 'It is noon.', { labels: { volatility: 'turn' } }),
      said('system', 'Stable too.'),
      said('user', 'Hi.'),
    ]);
    await play(session, { request });
    const marked = bodies()[0].system.map((block: object) => 'cache_control' in block);
    expect(marked).toEqual([true, false, false]);
  });

  it('requests that begin alike have one cache key, others another', async () => {
    const { session, bodies } = open('openai', [HI, HI, HI]);
    await play(session, { request: conversation(first) });
    await play(session, { request: conversation(second) });
    await play(session, { request: conversation([said('system', 'Other.'), said('user', 'One.')]) });
    const keys = bodies().map(({ prompt_cache_key: key }) => key);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it.each([
    ['anthropic', [0, 3_200, 3_200, 0]],
    ['openai', [0, 3_200, 3_200, 0]],
  ] as const)(
    '%s: what is cached is predicted from what was sent, while it lasts',
    async (api, predictions) => {
      const clock = manualClock();
      const { session } = open(api, [HI, HI, HI, HI], { clock });
      const predicted: (number | undefined)[] = [];
      for (const blocks of [first, second, first, first]) {
        if (predicted.length === 3) clock.pass(6 * 60_000);
        const played = await play(session, {
          request: conversation(blocks),
          limits: { idleMs: 1e9, totalMs: 1e9 },
        });
        predicted.push(eventsOf(played, 'usage')[0]?.usage.predictedCachedTokens);
      }
      expect(predicted).toEqual(predictions);
    },
  );

  it('a later process predicts from the record of the conversation, and asks for it once', async () => {
    const clock = manualClock();
    const { session } = open('anthropic', [HI, HI, HI], { clock });
    let asked = 0;
    const told = async () => {
      asked += 1;
      return { prompt: conversation(first).prompt, tools: [], at: clock.now() - 60_000 };
    };
    const lane = { conversation: { run: 'run_1', lane: 'main' }, limits: { idleMs: 1e9, totalMs: 1e9 } };
    const predict = async (given: object) =>
      eventsOf(await play(session, { request: conversation(second), ...lane, ...given }), 'usage')[0]?.usage
        .predictedCachedTokens;
    expect(await predict({ told })).toBe(3_200);
    await predict({ told });
    expect(asked).toBe(1);
    const stale = async () => ({ prompt: conversation(first).prompt, tools: [], at: clock.now() - 600_000 });
    const other = { run: 'run_2', lane: 'main' };
    const { session: fresh } = open('anthropic', [HI], { clock });
    const late = await play(fresh, {
      request: conversation(second),
      ...lane,
      conversation: other,
      told: stale,
    });
    expect(eventsOf(late, 'usage')[0]?.usage.predictedCachedTokens).toBe(0);
  });

  it("too short a prefix is not cached, and a counter of one's own is asked", async () => {
    const asked: string[] = [];
    const countTokens = (text: string) => {
      asked.push(text);
      return 600;
    };
    const { session } = open('openai', [HI, HI], { countTokens });
    const request = conversation([said('system', 'Short.'), said('user', 'One.')]);
    await play(session, { request });
    const again = await play(session, { request });
    expect(eventsOf(again, 'usage')[0]?.usage.predictedCachedTokens).toBe(1_152);
    const other = conversation([said('system', 'Short.'), said('user', 'Two.')]);
    const { session: fresh } = open('openai', [HI, HI], { countTokens });
    await play(fresh, { request });
    expect(eventsOf(await play(fresh, { request: other }), 'usage')[0]?.usage.predictedCachedTokens).toBe(0);
    expect(asked).toContain('Short.');
  });
});

describe('thoughts before tool calls', () => {
  const params = { reasoningEffort: 'low' };
  const thinking = {
    reasoning: 'I should look.',
    text: 'Looking.',
    toolCalls: [{ id: 'call_7', name: 'look', args: {} }],
  };
  const asking = conversation([said('user', 'Go.')], { tools: [TOOL], params });
  const answering = conversation(
    [
      said('user', 'Go.'),
      said('assistant', 'Looking.', { calls: [{ id: 'call_7', name: 'look', args: {} }] }),
      said('tool', 'Nothing there.', { callId: 'call_7' }),
    ],
    { tools: [TOOL], params },
  );

  it('go back signed in front of the calls', async () => {
    const { session, bodies, lane } = open('anthropic', [thinking, HI], {}, 'claude-sonnet-4-5');
    await play(session, { request: asking });
    expect((await play(session, { request: answering })).end.reason).toBe('done');
    expect(lane.requests[1]?.refused).toBeUndefined();
    const parts = bodies()[1].messages[1].content;
    expect(parts.map(({ type }: { type: string }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(parts[0]).toMatchObject({ thinking: 'I should look.', signature: expect.stringMatching(/./) });
  });

  it('go back sealed to OpenAI, which keeps nothing', async () => {
    const { session, bodies } = open('openai', [thinking, HI], {}, 'gpt-5');
    await play(session, { request: asking });
    expect((await play(session, { request: answering })).end.reason).toBe('done');
    const types = bodies()[1].input.map(({ type, role }: { type?: string; role?: string }) => type ?? role);
    expect(types).toEqual(['user', 'reasoning', 'assistant', 'function_call', 'function_call_output']);
    expect(bodies()[1]).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    expect(bodies()[1].input[1].encrypted_content).toBe('b3BhcXVl');
  });

  it('are gone in another process, which goes on without thinking and says so', async () => {
    const { session, bodies, lane } = open('anthropic', [HI], {}, 'claude-sonnet-4-5');
    const played = await play(session, { request: answering });
    expect([played.end.reason, lane.requests[0]?.refused]).toEqual(['done', undefined]);
    expect(bodies()[0].thinking).toEqual({ type: 'disabled' });
    expect(eventsOf(played, 'log')[0]?.text).toContain('without thinking');
  });

  it('are dropped when they hold what must not be said again', async () => {
    const leaking = { ...thinking, reasoning: 'The home is /home/marked-person/x.' };
    const { session, bodies } = open('anthropic', [leaking, HI], {}, 'claude-sonnet-4-5');
    await play(session, { request: asking });
    expect((await play(session, { request: answering })).end.reason).toBe('done');
    expect(JSON.stringify(bodies()[1])).not.toContain('marked-person');
  });
});
