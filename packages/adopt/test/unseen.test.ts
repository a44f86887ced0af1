import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Document, isScalar, parse } from 'yaml';
import { runs } from '../../../test/runs.js';
import { readerOf } from '../src/readers.js';
import { value } from './arbitrary.js';
import { hold, type Library, type Values } from './hold.js';
import { LIBRARIES } from './libraries.js';
import type { Message } from './render.js';
import { encoded, encoding, oddFields, oddText, spelled } from './unseen.js';

/** The reader of YAML that promptfoo has; it comes without types. */
const { load } = createRequire(import.meta.url)('js-yaml') as { readonly load: (text: string) => unknown };

const given = fc.array(value, { minLength: 3, maxLength: 3 });
const spelling = fc.infiniteStream(fc.nat(1000));
const role = fc.constantFrom('system', 'user', 'assistant');
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes);
const object = (id: string, kwargs: object): object => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'x', id] },
  kwargs,
});
const CLASS: Readonly<Record<string, string>> = { system: 'System', user: 'Human', assistant: 'AI' };

/** One text in YAML, in each style of writing it. */
const yamlOf = (document: object, path: readonly (string | number)[], style: string): string => {
  const made = new Document(document);
  const node = made.getIn(path, true);
  if (isScalar(node)) node.type = style as NonNullable<typeof node.type>;
  return made.toString({ lineWidth: 0 });
};
const style = fc.constantFrom('QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED', 'PLAIN');

describe('a file that nobody thought of is refused with its place, or renders as its library does', () => {
  it('of Langfuse', async () => {
    const messages = fc.array(fc.record({ role, content: oddText }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        messages,
        fc.boolean(),
        given,
        encoding,
        spelling,
        async (list, isChat, vars, how, next) => {
          const prompt = isChat ? list : list[0]?.content;
          const about = { name: 'p', version: 1, config: {}, labels: ['production'], tags: [] };
          const file = spelled(
            [{ ...about, type: isChat ? 'chat' : 'text', prompt }],
            () => next.next().value,
          );
          const bytes = encoded(file, how);
          await hold('langfuse', 'lf.json', bytes, vars, (values) =>
            theirs('langfuse', decoded(bytes), values),
          );
        },
      ),
      runs(500, 5000),
    );
  });

  it('of LangChain', async () => {
    const messages = fc.array(fc.record({ role, content: oddText }), { minLength: 1, maxLength: 3 });
    const format = fc.constantFrom('f-string', 'mustache');
    await fc.assert(
      fc.asyncProperty(
        messages,
        format,
        given,
        encoding,
        spelling,
        async (list, template_format, vars, how, next) => {
          const manifest = object('ChatPromptTemplate', {
            messages: list.map(({ role: of, content: template }) =>
              object(`${CLASS[of]}MessagePromptTemplate`, {
                prompt: object('PromptTemplate', { template, template_format, input_variables: [] }),
              }),
            ),
          });
          const bytes = encoded(
            spelled(manifest, () => next.next().value),
            how,
          );
          const library: Library = (values) => theirs('langchain', decoded(bytes), values);
          await hold('langchain', 'hub.json', bytes, vars, library, template_format === 'f-string');
        },
      ),
      runs(500, 5000),
    );
  });

  it('of dotprompt', async () => {
    // The library says on the console that fields are no YAML, and goes on.
    const quiet = vi.spyOn(console, 'error').mockReturnValue(undefined);
    await fc.assert(
      fc.asyncProperty(oddFields, oddText, given, encoding, async (fields, text, vars, how) => {
        const bytes = encoded(fields + text, how);
        await hold('dotprompt', 'p.prompt', bytes, vars, (values) =>
          theirs('dotprompt', String(bytes), values),
        );
      }),
      runs(500, 5000),
    );
    quiet.mockRestore();
  });

  it('of promptfoo', async () => {
    await fc.assert(
      fc.asyncProperty(oddText, given, encoding, style, async (text, vars, how, written) => {
        const bytes = encoded(yamlOf({ prompts: [`T${text}`] }, ['prompts', 0], written), how);
        await hold('promptfoo', 'promptfooconfig.yaml', bytes, vars, (values) => {
          const { prompts } = load(String(bytes)) as { prompts: readonly string[] };
          const raw = JSON.stringify([{ role: 'user', content: prompts[0] }]);
          return theirs('promptfoo', JSON.stringify({ prompts: [{ raw }] }), values);
        });
      }),
      runs(500, 5000),
    );
  });

  it('of GitHub Models', async () => {
    await fc.assert(
      fc.asyncProperty(oddText, given, encoding, style, async (content, vars, how, written) => {
        const document = { messages: [{ role: 'user', content }] };
        const bytes = encoded(yamlOf(document, ['messages', 0, 'content'], written), how);
        await hold('github-models', 'p.prompt.yml', bytes, vars, (values) => {
          const { messages } = parse(decoded(bytes)) as { messages: readonly [{ content: string }] };
          const filled = messages[0].content.replace(
            /\{\{\s*([^{}]*?)\s*\}\}/g,
            (tag, name) => values[name] ?? tag,
          );
          return [{ role: 'user', content: filled }];
        });
      }),
      runs(500, 5000),
    );
  });

  it.each([
    { id: 'claude', path: 'CLAUDE.md', hasFields: false },
    { id: 'agents-md', path: 'AGENTS.md', hasFields: false },
    { id: 'gemini', path: 'GEMINI.md', hasFields: false },
    { id: 'copilot', path: '.github/copilot-instructions.md', hasFields: false },
    { id: 'cursor', path: '.cursorrules', hasFields: false },
    { id: 'claude', path: '.claude/agents/x.md', hasFields: true },
    { id: 'gemini', path: '.gemini/agents/x.md', hasFields: true },
    { id: 'copilot', path: '.github/instructions/x.instructions.md', hasFields: true },
    { id: 'copilot', path: '.github/agents/x.agent.md', hasFields: true },
    { id: 'cursor', path: '.cursor/rules/x.mdc', hasFields: true },
    { id: 'skill', path: '.claude/skills/x/SKILL.md', hasFields: true },
  ])('of instructions: $path', async ({ id, path, hasFields }) => {
    await fc.assert(
      fc.asyncProperty(oddFields, oddText, encoding, async (fields, text, how) => {
        const bytes = encoded(fields + text, how);
        const whole = decoded(bytes);
        const open = hasFields ? /^---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m.exec(whole) : null;
        const body = open?.index === 0 ? whole.slice(open[0].length) : whole;
        // A role is a matter of the tool; the words are the file's.
        await hold(id, path, bytes, [''], () => [
          { role: /agents/.test(path) ? 'system' : 'user', content: body },
        ]);
      }),
      runs(200, 2000),
    );
  });
});

describe('what readers take in different ways is refused', () => {
  const read = (id: string, path: string, text: string): readonly string[] =>
    (readerOf(id)?.read({ path, bytes: Buffer.from(text) }, {}).diagnostics ?? []).map(
      ({ code, line, column, severity }) => `${line}:${column} ${severity} ${code}`,
    );

  it.each([
    {
      what: 'a carriage return alone in YAML',
      id: 'promptfoo',
      path: 'promptfooconfig.yaml',
      text: 'prompts:\r  - "T"\r',
      told: '1:9',
    },
    {
      what: 'a control character in YAML',
      id: 'promptfoo',
      path: 'promptfooconfig.yaml',
      text: 'prompts: ["T\v"]',
      told: '1:13',
    },
    {
      what: 'a byte order mark too many',
      id: 'promptfoo',
      path: 'promptfooconfig.yaml',
      text: '\ufeff\ufeffprompts: [T]',
      told: '1:1',
    },
    {
      what: 'a carriage return alone in fields',
      id: 'claude',
      path: '.claude/agents/x.md',
      text: '---\nname: x\rdescription: d\r\n---\nHi',
      told: '2:8',
    },
    {
      what: 'fields of dotprompt without a word',
      id: 'dotprompt',
      path: 'p.prompt',
      text: '---\n\n---\nHi',
      told: '1:1',
    },
    {
      what: 'fields of dotprompt of a directive alone',
      id: 'dotprompt',
      path: 'p.prompt',
      text: '---\n%YAML 1.2\n---\na: 1\n',
      told: '2:10',
    },
    { what: 'a NUL in Handlebars', id: 'dotprompt', path: 'p.prompt', text: 'Hi \0{{a}}', told: '1:4' },
    {
      what: 'a wide space in a tag of Nunjucks',
      id: 'promptfoo',
      path: 'promptfooconfig.yaml',
      text: 'prompts: ["Hi {{a\\u3000}}"]',
      told: '1:15',
    },
  ])('$what', ({ id, path, text, told }) => {
    expect(read(id, path, text)).toContain(`${told} error E_IMPORT_SYNTAX`);
  });

  it('a file that has no fields keeps its first lines, and they are told', () => {
    for (const [id, path] of [
      ['cursor', '.cursorrules'],
      ['copilot', '.github/copilot-instructions.md'],
    ] as const)
      expect(read(id, path, '---\ndescription: d\n---\nHi')).toEqual(['1:1 info W_IMPORT_DIALECT']);
  });
});

const theirs = async (format: string, file: string, values: Values): Promise<readonly Message[]> =>
  (await LIBRARIES[format]?.(file, values)) ?? [];

describe('a value without quotes in a test of promptfoo', () => {
  const scalar = fc
    .array(fc.constantFrom(...'0123456789.-+_eExXobBaf:TZ~ ny'), { minLength: 1, maxLength: 6 })
    .map((characters) => characters.join('').trim())
    .filter((word) => word !== '');
  const known = fc.constantFrom(
    ...[
      '-0x1F',
      '-0o17',
      '0o17',
      '0x1F',
      '1_000',
      '007',
      '1e3',
      '+.5',
      '.5',
      '1.',
      '+1',
      '0b11',
      '2001-01-01',
    ],
    ...['yes', 'NULL', 'True', '.inf', '-.Inf', '.NaN', '1:30', '0o8', '2001-1-1 1:2:3', '~', '-0', '1e999'],
  );

  it('is in the case what promptfoo reads, or is named', () => {
    fc.assert(
      fc.property(fc.oneof(scalar, known), (word) => {
        const file = `prompts: ["Hi {{a}}"]\ntests:\n  - vars:\n      a: ${word}\n`;
        const read = readerOf('promptfoo')?.read(
          { path: 'promptfooconfig.yaml', bytes: Buffer.from(file) },
          {},
        );
        if (read === undefined || read.diagnostics.some(({ severity }) => severity !== 'info')) return;
        const { tests } = load(file) as { tests: readonly [{ vars: { a: unknown } }] };
        const [held] = read.cases[0]?.cases ?? [];
        const { set } = (held?.with ?? {}) as { set?: Values };
        expect(set?.a).toBe(String(tests[0].vars.a));
      }),
      runs(1000, 20_000),
    );
  });
});
