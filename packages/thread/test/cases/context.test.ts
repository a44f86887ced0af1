import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '@cuebook/prompt';
import { createApiProvider } from '@cuebook/provider';
import { afterEach, describe, expect } from 'vitest';
import { modelFetch } from '../../../../test/model-server/index.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { desk, ECHO, model, tool } from '../project.js';
import { type Body, openStand, root, type Stand } from '../stand.js';
import { type Case, calls, expectSaid, testCases } from './case.js';

const PICTURE = Buffer.from('iVBORw0KGgo=', 'base64');

const CASES: readonly Case[] = [
  {
    name: 'without the chat: the system message and all of the current turn, nothing older',
    project: desk("tools: ['echo'],", { 'tools/echo.ts': ECHO }),
    lanes: {
      '*': [calls('echo', { text: 'a' }), { text: 'One.' }, calls('echo', { text: 'b' }), { text: 'Two.' }],
    },
    says: ['And?'],
    see: ({ requests }) =>
      expectSaid(requests[3], ['system: I am clerk.', 'user: And?', 'assistant: ', 'tool: echo b']),
  },
  {
    name: 'with the chat, and without past tools: words of earlier turns, and no calls',
    project: desk("tools: ['echo'], includeChat: true,", { 'tools/echo.ts': ECHO }),
    lanes: { '*': [calls('echo', { text: 'a' }, 'Hm.'), { text: 'One.' }, { text: 'Two.' }] },
    says: ['And?'],
    see: ({ requests }) => {
      expectSaid(requests[2], [
        'system: I am clerk.',
        'user: Hello.',
        'assistant: Hm.',
        'assistant: One.',
        'user: And?',
      ]);
    },
  },
  {
    name: 'with past tools: each call has its result directly behind it, in call order, though they overlap',
    project: desk("tools: ['slow'], includeChat: true, includePastTools: true, parallelToolCalls: true,", {
      // The first call waits until the second has begun: they overlap, or nothing comes out.
      'tools/slow.ts': tool(
        'const seen = (global.seen ??= []); seen.push(args.n); for (let i = 0; i < 20_000 && args.n === 1 && !seen.includes(2); i += 1) await new Promise((go) => setTimeout(go, 25)); return { status: "success", result: args.n + (seen.includes(2) ? " with" : " without") + " the other" };',
        'args: z.object({ n: z.number() }),',
      ),
    }),
    lanes: {
      '*': [
        {
          toolCalls: [
            { name: 'slow', args: { n: 1 } },
            { name: 'slow', args: { n: 2 } },
          ],
        },
        { text: 'Both.' },
        { text: 'Two.' },
      ],
    },
    says: ['And?'],
    see: ({ requests }) => {
      const messages = requests[2]?.messages ?? [];
      const ids = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
      expect(messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId)).toEqual(ids);
      expectSaid(requests[2], [
        'system: I am clerk.',
        'user: Hello.',
        'assistant: ',
        'tool: 1 with the other',
        'tool: 2 with the other',
        'assistant: Both.',
        'user: And?',
      ]);
    },
  },
  {
    name: 'reasoning that is included is told again; what a later turn does not include is not',
    project: desk('reasoning: { include: true }, includeChat: true,'),
    lanes: { '*': [{ reasoning: 'The sea is salt.', text: 'Salt.' }, { text: 'Yes.' }] },
    says: ['Sure?'],
    see: ({ requests }) => expect(requests[1]?.messages[2]?.content).toContain('The sea is salt.'),
  },
  {
    name: 'reasoning that is not included is kept and not told again',
    project: desk('includeChat: true,'),
    lanes: { '*': [{ reasoning: 'The sea is salt.', text: 'Salt.' }, { text: 'Yes.' }] },
    says: ['Sure?'],
    see: ({ requests, state }) => {
      expect(JSON.stringify(requests[1])).not.toContain('The sea is salt.');
      expect(root(state).messages[1]?.reasoning).toBe('The sea is salt.');
    },
  },
  {
    name: 'reasoning that is excluded: the request says so, and the stored message has none',
    project: desk('reasoning: { exclude: true },'),
    lanes: { '*': [{ reasoning: 'The sea is salt.', text: 'Salt.' }] },
    see: ({ requests, state }) => {
      expect(requests[0]?.params).toMatchObject({
        providerOptions: { cuebook: { reasoning: { exclude: true } } },
      });
      expect(root(state).messages[1]).not.toHaveProperty('reasoning');
    },
  },
  {
    name: 'reasoning that is included and excluded is kept to be told again, and not shown while it comes',
    project: desk('reasoning: { include: true, exclude: true }, includeChat: true,'),
    lanes: { '*': [{ reasoning: 'The sea is salt.', text: 'Salt.' }, { text: 'Yes.' }] },
    says: ['Sure?'],
    see: ({ requests, state }) => {
      expect(root(state).messages[1]?.reasoning).toBe('The sea is salt.');
      expect(requests[1]?.messages[2]?.content).toContain('The sea is salt.');
    },
  },
];

describe('what a request tells', () => testCases(CASES));

describe('pictures', () => {
  let stand: Stand;
  afterEach(() => stand.close());
  const pictures = (body: Body | undefined): number =>
    JSON.stringify(body).split(PICTURE.toString('base64')).length - 1;
  const show = async (
    project: Readonly<Record<string, string>>,
    options: Parameters<typeof openStand>[2] = {},
  ) => {
    stand = await openStand(
      project,
      { '*': [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] },
      options,
    );
    writeFileSync(join(stand.folder, 'sea.png'), PICTURE);
    await stand.start({ text: 'Look.', attachments: ['/sea.png'] });
  };

  it('are sent while they are new, and told in words when they are old: by somebody who describes them, once', async () => {
    const described: string[] = [];
    const describePicture = async ({ path }: { readonly path: string }) => {
      described.push(path);
      return 'the sea at dusk';
    };
    await show(desk('includeChat: true, recentImageThreshold: 2,'), { describe: describePicture });
    await stand.say('And now?');
    const state = await stand.say('And then?');
    expect(stand.requests.map(pictures)).toEqual([1, 0, 0]);
    expect(stand.requests[1]?.messages[1]?.content).toBe('Look.\n[image: the sea at dusk]');
    expect(described).toEqual(['/sea.png']);
    expect(root(state).messages[0]?.attachments?.[0]).toMatchObject({ description: 'the sea at dusk' });
  });

  it.each(['openai', 'openai-chat', 'anthropic', 'google', 'compatible'] as const)(
    'that are old are described by the model that saw them, once, on record: %s',
    async (api) => {
      const { fetch, requests } = modelFetch({ text: 'A boat at sea.' });
      const provider = createApiProvider({
        api,
        apiKey: 'sk-test-0123456789',
        baseUrl: 'http://127.0.0.1:9/v1',
        fetch,
      });
      const named = model('fast').replace('fast-1', api === 'google' ? 'gemini-2.5-flash' : 'm-1');
      await show(
        { ...desk('includeChat: true, recentImageThreshold: 1,'), 'models/fast.ts': named },
        { provider: () => ok(provider) },
      );
      await stand.say('And now?');
      const state = await stand.say('And then?');
      const sent = requests.map(({ body }) => JSON.stringify(body));
      expect(requests.map(({ refused }) => refused)).toEqual(requests.map(() => undefined));
      expect(sent.map((body) => body.includes(PICTURE.toString('base64')))).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(sent.map((body) => body.includes('Describe the picture'))).toEqual([false, true, false, false]);
      expect(sent[2]).toContain('[image: A boat at sea.]');
      expect(root(state).messages[0]?.attachments?.[0]).toMatchObject({ description: 'A boat at sea.' });
      const turns = (await stand.store.read('run_thread' as never, { limit: 1_000 })).filter(
        ({ type }) => type === 'turn.recorded' || type === 'turn.began',
      );
      expect(JSON.stringify(turns.length === 0 ? await stand.everything() : turns)).toContain('.picture1');
    },
  );

  it('are told by their name where nobody describes them', async () => {
    await show(desk('includeChat: true, recentImageThreshold: 1,'));
    await stand.say('And now?');
    expect(stand.requests[1]?.messages[1]?.content).toBe('Look.\n[image: /sea.png]');
  });

  it('of tools age like all others', async () => {
    stand = await openStand(
      desk("tools: ['draws'], includeChat: true, includePastTools: true, recentImageThreshold: 2,", {
        'tools/draws.ts': tool("return { status: 'success', result: 'drawn', attachments: ['/sea.png'] };"),
      }),
      { '*': [calls('draws'), { text: 'One.' }, { text: 'Two.' }] },
    );
    writeFileSync(join(stand.folder, 'sea.png'), PICTURE);
    await stand.start();
    await stand.say('And now?');
    expect(stand.requests.map(pictures)).toEqual([0, 1, 0]);
  });

  it('are left out for a model that does not see, and stay stored', async () => {
    await show({ ...desk(), 'models/fast.ts': model('fast', 'capabilities: { vision: false },') });
    expect(stand.requests.map(pictures)).toEqual([0]);
    expect(root(await stand.threads.read('run_thread' as never)).messages[0]?.attachments).toHaveLength(1);
  });
});
