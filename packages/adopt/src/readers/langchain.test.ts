import {
  ChatPromptTemplate,
  interpolateFString,
  interpolateMustache,
  MessagesPlaceholder,
} from '@langchain/core/prompts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { corePieces, printed, values, wildTemplate } from '../../test/arbitrary.js';
import { adopt, rendered } from '../../test/render.js';
import { langchainReader } from './langchain.js';

const read = (text: string, how = {}) => adopt(langchainReader, 'prompts/hub.json', text, how);
const ROLE = { system: 'system', human: 'user', ai: 'assistant' } as const;
const role = fc.constantFrom('system', 'human', 'ai') as fc.Arbitrary<keyof typeof ROLE>;
const fString = (pieces: Parameters<typeof printed>[0]): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece.replace(/[{}]/g, '$&$&') : `{${piece.name}}`))
    .join('');

describe('manifests that LangChain writes', () => {
  it('render its bytes', async () => {
    const chat = fc.array(fc.record({ role, pieces: corePieces }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(chat, values, fc.boolean(), async (messages, vars, isMustache) => {
        const list = messages.map(
          ({ role: of, pieces }) =>
            [of, isMustache ? printed(pieces, (name) => `{{${name}}}`) : fString(pieces)] as [string, string],
        );
        const template = ChatPromptTemplate.fromMessages(list as never, {
          templateFormat: isMustache ? 'mustache' : 'f-string',
        });
        const adopted = read(JSON.stringify(template));
        expect(adopted.diagnostics).toEqual([]);
        const fill = isMustache ? interpolateMustache : interpolateFString;
        const theirs = list.map(([of, text]) => ({
          role: ROLE[of as keyof typeof ROLE],
          content: fill(text, vars),
        }));
        expect(await rendered(adopted, vars)).toEqual(theirs);
      }),
      runs(200, 2000),
    );
  });

  it('are told or refused where they leave the core', async () => {
    await fc.assert(
      fc.asyncProperty(wildTemplate, async (template) => {
        const manifest = serialised('PromptTemplate', {
          template: `x${template}`,
          template_format: 'f-string',
        });
        const adopted = read(JSON.stringify(manifest));
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        const flat = { a: 'A', ' a ': 'blank', 'a.b': 'dotted' };
        const names = new Map([
          ['a', 'A'],
          ['_a_', 'blank'],
          ['input_a_', 'blank'],
          ['a.b', 'dotted'],
        ]);
        const ours = Object.fromEntries(
          [...(adopted.sheets[0]?.inputs.keys() ?? [])].map((name) => [name, names.get(name) ?? 'A']),
        );
        const isKnown = [...(adopted.sheets[0]?.inputs.keys() ?? [])].every((name) => names.has(name));
        if (isKnown)
          expect(await rendered(adopted, ours)).toEqual([
            { role: 'user', content: interpolateFString(`x${template}`, flat) },
          ]);
      }),
      runs(500, 5000),
    );
  });

  it('with f-strings and mustache about one variable are refused where both cannot be meant', () => {
    const message = (template: string, template_format: string) => ({
      ...{
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'prompts', 'chat', 'HumanMessagePromptTemplate'],
      },
      kwargs: {
        prompt: {
          ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'prompt', 'PromptTemplate'] },
          kwargs: { template, template_format },
        },
      },
    });
    const manifest = (...messages: readonly object[]) =>
      adopt(
        langchainReader,
        'p.json',
        JSON.stringify({
          ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'chat', 'ChatPromptTemplate'] },
          kwargs: { messages },
        }),
      );
    const loop = message('{{#b}}x{{/b}}', 'mustache');
    // An f-string prints [] as "[]", mustache as nothing.
    for (const order of [
      [message('S {b}', 'f-string'), loop],
      [loop, message('S {b}', 'f-string')],
    ])
      expect(manifest(...order)).toMatchObject({
        sheets: [],
        diagnostics: expect.arrayContaining([
          expect.objectContaining({ code: 'W_IMPORT_SECTION', severity: 'warning', line: 1 }),
        ]),
      });
    expect(manifest(message('S {a}', 'f-string'), loop).sheets).toHaveLength(1);
    expect(manifest(message('S {{b}}', 'mustache'), loop).sheets).toHaveLength(1);
  });

  it('keep placeholders, tools around them, and what is filled already', async () => {
    const template = ChatPromptTemplate.fromMessages([
      ['system', 'S'],
      new MessagesPlaceholder({ variableName: 'chat', optional: true }),
      ['human', '{q}'],
    ]);
    const adopted = read(JSON.stringify(template));
    expect(adopted.sheets[0]?.blocks).toMatchObject([
      { role: 'system' },
      { history: { name: 'chat' } },
      { role: 'user' },
    ]);
    expect(await rendered(adopted, { q: 'Q' })).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'Q' },
    ]);
    const tool = {
      type: 'function',
      function: { name: 'f', description: 'd', parameters: { type: 'object' } },
    };
    const model = {
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'chat_models', 'openai', 'ChatOpenAI'],
      kwargs: { api_key: { lc: 1, type: 'secret', id: ['OPENAI_API_KEY'] } },
    };
    const binding = {
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'runnable', 'RunnableBinding'],
      kwargs: { bound: model, kwargs: { tools: [tool] } },
    };
    const sequence = {
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'runnable', 'RunnableSequence'],
      kwargs: {
        first: serialised('PromptTemplate', { template: '{a} {b}', partial_variables: { b: 'B' } }),
        last: binding,
      },
    };
    const hub = read(JSON.stringify({ commit_hash: 'abc', manifest: sequence }));
    expect(hub.sheets[0]).toMatchObject({
      name: 'hub',
      tools: [{ name: 'f' }],
      meta: { source: { version: 'abc' } },
    });
    expect(hub.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'info W_IMPORT_KEY',
      'info W_IMPORT_DEFAULT',
    ]);
    expect(await rendered(hub, { a: 'A' })).toEqual([{ role: 'user', content: 'A B' }]);
  });

  it.each([
    {
      what: 'jinja2',
      manifest: () => serialised('PromptTemplate', { template: '{{ x }}', template_format: 'jinja2' }),
      code: 'W_IMPORT_HELPER',
    },
    { what: 'few-shot', manifest: () => serialised('FewShotPromptTemplate', {}), code: 'W_IMPORT_SECTION' },
    {
      what: 'several contents',
      manifest: () => chat([serialised('HumanMessagePromptTemplate', { prompt: [] })]),
      code: 'W_IMPORT_MEDIA',
    },
    {
      what: 'a secret alone',
      manifest: () => ({ lc: 1, type: 'secret', id: ['KEY'] }),
      code: 'E_IMPORT_SYNTAX',
    },
    {
      what: 'JSON in an f-string',
      manifest: () => serialised('PromptTemplate', { template: '{"a": 1}' }),
      code: 'W_IMPORT_NAME',
    },
  ])('are refused by name: $what', ({ manifest, code }) => {
    const adopted = read(JSON.stringify(manifest()));
    expect(adopted.sheets).toEqual([]);
    expect(adopted.diagnostics.map((each) => each.code)).toContain(code);
  });
});

function serialised(name: string, kwargs: object): object {
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'x', name], kwargs };
}

function chat(messages: readonly object[]): object {
  return serialised('ChatPromptTemplate', { messages });
}
