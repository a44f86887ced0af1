import fc from 'fast-check';
import { expect, it } from 'vitest';
import { modelFetch } from '../../../../../test/model-server/index.js';
import { runs } from '../../../../../test/runs.js';
import { conversation, said } from '../../../test/conversation.js';
import { play, redactor } from '../../../test/play.js';
import { createApiProvider } from '../provider.js';

// What servers that are compatible ask for beside what all of them take.

const TOOL = { name: 'look', parameters: { type: 'object', properties: {} } };
type Sent = { readonly role: string; readonly tool_call_id?: string; readonly reasoning_content?: string } & {
  readonly tool_calls?: readonly { readonly id: string }[];
};

async function sentOf(model: string, turns: readonly (readonly string[])[]): Promise<readonly Sent[]> {
  const { fetch, requests } = modelFetch({ text: 'ok' });
  const provider = createApiProvider({
    api: 'compatible',
    apiKey: 'sk-test-01',
    baseUrl: 'http://127.0.0.1:9/v1',
    fetch,
  });
  const history = turns.flatMap((ids) => [
    said('user', 'Go.'),
    said('assistant', '', { calls: ids.map((id) => ({ id, name: 'look', args: {} })) }),
    ...ids.toReversed().map((id) => said('tool', `of ${id}`, { callId: id })),
  ]);
  const request = conversation([...history, said('user', 'And now?')], { tools: [TOOL] });
  const played = await play(provider.open({ model, redactor }), { request });
  expect(played.end.reason).toBe('done');
  const [sent] = requests.map(({ body }) => body as { readonly messages: readonly Sent[] });
  return sent?.messages ?? [];
}

it('ids of calls are nine letters and digits, as Mistral wants them, used once, and those of their results', async () => {
  const id = fc.oneof(
    fc.constantFrom(
      'call_1',
      'toolu_01A09q90qw90lq917835lq9',
      'a1B2c3D4e',
      'x',
      'ä',
      'a b',
      '0'.repeat(200),
      'exec1774786568428215',
    ),
    fc.string({ minLength: 1, maxLength: 60 }),
    fc.uuid(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (turns) => {
        const messages = await sentOf('mistral-large-latest', turns);
        const made = messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.id));
        expect(made).toHaveLength(turns.flat().length);
        for (const one of made) expect(one).toMatch(/^[a-zA-Z0-9]{9}$/);
        expect(new Set(made).size).toBe(made.length);
        expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(made);
        // The same conversation has the same ids: what was sent before stays as it was.
        expect(await sentOf('mistral-large-latest', turns.slice(0, -1))).toEqual(
          turns.length === 1 ? expect.anything() : [...messages.slice(0, before(turns)), messages.at(-1)],
        );
      },
    ),
    runs(20, 1_000),
  );
});

/** How many messages all turns but the last are. */
const before = (turns: readonly (readonly string[])[]): number =>
  turns.slice(0, -1).reduce((sum, ids) => sum + 2 + ids.length, 0);

it('DeepSeek is told that nothing was thought where thoughts are lost, and no other model is', async () => {
  const thought = async (model: string) =>
    (await sentOf(model, [['a'], ['b']])).map(({ role, reasoning_content }) => [role, reasoning_content]);
  expect((await thought('deepseek/deepseek-v4-pro')).filter(([role]) => role === 'assistant')).toEqual([
    ['assistant', ''],
    ['assistant', ''],
  ]);
  for (const model of ['mistral-large-latest', 'qwen3', 'llama-4'])
    expect((await thought(model)).every(([, words]) => words === undefined)).toBe(true);
});
