import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelFetch } from '../../../../test/model-server/index.js';
import { runs } from '../../../../test/runs.js';
import { conversation, said } from '../../test/conversation.js';
import { eventsOf, play, redactor } from '../../test/play.js';
import { strangeSchema } from '../../test/schemas.js';
import { MODELS } from '../../test/shapes.js';
import { anyRequest } from '../../test/talks.js';
import { createApiProvider } from './provider.js';
import type { ApiName } from './vendor.js';

const baseUrl = 'http://127.0.0.1:9/v1';

describe.each(Object.keys(MODELS) as readonly ApiName[])('%s', (api) => {
  it('for all schemas of a tool: the request is taken, whoever wrote them', async () => {
    await fc.assert(
      fc.asyncProperty(strangeSchema, fc.constantFrom(...MODELS[api]), async (parameters, model) => {
        const { fetch, requests } = modelFetch({ text: 'Yes.' });
        const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, fetch });
        const tools = [
          { name: 'strange', parameters: parameters as Record<string, JsonValue> },
          { name: 'plain' },
        ];
        const request = conversation([said('user', 'Hi.')], { tools });
        const { end } = await play(provider.open({ model, redactor }), { request });
        expect([end.error?.message, requests.find((each) => each.refused)?.refused]).toEqual([
          undefined,
          undefined,
        ]);
      }),
      runs(150, 10_000),
    );
  });

  it('for all histories and settings: the request is taken, each call with one result', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, fc.constantFrom(...MODELS[api]), async (request, model) => {
        const { fetch, requests } = modelFetch({ text: '{"answer":"Yes."}' });
        const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, fetch });
        const { end } = await play(provider.open({ model, redactor }), { request });
        expect([end.error?.message, requests.find((each) => each.refused)?.refused]).toEqual([
          undefined,
          undefined,
        ]);
      }),
      runs(200, 10_000),
    );
  });
});

it('Gemini gets the result of a call also where it is a picture without words', async () => {
  const PNG = { type: 'image/png', data: 'iVBORw0KGgo=' };
  const talk = [
    said('user', 'Go.'),
    said('assistant', '', { calls: [{ id: 'c1', name: 'shot', args: {} }] }),
    said('tool', '', { callId: 'c1', media: [PNG] }),
  ];
  for (const model of MODELS.google) {
    const { fetch, requests } = modelFetch({ text: 'Yes.' });
    const provider = createApiProvider({ api: 'google', apiKey: 'sk-test-0123456789', baseUrl, fetch });
    const { end } = await play(provider.open({ model, redactor }), { request: conversation(talk) });
    expect([model, end.reason, JSON.stringify(requests[0]?.body).split('"functionResponse"').length]).toEqual(
      [model, 'done', 2],
    );
  }
});

it.each([
  [
    'a tool that is not offered is left to choose, and it is said',
    'openai',
    { toolChoice: { tool: 'gone' } },
    'is not offered',
  ],
  [
    'stop texts of white space are left out for Claude, and it is said',
    'anthropic',
    { stop: ['\n', 'END'] },
    'white space alone',
  ],
] as const)('%s', async (_name, api, params, note) => {
  const { fetch, requests } = modelFetch({ text: 'Yes.' });
  const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, fetch });
  const request = conversation([said('user', 'Hi.')], { tools: [{ name: 'here' }], params });
  const played = await play(provider.open({ model: MODELS[api][0] as string, redactor }), { request });
  expect(
    eventsOf(played, 'log')
      .map(({ text }) => text)
      .join(),
  ).toContain(note);
  expect(requests[0]?.body).toMatchObject(
    api === 'openai' ? { tool_choice: 'auto' } : { stop_sequences: ['END'] },
  );
});

it('a call whose arguments have odd names comes with those of the tool, and goes back with those it was told', async () => {
  const calls = [{ id: 'c1', name: 'list', args: { top: 3, path: 'a' } }];
  const { fetch, requests } = modelFetch({ toolCalls: calls });
  const provider = createApiProvider({ api: 'anthropic', apiKey: 'sk-test-0123456789', baseUrl, fetch });
  const parameters = { type: 'object', properties: { $top: { type: 'integer' }, path: { type: 'string' } } };
  const own = { id: 'c1', name: 'list', args: { $top: 3, path: 'a' } };
  const talk = [
    said('user', 'Go.'),
    said('assistant', '', { calls: [own] }),
    said('tool', 'ok', { callId: 'c1' }),
  ];
  const request = conversation(talk, { tools: [{ name: 'list', parameters }] });
  const played = await play(provider.open({ model: 'claude-sonnet-5', redactor }), { request });
  expect(eventsOf(played, 'tool.end')).toMatchObject([{ name: 'list', input: own.args }]);
  const body = requests[0]?.body as { messages: { content: { type: string; input?: unknown }[] }[] };
  expect(body.messages[1]?.content.find(({ type }) => type === 'tool_use')?.input).toEqual(calls[0]?.args);
});

it.each(['anthropic', 'google'] as const)(
  'a history of %s that begins with an answer has somebody begin it',
  async (api) => {
    const { fetch, requests } = modelFetch({ text: 'Yes.' });
    const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, fetch });
    const calls = [{ id: 'c1', name: 'here', args: {} }];
    const talk = [
      said('system', 'Rules.'),
      said('assistant', 'So far.'),
      said('assistant', 'And on.', { calls }),
      said('tool', 'ok', { callId: 'c1' }),
    ];
    const { end } = await play(provider.open({ model: MODELS[api].at(-2) as string, redactor }), {
      request: conversation(talk),
    });
    expect([end.reason, requests.map(({ refused }) => refused)]).toEqual(['done', [undefined]]);
    expect(JSON.stringify(requests[0]?.body)).toContain('What was said before this is not told here.');
  },
);
