import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interpolateFString } from '@langchain/core/prompts';
import type { ChatPromptClient as Chat } from '@langfuse/client';
import { Dotprompt } from 'dotprompt';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { coreName, values } from '../../test/arbitrary.js';
import { exportOf, normal, promptOf } from '../../test/exported.js';
import { LIBRARIES } from '../../test/libraries.js';
import { adopt } from '../../test/render.js';
import { readerOf } from '../readers.js';
import type { ExportMessage, FormatWriter } from '../writer.js';
import { writerOf } from '../writers.js';

const { ChatPromptClient } = createRequire(import.meta.url)('@langfuse/client') as {
  ChatPromptClient: typeof Chat;
};

const text = fc
  .array(
    fc.constantFrom(...'ab .\n\t{}\\"\'#%<>@!$é😀-:', '{{', '}}', '{%', '\r\n', '"""', '{{args}}', '!{'),
    { minLength: 1, maxLength: 12 },
  )
  .map((chars) => ({ text: chars.join('') }));
const parts = fc.array(
  fc.oneof(
    text,
    coreName.map((input) => ({ input })),
  ),
  { minLength: 1, maxLength: 5 },
);
const messages = fc.array(
  fc
    .record({ role: fc.constantFrom('system', 'user', 'assistant'), parts })
    .map((message) => ({ ...message, parts: [{ text: 'T' }, ...message.parts] })),
  { minLength: 1, maxLength: 3 },
);

const dotprompt = writerOf('dotprompt') as FormatWriter;

const write = (id: string, given: readonly ExportMessage[]) => {
  const writer = writerOf(id);
  if (writer === undefined) throw new Error(id);
  return writer.write(promptOf(normal(given)));
};
const read = (id: string, path: string, source: string) => {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  return adopt(reader, path, source);
};
const filled = (given: readonly ExportMessage[], vars: Record<string, string>) =>
  given.flatMap((message) =>
    'history' in message
      ? []
      : [
          {
            role: message.role,
            content: message.parts
              .map((part) => ('text' in part ? part.text : 'input' in part ? (vars[part.input] ?? '') : ''))
              .join(''),
          },
        ],
  );

/** Writes any prompt: refused with a code, or the library renders its bytes, and importing it again gives it back. */
async function holds(
  id: string,
  path: string,
  given: readonly ExportMessage[],
  theirs: (source: string) => Promise<readonly object[]> | readonly object[],
  vars: Record<string, string>,
): Promise<void> {
  const { file, diagnostics } = write(id, given);
  if (file === undefined)
    return void expect(diagnostics.some(({ code }) => code.startsWith('E_EXPORT_'))).toBe(true);
  expect(await theirs(file.text)).toEqual(filled(given, vars));
  const again = read(id, path, file.text);
  expect(normal(exportOf(again).messages)).toEqual(normal(given));
  const twice = writerOf(id)?.write({ ...exportOf(again), target: 'sheet:p', name: 'p' });
  expect(read(id, path, twice?.file?.text ?? '').sheets[0]?.blocks).toEqual(again.sheets[0]?.blocks);
}

describe('any prompt', () => {
  it('as dotprompt', async () => {
    await fc.assert(
      fc.asyncProperty(messages, values, async (given, vars) => {
        const theirs = async (source: string) =>
          (await new Dotprompt().render(source, { input: vars })).messages.map(({ role, content }) => ({
            role: role === 'model' ? 'assistant' : role,
            content: content.map((part) => ('text' in part ? part.text : '')).join(''),
          }));
        // Values at the very end are trimmed by nobody: the template is.
        await holds('dotprompt', 'p.prompt', given, theirs, vars);
      }),
      runs(1000, 10_000),
    );
  });

  it('as dotprompt, with messages that may be blank: the library sends what the sheet sends, or the difference is told', async () => {
    const bare = fc.array(
      fc.record({
        role: fc.constantFrom('system', 'user', 'assistant'),
        parts: fc.array(
          fc.oneof(
            fc.constantFrom({ text: ' ' }, { text: '\n' }),
            fc.constantFrom({ input: 'a' }, { input: 'b' }),
          ),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        omitsBlank: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const blank = fc.constantFrom('', ' ', '\n', 'x');
    await fc.assert(
      fc.asyncProperty(bare, blank, blank, async (given, a, b) => {
        const vars = { a, b };
        const last = { role: 'user', parts: [{ text: 'End.' }] };
        const { file, diagnostics } = dotprompt.write(promptOf([...given, last]));
        if (file === undefined)
          return void expect(diagnostics.some(({ code }) => code === 'E_EXPORT_SPACE')).toBe(true);
        const theirs = (await new Dotprompt().render(file.text, { input: vars })).messages.map(
          ({ content }) => content.map((part) => ('text' in part ? part.text : '')).join(''),
        );
        const told = diagnostics.filter(({ message }) => message.includes('only white space'));
        const sent = (isOmitting: (omits: boolean) => boolean) =>
          filled([...given, last], vars).flatMap(({ content }, at) =>
            content === '' || (content.trim() === '' && isOmitting(given[at]?.omitsBlank === true))
              ? []
              : [content],
          );
        expect(theirs).toEqual(sent(() => true));
        if (told.length === 0) expect(theirs).toEqual(sent((omits) => omits));
        const again = read('dotprompt', 'p.prompt', file.text);
        expect(again.sheets[0]?.blocks.map((block) => 'blank' in block)).toEqual([
          ...given.map(() => true),
          false,
        ]);
      }),
      runs(200, 2000),
    );
  });

  it('as a Langfuse file', async () => {
    await fc.assert(
      fc.asyncProperty(messages, values, async (given, vars) => {
        const theirs = (source: string) => {
          const [prompt] = JSON.parse(source) as [{ type: string; prompt: unknown }];
          const list = prompt.type === 'text' ? [{ role: 'user', content: prompt.prompt }] : prompt.prompt;
          return (
            new ChatPromptClient({
              config: {},
              labels: [],
              tags: [],
              version: 1,
              name: 'p',
              type: 'chat',
              prompt: list,
            } as never).compile(vars, {}) as readonly { role: string; content: string }[]
          ).map(({ role, content }) => ({ role, content }));
        };
        await holds('langfuse', 'p.json', given, theirs, vars);
      }),
      runs(500, 5000),
    );
  });

  it('as a LangChain manifest, never refused', async () => {
    const ROLE: Record<string, string> = { System: 'system', Human: 'user', AI: 'assistant' };
    await fc.assert(
      fc.asyncProperty(messages, values, async (given, vars) => {
        expect(write('langchain', given).file).toBeDefined();
        const theirs = (source: string) =>
          (
            JSON.parse(source).kwargs.messages as {
              id: string[];
              kwargs: { prompt: { kwargs: { template: string } } };
            }[]
          ).map(({ id, kwargs }) => ({
            role: ROLE[(id.at(-1) ?? '').replace('MessagePromptTemplate', '')],
            content: interpolateFString(kwargs.prompt.kwargs.template, vars),
          }));
        await holds('langchain', 'p.json', given, theirs, vars);
      }),
      runs(500, 5000),
    );
  });

  it('as a configuration of promptfoo', async () => {
    const { Environment } = createRequire(import.meta.url)('nunjucks') as {
      Environment: new (
        loader: null,
        options: object,
      ) => { renderString: (template: string, values: object) => string };
    };
    const engine = new Environment(null, { autoescape: false });
    let written = 0;
    await fc.assert(
      fc.asyncProperty(messages, values, async (given, vars) => {
        // promptfoo reads the JSON of a chat first, and then puts values into each of its texts.
        const theirs = (source: string) => {
          const { prompts } = JSON.parse(source) as { prompts: readonly { raw: string }[] };
          const chat = JSON.parse(prompts[0]?.raw ?? '') as { role: string; content: string }[];
          return chat.map(({ role, content }) => ({ role, content: engine.renderString(content, vars) }));
        };
        if (write('promptfoo', given).file !== undefined) written += 1;
        await holds('promptfoo', 'evals/promptfooconfig.json', given, theirs, vars);
      }),
      runs(500, 5000),
    );
    expect(written).toBeGreaterThan(0);
    for (const name of ['true', 'if', 'range', 'loop'])
      expect(write('promptfoo', [{ role: 'user', parts: [{ input: name }] }]).file, name).toBeUndefined();
  });

  it('as a command of Gemini CLI', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.boolean(), (texts, takes) => {
        const all = [{ text: 'T' }, ...texts, ...(takes ? [{ input: 'args' }] : [])];
        const { file, diagnostics } = write('gemini-command', [{ role: 'user', parts: all }]);
        if (file === undefined)
          return void expect(diagnostics.map(({ code }) => code)).toContain('E_EXPORT_FORMAT');
        const said = all.map((part) => ('text' in part ? part.text : '{{args}}')).join('');
        // TOML reads CR LF in a text of several lines as it stands.
        expect((parse(file.text) as { prompt: string }).prompt).toBe(said);
        const again = read('gemini', '.gemini/commands/p.toml', file.text);
        expect(normal(exportOf(again).messages)).toEqual(normal([{ role: 'user', parts: all }]));
      }),
      runs(500, 5000),
    );
  });
});

describe('an input of a name that means something to a language', () => {
  const NAMES = [
    ...[
      'history',
      'role',
      'json',
      'media',
      'section',
      'if',
      'unless',
      'each',
      'with',
      'lookup',
      'log',
      'else',
    ],
    ...['ifEquals', 'unlessEquals', 'helperMissing', 'blockHelperMissing', 'this', 'true', 'false', 'null'],
    ...[
      'undefined',
      'none',
      'as',
      'in',
      'is',
      'not',
      'and',
      'or',
      'for',
      'endfor',
      'loop',
      'range',
      'cycler',
      'joiner',
    ],
    ...[
      'constructor',
      'toString',
      'valueOf',
      'hasOwnProperty',
      '__proto__',
      'prototype',
      'length',
      'name',
      'raw',
    ],
    ...[
      'env',
      'output',
      'vars',
      'prompt',
      'x',
      'a-b',
      'a.b',
      'args',
      'super',
      'caller',
      'self',
      'varargs',
      'set',
    ],
  ];
  it.each(
    ['dotprompt', 'langfuse', 'langchain', 'promptfoo'].flatMap((id) => NAMES.map((name) => ({ id, name }))),
  )('$id: $name is refused, or its value is printed', async ({ id, name }) => {
    const { file, diagnostics } = write(id, [
      { role: 'user', parts: [{ text: 'T ' }, { input: name }, { text: ' .' }] },
    ]);
    if (file === undefined)
      return void expect(diagnostics.some(({ code }) => code.startsWith('E_EXPORT_'))).toBe(true);
    const values = Object.fromEntries([[name, 'V']]);
    expect(await LIBRARIES[id]?.(file.text, values)).toEqual([{ role: 'user', content: 'T V .' }]);
  });
});

describe('instruction files', () => {
  const one = (words: string): readonly ExportMessage[] => [{ role: 'system', parts: [{ text: words }] }];

  it.each([
    {
      id: 'claude-agent',
      reader: 'claude',
      path: '.claude/agents/reviewer.md',
      source:
        '---\nname: reviewer\ndescription: "Reviews: all"\ntools: Read, Bash(git *)\nmodel: opus\ncolor: red\n---\nYou review.\r\n\n- a\n',
    },
    {
      id: 'skill',
      reader: 'skill',
      path: '.claude/skills/pdf-forms/SKILL.md',
      source: '---\nname: pdf-forms\ndescription: Fills in forms: quickly\nlicense: MIT\n---\nUse forms.\n',
    },
    {
      id: 'cursor',
      reader: 'cursor',
      path: '.cursor/rules/ts.mdc',
      source:
        '---\ndescription: TypeScript\nglobs: **/*.ts,**/*.tsx\nalwaysApply: false\n---\n# Types\nUse them.\n',
    },
    {
      id: 'copilot',
      reader: 'copilot',
      path: '.github/instructions/py.instructions.md',
      source: '---\ndescription: Python\napplyTo: "**/*.py"\n---\nUse types.\n',
    },
  ])('come back as they were: $id', ({ id, reader, path, source }) => {
    const first = read(reader, path, source);
    const written = writerOf(id)?.write(exportOf(first)).file;
    expect(written?.path).toBe(path);
    const again = read(reader, path, written?.text ?? '');
    const plain = ({ sheets: [sheet], texts }: typeof first) => ({
      ...sheet,
      meta: { ...sheet?.meta, source: undefined },
      texts,
    });
    expect(plain(again)).toEqual(plain(first));
    expect(writerOf(id)?.write(exportOf(again)).file).toEqual(written);
  });

  it('a skill passes the validator of the standard', async () => {
    const { validate } = (await import('skills-ref')) as unknown as {
      validate: (folder: string) => readonly string[] | Promise<readonly string[]>;
    };
    const folder = mkdtempSync(join(tmpdir(), 'skill-'));
    try {
      const prompt = promptOf(one('Do: it\n'), {
        name: 'skills/My Skill',
        title: 'Says: "what" it # does',
        capabilities: ['Read', 'Bash(git:*)'],
        meta: { frontmatter: { license: 'MIT', 'argument-hint': '[x]' } },
      });
      const { file } = writerOf('skill')?.write(prompt) ?? {};
      expect(file?.path).toBe('.claude/skills/my-skill/SKILL.md');
      mkdirSync(join(folder, 'my-skill'));
      writeFileSync(join(folder, 'my-skill', 'SKILL.md'), file?.text ?? '');
      expect(await validate(join(folder, 'my-skill'))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    {
      what: 'an input',
      id: 'claude',
      given: [{ role: 'user', parts: [{ input: 'x' }] }],
      code: 'E_EXPORT_FORMAT',
    },
    { what: 'an agent without a description', id: 'claude-agent', given: one('x'), code: 'E_EXPORT_FORMAT' },
    {
      what: 'two inputs for a command',
      id: 'gemini-command',
      given: [{ role: 'user', parts: [{ input: 'x' }, { input: 'y' }] }],
      code: 'E_EXPORT_FORMAT',
    },
    {
      what: 'white space at the end of dotprompt',
      id: 'dotprompt',
      given: one('x\n'),
      code: 'E_EXPORT_SPACE',
    },
    {
      what: 'a system message late for Anthropic',
      id: 'anthropic-messages',
      given: [...[{ role: 'user', parts: [{ text: 'x' }] }], ...one('y')],
      code: 'E_EXPORT_FORMAT',
    },
  ])('what a format cannot say is refused: $what', ({ id, given, code }) => {
    const { file, diagnostics } = write(id, given as readonly ExportMessage[]);
    expect(file).toBeUndefined();
    expect(diagnostics.map((each) => each.code)).toContain(code);
  });
});

it('messages for APIs hold tools and parameters', () => {
  const prompt = promptOf(
    [
      { role: 'system', parts: [{ text: 'S' }] },
      { role: 'user', parts: [{ text: 'U' }] },
    ],
    { params: { model: 'm' }, tools: [{ name: 'f', parameters: { type: 'object' } }] },
  );
  expect(JSON.parse(writerOf('openai-messages')?.write(prompt).file?.text ?? '')).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  });
  expect(JSON.parse(writerOf('anthropic-messages')?.write(prompt).file?.text ?? '')).toEqual({
    model: 'm',
    system: [{ type: 'text', text: 'S' }],
    messages: [{ role: 'user', content: 'U' }],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
  });
  expect(JSON.parse(writerOf('mcp-json')?.write(prompt).file?.text ?? '')).toMatchObject({
    prompt: { name: 'p' },
    result: { messages: [{ role: 'user' }, { role: 'user' }] },
  });
});
