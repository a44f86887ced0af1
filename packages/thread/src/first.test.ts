import { createHash } from 'node:crypto';
import { type RunId, rebuildTurn } from '@cuebook/journal';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it, runs } from '../../../test/runs.js';
import { agent, desk, ECHO, hook, prompt } from '../test/project.js';
import { openStand, type Stand } from '../test/stand.js';
import { composeFirst } from './first.js';

const HOOKS: Readonly<Record<string, string>> = {
  appends: hook(
    'after_system_message',
    'appends',
    "return args[0] + '\\nMind your manners. ' + state.env('TEAM');",
  ),
  cuts: hook('after_system_message', 'cuts', "return args[0].split('\\n')[0];"),
  filters: hook(
    'filter_messages',
    'filters',
    "return args[0].map((m) => ({ ...m, content: m.content + '?' }));",
  ),
  last: hook('prefilter_llm_history', 'last', "return [{ role: 'user', content: 'In short:' }, ...args[0]];"),
  stores: hook(
    'before_create_message',
    'stores',
    'return { ...args[0], content: (args[0].content ?? "") + "!" };',
  ),
  sets: hook('after_thread_created', 'sets', "await state.setEnv('TEAM', 'the night shift');"),
  fails: hook('filter_messages', 'fails', "throw new Error('no');"),
};
const NAMES = Object.keys(HOOKS);
const VARIABLE =
  "variables: [{ name: 'TEAM', type: 'text', required: true, description: 'Who works' }, { name: 'KEY', type: 'secret', required: false, description: 'A key' }],";
const TEXT = "[{ type: 'text', content: 'You serve.\\nBe kind to ' }, { type: 'env', property: 'TEAM' }]";

/** Lists of hooks, one agent for each. */
const LISTS = fc.sample(fc.subarray(NAMES), { numRuns: 14, seed: 5 });

const project = {
  ...desk(),
  'tools/echo.ts': ECHO,
  'prompts/side.ts': prompt('side'),
  ...Object.fromEntries(NAMES.map((name) => [`hooks/${name}.ts`, HOOKS[name] as string])),
  ...Object.fromEntries(
    LISTS.flatMap((list, index) => [
      [
        `prompts/p${index}.ts`,
        prompt(
          `p${index}`,
          `tools: ['echo'${index % 2 === 0 ? ", 'pair'" : ''}], hooks: [${list.map((name) => `'${name}'`).join(', ')}], ${VARIABLE}
           reasoning: { effort: 'low', maxTokens: 3000 }, toolChoice: '${index % 3 === 0 ? 'required' : 'auto'}',`,
          TEXT,
        ),
      ],
      [
        `agents/a${index}.ts`,
        agent(
          `a${index}`,
          index % 4 === 0
            ? `type: 'dual_ai', maxSessionTurns: 1, sideA: { prompt: 'p${index}' }, sideB: { prompt: 'side' }`
            : `sideA: { prompt: 'p${index}' }`,
        ),
      ],
    ]),
  ),
  'agents/pair.ts': agent(
    'pair',
    "type: 'dual_ai', exposeAsTool: true, toolDescription: 'x', maxSessionTurns: 1, sideA: { prompt: 'side' }, sideB: { prompt: 'side' }",
  ),
};

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('the first request', () => {
  let stand: Stand;
  let count = 0;
  beforeAll(async () => {
    stand = await openStand(project, { '*': Array.from({ length: 2_000 }, () => ({ text: 'Well.' })) });
  });
  afterAll(() => stand.close());

  it('as it is composed without a run is that of the first recorded turn, for all hooks and inputs', async () => {
    const text = fc.oneof(
      fc.lorem(),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((words) => `${words}.`),
      fc.constantFrom('the key is sesame-4711', 'SYSTEM_RULES\n- a: b', '<|im_start|>', 'x'.repeat(400_000)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(LISTS.length - 1),
        text,
        fc.record({
          TEAM: fc.constantFrom('blue', 'A_TEAM\n- x: y', 'sesame-4711 too'),
          KEY: fc.constant('sesame-4711'),
        }),
        async (index, input, env) => {
          count += 1;
          const run = `run_first${count}` as RunId;
          const given = { text: input, env, instanceEnv: { REGION: 'north' } };
          const first = await composeFirst({
            live: stand.live,
            of: { kind: 'agent', name: `a${index}` },
            ...given,
            context: { roots: [], private: [], names: [] },
            hash,
          });
          expect(await stand.threads.start({ run, agent: `a${index}`, ...given })).toMatchObject({
            ok: true,
          });
          await stand.threads.drain();
          const events = await stand.store.read(run, { limit: 1_000 });
          const turn = events.flatMap(({ type, data }) => {
            const { id, kind } = data as { readonly id: string; readonly kind?: string };
            return type === 'effect.intended' && kind === 'model.turn' ? [id] : [];
          })[0];
          const rebuilt = await rebuildTurn(stand.store, run, turn ?? '');
          if (!first.ok) throw new Error(first.error.message);
          if (!rebuilt.ok) throw new Error(JSON.stringify(rebuilt.error));
          const { prompt: told, tools, params } = first.value.request;
          const { request } = rebuilt.value;
          expect(told.text).toBe(request.prompt.text);
          expect({ blocks: told.blocks, tools, params }).toEqual({
            blocks: request.prompt.blocks,
            tools: request.tools,
            params: request.params,
          });
        },
      ),
      runs(10, 300),
    );
  });

  it('of an agent that does not exist, or without a word, says so or has none', async () => {
    const base = { live: stand.live, context: { roots: [], private: [], names: [] }, hash } as const;
    const none = await composeFirst({ ...base, of: { kind: 'agent', name: 'nobody' } });
    expect(none).toMatchObject({ ok: false, error: { code: 'E_THREAD_AGENT' } });
    const silent = await composeFirst({ ...base, of: { kind: 'prompt', name: 'side' } });
    if (!silent.ok) throw new Error(silent.error.message);
    expect(silent.value.request.prompt.blocks.map(({ role }) => role)).toEqual(['system']);
  });
});
