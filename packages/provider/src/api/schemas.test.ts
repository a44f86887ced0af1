import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelFetch } from '../../../../test/model-server/index.js';
import { runs } from '../../../../test/runs.js';
import { conversation, said } from '../../test/conversation.js';
import { eventsOf, play, redactor } from '../../test/play.js';
import { strangeSchema } from '../../test/schemas.js';
import { MODELS } from '../../test/shapes.js';
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
      runs(300, 10_000),
    );
  });
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
