import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, runs } from '../../../../test/runs.js';
import {
  adoptHostile,
  brokenJson,
  type Data,
  expectSent,
  HOSTILE_TEXTS,
  losses,
  spoiled,
  spoils,
} from '../../test/hostile.js';
import type { ReadHow } from '../reader.js';
import { langchainReader } from './langchain.js';
import { mcpReader } from './mcp.js';
import { openaiReader } from './openai.js';
import { promptfooReader } from './promptfoo.js';

const object = (name: string, kwargs: object) => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'x', name] },
  kwargs,
});
const template = (text: string) =>
  object('PromptTemplate', { template: text, template_format: 'mustache', input_variables: [] });
const how: ReadHow = { file: () => undefined };
/** Texts without tags, as f-strings write them. */
const escaped = (text: string): string => text.replace(/[{}]/g, '$&$&');

/** A whole file of each format, and one whose only message is a given text. */
const FORMATS = [
  {
    format: 'langchain',
    reader: langchainReader,
    path: 'p.json',
    role: 'system',
    good: {
      commit_hash: 'abc',
      manifest: object('ChatPromptTemplate', {
        input_variables: ['a', 'b'],
        partial_variables: { b: 'B' },
        messages: [
          object('SystemMessagePromptTemplate', { prompt: template('S {{a}}{{#c}}x{{/c}}') }),
          object('MessagesPlaceholder', { variable_name: 'chat', optional: true }),
          object('HumanMessagePromptTemplate', {
            prompt: object('PromptTemplate', { template: 'Q {a} {b}', input_variables: ['a', 'b'] }),
          }),
          object('AIMessage', { content: 'Yes', additional_kwargs: {}, tool_calls: [] }),
        ],
      }),
    },
    withText: (text: string) =>
      object('ChatPromptTemplate', {
        messages: [
          object('SystemMessagePromptTemplate', {
            prompt: object('PromptTemplate', { template: escaped(text), template_format: 'f-string' }),
          }),
        ],
      }),
  },
  {
    format: 'openai',
    reader: openaiReader,
    path: 'p.json',
    role: 'user',
    good: {
      openai_prompt_id: 'pmpt_1',
      name: 'p',
      production_version: '2',
      versions: [
        { version: '1', messages: [{ role: 'user', content: 'old' }] },
        {
          version: '2',
          messages: [
            { role: 'developer', content: 'S {{a}}' },
            { role: 'user', content: [{ type: 'input_text', text: 'Q {{b}}' }] },
          ],
          config: { model: 'm', temperature: 0.5, tools: [{ type: 'function', name: 'f', parameters: {} }] },
        },
      ],
    },
    withText: (text: string) => ({
      ...{ openai_prompt_id: 'pmpt_1', name: 'p', production_version: '1' },
      versions: [{ version: '1', messages: [{ role: 'user', content: text }] }],
    }),
  },
  {
    format: 'openai, a saved response',
    reader: openaiReader,
    path: 'r.json',
    role: 'system',
    good: {
      ...{ object: 'response', id: 'resp_1', model: 'm' },
      prompt: { id: 'pmpt_1', version: '1', variables: { a: '⟦a⟧', b: { type: 'input_text', text: '⟦b⟧' } } },
      instructions: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'S ⟦a⟧ ⟦b⟧' }] },
      ],
    },
    withText: (text: string) => ({
      ...{ object: 'response', id: 'resp_1', model: 'm', prompt: { id: 'pmpt_1', version: '1' } },
      instructions: text,
    }),
  },
  {
    format: 'mcp',
    reader: mcpReader,
    path: 'm.json',
    role: 'user',
    good: {
      prompts: [
        {
          prompt: { name: 'p', title: 'P', arguments: [{ name: 'a', required: true }, { name: 'b' }] },
          renders: [
            ['⟦a⟧', '⟦b⟧'],
            ['⟦a2⟧', '⟦b2⟧'],
            ['⟦a⟧', undefined],
          ].map(([a = '', b]) => ({
            arguments: { a, ...(b === undefined ? {} : { b }) },
            messages: [{ role: 'user', content: { type: 'text', text: `Q ${a} ${b ?? ''}` } }],
          })),
        },
      ],
    },
    withText: (text: string) => ({
      prompts: [
        {
          prompt: { name: 'p' },
          renders: [{ arguments: {}, messages: [{ role: 'user', content: { type: 'text', text } }] }],
        },
      ],
    }),
  },
  {
    format: 'promptfoo',
    reader: promptfooReader,
    path: 'e/promptfooconfig.json',
    role: 'user',
    good: {
      description: 'd',
      prompts: [
        'Hi {{a}}{% if b %}x{% endif %}',
        { label: 'l', raw: '[{"role":"system","content":"S {{a}}"}]' },
      ],
      providers: ['openai:chat:m'],
      tests: [
        { description: 'one', vars: { a: 'A', b: true }, assert: [{ type: 'contains', value: 'A' }] },
        { vars: { a: 'B' } },
      ],
    },
    withText: (text: string) => ({ prompts: [{ raw: text }] }),
  },
] as const;

describe.each(inTurn(FORMATS, 4))('$format', ({ reader, path, good, role, withText, format }) => {
  const isYaml = format === 'promptfoo';

  it('is read as it is, with a byte order mark and CR LF, too', async () => {
    const text = JSON.stringify(good, null, 1);
    const plain = await adoptHostile({ reader, path, text, how });
    expect(plain.sheets.length).toBeGreaterThan(0);
    for (const other of [`\ufeff${text}`, text.replaceAll('\n', '\r\n'), `${text}\n\n`]) {
      const { sheets, diagnostics } = await adoptHostile({ reader, path, text: other, how });
      expect(sheets.map(({ blocks }) => blocks)).toEqual(plain.sheets.map(({ blocks }) => blocks));
      expect(diagnostics.map(({ code, line }) => ({ code, line }))).toEqual(
        plain.diagnostics.map(({ code, line }) => ({ code, line })),
      );
    }
  });

  it.each(HOSTILE_TEXTS)('$what in a text is sent as it is, or told', async ({ text }) => {
    // In promptfoo a tag is Nunjucks, and here nothing is.
    await expectSent({ reader, path, text: JSON.stringify(withText(text)), how }, [{ role, content: text }]);
  });

  it.each(brokenJson(JSON.stringify(good)).filter(() => !isYaml))(
    '$what is an error with its place',
    async ({ text }) => {
      const adopted = await adoptHostile({ reader, path, text, how });
      expect(adopted.sheets).toEqual([]);
      expect(losses(adopted)).toEqual(['E_IMPORT_SYNTAX']);
    },
  );

  it('cut anywhere never throws and never loses silently', async () => {
    const text = JSON.stringify(good);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), async (at) => {
        await adoptHostile({ reader, path, text: text.slice(0, at), how });
      }),
      runs(100, 2000),
    );
  });

  it('spoiled anywhere never throws and never loses silently', async () => {
    await fc.assert(
      fc.asyncProperty(spoils, async (steps) => {
        const data = steps.reduce<Data>((value, step) => spoiled(value, step), good as never);
        await adoptHostile({ reader, path, text: JSON.stringify(data), how });
      }),
      runs(400, 20_000),
    );
  });
});
