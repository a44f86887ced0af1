import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { inTurn } from '../../../../test/runs.js';
import { adopt } from '../../test/render.js';
import { printFiles } from '../print-files.js';
import { readerOf } from '../readers.js';

type Path = readonly (string | number)[];

interface Format {
  readonly what: string;
  readonly reader: string;
  readonly path: string;
  readonly print: (document: unknown) => string;
  readonly document: unknown;
  /** Places that say nothing of the prompt, whatever stands there. */
  readonly silent?: RegExp;
}

const json = (document: unknown): string => JSON.stringify(document, null, 1);
const fields =
  (body: string) =>
  (document: unknown): string =>
    `---\n${stringify(document)}---\n${body}`;
const toml = (document: unknown): string =>
  Object.entries(document as object)
    .map(([key, value]) => `${key} = ${tomlValue(value)}\n`)
    .join('');
const tomlValue = (value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value)
    ? `{ ${Object.entries(value as object).map(([key, each]) => `${key} = ${tomlValue(each)}`)} }`
    : JSON.stringify(value);

const object = (id: string, kwargs: object): object => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'x', id] },
  kwargs,
});
const said = (id: string, template: string): object =>
  object(id, {
    prompt: object('PromptTemplate', { template, input_variables: ['a'], template_format: 'f-string' }),
  });
const tool = { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true };
const rendered = (marker: string): object => ({
  arguments: { code: marker },
  description: 'words of it',
  messages: [{ role: 'user', content: { type: 'text', text: `Look ${marker}` } }],
});

const FORMATS: readonly Format[] = [
  {
    ...{ what: 'a chat of Langfuse', reader: 'langfuse', path: 'lf.json', print: json },
    document: [
      {
        ...{ name: 'p', version: 1, type: 'chat', commitMessage: 'c', resolutionGraph: null },
        prompt: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Q', type: 'chatmessage' },
          { type: 'placeholder', name: 'history' },
        ],
        config: { model: 'm', temperature: 0.5 },
        ...{ labels: ['production'], tags: ['t'] },
      },
    ],
  },
  {
    ...{ what: 'a text of Langfuse', reader: 'langfuse', path: 'lf.json', print: json },
    document: {
      id: 'x',
      name: 'p',
      version: 1,
      type: 'text',
      prompt: 'Hi',
      config: {},
      labels: [],
      tags: [],
    },
  },
  {
    ...{ what: 'a prompt that OpenAI kept', reader: 'openai', path: 'o.json', print: json },
    document: {
      ...{ openai_prompt_id: 'pmpt_1', name: 's', production_version: '1' },
      versions: [
        {
          version: '1',
          messages: [
            { role: 'developer', content: 'Be brief.' },
            { role: 'user', content: 'Q' },
          ],
          config: {
            ...{ model: 'm', reasoning: { effort: 'low' }, tools: [tool] },
            text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
          },
        },
      ],
    },
    silent: /\.strict$/,
  },
  {
    ...{ what: 'a saved response', reader: 'openai', path: 'r.json', print: json },
    document: {
      ...{ id: 'resp_1', object: 'response', model: 'm', temperature: 1, tools: [tool] },
      instructions: [
        {
          ...{ type: 'message', role: 'developer' },
          content: [{ type: 'input_text', text: 'Help ⟦customer⟧.' }],
        },
      ],
      prompt: { id: 'pmpt_1', variables: { customer: '⟦customer⟧' }, version: '2' },
    },
    silent: /^(?:id|object)$|\.strict$/,
  },
  {
    ...{ what: 'a manifest of LangChain', reader: 'langchain', path: 'lc.json', print: json },
    document: {
      ...{ commit_hash: 'h', examples: [] },
      manifest: object('ChatPromptTemplate', {
        ...{ input_variables: ['a'], template_format: 'f-string', partial_variables: {} },
        messages: [
          said('SystemMessagePromptTemplate', 'Be kind.'),
          object('MessagesPlaceholder', { variable_name: 'history', optional: true }),
          said('HumanMessagePromptTemplate', 'Q: {a}'),
        ],
      }),
    },
    // A class is known by its package and its name; the messages say which inputs there are, and in which format.
    silent: /\.id\.[12]$|input_variables|^manifest\.kwargs\.(?:template_format$|partial_variables\.?)/,
  },
  {
    ...{ what: 'a structured prompt of LangChain', reader: 'langchain', path: 'lc.json', print: json },
    document: object('StructuredPrompt', {
      messages: [said('HumanMessagePromptTemplate', 'Q: {a}')],
      schema_: { title: 't', type: 'object' },
    }),
    silent: /^id\.[12]$|\.id\.[12]$|input_variables/,
  },
  {
    ...{ what: 'a file of dotprompt', reader: 'dotprompt', path: 'prompts/p.prompt' },
    print: fields('Hi {{name}}.'),
    document: {
      ...{ model: 'm', name: 'p', description: 'd', config: { temperature: 0.5 }, tools: ['t'], 'x.y': 'z' },
      toolDefs: [{ name: 'f', description: 'd', inputSchema: { type: 'object' } }],
      input: { schema: { name: 'string, why' }, default: { name: 'Ada' } },
      output: { format: 'json', schema: { a: 'string, what' } },
    },
  },
  {
    ...{ what: 'a file of GitHub Models', reader: 'github-models', path: 'p.prompt.yml', print: stringify },
    document: {
      ...{ name: 'p', description: 'd', model: 'm', modelParameters: { temperature: 0.5 } },
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Q: {{a}}' },
      ],
      responseFormat: 'json_schema',
      jsonSchema: '{"name":"n","strict":true,"schema":{"type":"object"}}',
      testData: [{ input: 'i' }],
    },
  },
  {
    ...{ what: 'a configuration of promptfoo', reader: 'promptfoo', path: 'promptfooconfig.yaml' },
    print: stringify,
    document: {
      ...{ description: 'd', providers: ['openai:gpt'], defaultTest: { vars: { b: 'y' } } },
      prompts: ['Hi {{a}} {{b}}', { raw: 'Ho {{a}}', label: 'l' }],
      tests: [{ description: 'd', vars: { a: 'x' }, assert: [{ type: 'contains', value: 'v' }] }],
    },
  },
  {
    ...{ what: 'answers of an MCP server', reader: 'mcp', path: 'mcp.json', print: json },
    document: {
      prompts: [
        {
          prompt: {
            ...{ name: 'review', title: 't', description: 'words of it' },
            arguments: [{ name: 'code', description: 'd', required: true }],
          },
          renders: [rendered('⟦code⟧'), rendered('⟦code again⟧')],
        },
      ],
    },
  },
  {
    ...{ what: 'an agent of Claude Code', reader: 'claude', path: '.claude/agents/a.md' },
    print: fields('Review.\n'),
    document: { name: 'rev', description: 'd', tools: 'Read, Grep', model: 'sonnet', color: 'red' },
  },
  {
    ...{ what: 'a command of Claude Code', reader: 'claude', path: '.claude/commands/c.md' },
    print: fields('Do $ARGUMENTS\n'),
    document: {
      ...{ description: 'd', 'argument-hint': '[x]', 'allowed-tools': 'Bash(git:*)', model: 'sonnet' },
      arguments: ['a', 'b'],
    },
  },
  {
    ...{ what: 'a rule of Claude Code', reader: 'claude', path: '.claude/rules/r.md' },
    print: fields('Strict.\n'),
    document: { paths: ['src/**'] },
  },
  {
    ...{ what: 'an output style of Claude Code', reader: 'claude', path: '.claude/output-styles/s.md' },
    print: fields('Short.\n'),
    document: { name: 'st', description: 'd', 'keep-coding-instructions': true },
  },
  {
    ...{ what: 'a skill', reader: 'skill', path: '.claude/skills/pdf/SKILL.md' },
    print: fields('Read it.\n'),
    document: {
      ...{ name: 'pdf', description: 'd', license: 'MIT', metadata: { a: 'b' } },
      'allowed-tools': 'Read Bash(git:*)',
    },
  },
  {
    ...{ what: 'a prompt of VS Code', reader: 'copilot', path: '.github/prompts/p.prompt.md' },
    print: fields('Do $' + '{input:x}\n'),
    document: { name: 'n', description: 'd', 'argument-hint': 'a', agent: 'agent', model: 'g', tools: ['s'] },
  },
  {
    ...{ what: 'an agent of VS Code', reader: 'copilot', path: '.github/agents/p.agent.md' },
    print: fields('Review.\n'),
    document: { name: 'n', description: 'd', tools: ['s'], model: ['g', 'x'], handoffs: [{ label: 'l' }] },
  },
  {
    ...{ what: 'instructions of Copilot', reader: 'copilot', path: '.github/copilot-instructions.md' },
    print: fields('Strict.\n'),
    document: { name: 'n', description: 'd', applyTo: '**/*.ts' },
  },
  {
    ...{ what: 'a command of Gemini CLI', reader: 'gemini', path: '.gemini/commands/p.toml', print: toml },
    document: { description: 'd', prompt: 'Do {{args}}', more: { a: 'b' } },
  },
  {
    ...{ what: 'an agent of Gemini CLI', reader: 'gemini', path: '.gemini/agents/p.md' },
    print: fields('Review.\n'),
    document: { name: 'n', description: 'd', tools: ['r'], model: 'inherit', temperature: 1, max_turns: 30 },
  },
];

const VALUES = ['zqtext', ['zqlist'], { zqkey: 'zqvalue' }, 4711, true] as const;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pathsOf = (value: unknown, path: Path = []): readonly Path[] => [
  path,
  ...(typeof value === 'object' && value !== null ? Object.entries(value) : []).flatMap(([key, each]) =>
    pathsOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
  ),
];

const valueAt = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], document);

function withValue(document: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(document);
  const last = path.at(-1);
  if (last === undefined) return value;
  (valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>)[last] = value;
  return copy;
}

/** The document with another value at each of its places, and with a key that nobody knows in each of its maps. */
const changedOf = ({ document }: Format): readonly { readonly path: Path; readonly value: unknown }[] =>
  pathsOf(document).flatMap((path) => [
    ...(path.length === 0 ? [] : VALUES.map((value) => ({ path, value: value as unknown }))),
    ...(isMap(valueAt(document, path)) ? [{ path: [...path, 'zqmore'], value: 'zqadded' }] : []),
  ]);

function read(format: Format, document: unknown) {
  const reader = readerOf(format.reader);
  if (reader === undefined) throw new Error(format.reader);
  const draft = adopt(reader, format.path, format.print(document), { all: true });
  const files = printFiles(draft);
  return {
    told: new Set(draft.diagnostics.map(({ code, message }) => `${code} ${message}`)),
    isRefused: draft.sheets.length === 0 && draft.diagnostics.some(({ severity }) => severity !== 'info'),
    written: files.map(({ path, text }) => `${path}\n${text}`).join('\n'),
  };
}

/** Whether a value is in what was written. A truth value is looked for behind its key. */
function isWritten(written: string, path: Path, value: unknown): boolean {
  if (value === true) {
    const key = [...path].reverse().find((each) => typeof each === 'string');
    return new RegExp(`\\b${key}["']?: true|- true\\b`).test(written);
  }
  const words = isMap(value) ? 'zqvalue' : Array.isArray(value) ? 'zqlist' : String(value);
  return written.includes(words);
}

describe('whatever stands at a place of a file is written, told or refused', () => {
  it.each(inTurn(FORMATS, 4))('holds for $what', (format) => {
    const whole = read(format, format.document);
    expect(whole.isRefused).toBe(false);
    const changes = changedOf(format);
    const lost = changes.flatMap(({ path, value }) => {
      const place = path.join('.');
      const changed = withValue(format.document, path, value);
      if (format.silent?.test(place) === true || JSON.stringify(changed) === JSON.stringify(format.document))
        return [];
      const { told, isRefused, written } = read(format, changed);
      const isTold = [...told].some((line) => !whole.told.has(line));
      return isWritten(written, path, value) || isTold || isRefused
        ? []
        : [`${place} = ${JSON.stringify(value)}`];
    });
    expect(lost).toEqual([]);
    expect(changes.length).toBeGreaterThan(5);
  });
});
