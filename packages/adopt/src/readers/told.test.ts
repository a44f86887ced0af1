import { describe, expect, it } from 'vitest';
import { adopt } from '../../test/render.js';
import { printFiles } from '../print-files.js';
import { readerOf } from '../readers.js';

interface Row {
  readonly what: string;
  readonly reader: string;
  readonly path: string;
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Line, severity and code of one line that must be told. */
  readonly told: string;
  /** The names of the sheets that come of it. */
  readonly sheets: readonly string[];
}

const prompt = (name: string, more: object = {}): object => ({
  ...{ name, version: 1, type: 'text', prompt: 'Hi', labels: ['production'] },
  ...more,
});
const langfuse = (...prompts: readonly object[]) => ({
  reader: 'langfuse',
  path: 'lf.json',
  text: `[\n${prompts.map((each) => JSON.stringify(each)).join(',\n')}]`,
});
const dotprompt = (text: string) => ({ reader: 'dotprompt', path: 'prompts/p.prompt', text });
const promptfoo = (text: string) => ({ reader: 'promptfoo', path: 'promptfooconfig.yaml', text });
const template = (lc: number) => ({
  ...{ lc, type: 'constructor', id: ['langchain_core', 'prompts', 'prompt', 'PromptTemplate'] },
  kwargs: { template: 'Hi {a}', input_variables: ['a'] },
});

const ROWS: readonly Row[] = [
  {
    what: 'a version that stands in the file twice',
    ...langfuse(prompt('a'), prompt('a', { prompt: 'Ho' })),
    told: '3 warning W_IMPORT_LABEL',
    sheets: ['a'],
  },
  {
    what: 'a version that is a text',
    ...langfuse(prompt('a', { version: '3' })),
    told: '2 warning W_IMPORT_LABEL',
    sheets: ['a'],
  },
  {
    what: 'a version that is a fraction',
    ...langfuse(prompt('a', { version: 1.5 })),
    told: '2 warning W_IMPORT_LABEL',
    sheets: ['a'],
  },
  {
    what: 'a label that is no text',
    ...langfuse(prompt('a', { labels: ['production', 1] })),
    told: '2 warning W_IMPORT_LABEL',
    sheets: ['a'],
  },
  {
    what: 'a type that the prompt is not',
    ...langfuse(prompt('a', { type: 'chat' })),
    told: '2 info W_IMPORT_DIALECT',
    sheets: ['a'],
  },
  {
    what: 'a message with a type that the library does not send',
    ...langfuse(
      prompt('a', {
        type: 'chat',
        prompt: [
          { type: null, role: 'system', content: 'never sent' },
          { role: 'user', content: 'Hi' },
        ],
      }),
    ),
    told: '2 info W_IMPORT_KEY',
    sheets: ['a'],
  },
  {
    what: 'names that are one file on many disks',
    ...langfuse(prompt('Greet'), prompt('greet')),
    told: '3 info W_IMPORT_NAME',
    sheets: ['Greet', 'greet-2'],
  },
  {
    what: 'a name that is a device',
    ...langfuse(prompt('CON'), prompt('a/nul.txt'), prompt('com1')),
    told: '3 info W_IMPORT_NAME',
    sheets: ['CON_', 'a/nul_.txt', 'com1_'],
  },
  {
    what: 'a name that ends with a dot',
    ...langfuse(prompt('v1./a...')),
    told: '2 info W_IMPORT_NAME',
    sheets: ['v1/a'],
  },
  {
    what: 'a manifest of another version',
    ...{ reader: 'langchain', path: 'hub.json', text: JSON.stringify(template(2)) },
    told: '1 error E_IMPORT_SYNTAX',
    sheets: [],
  },
  {
    what: 'a byte order mark, which the library prints',
    ...dotprompt('\ufeff---\nmodel: m\n---\nHi'),
    told: '1 error E_IMPORT_SYNTAX',
    sheets: [],
  },
  {
    what: 'a byte order mark before a partial',
    ...dotprompt('Hi {{> a}}'),
    files: { 'prompts/_a.prompt': '\ufeffwords' },
    told: '1 warning W_IMPORT_REFERENCE',
    sheets: [],
  },
  {
    what: 'a marker of the library in the text',
    ...dotprompt('---\nmodel: m\n---\nA <<<dotprompt:role:system>>> B'),
    told: '4 warning W_IMPORT_HELPER',
    sheets: [],
  },
  {
    what: 'a marker that a comment and a value cut',
    ...dotprompt('A <<<dot{{! c }}prompt{{x}}:role:system>>> B'),
    told: '1 warning W_IMPORT_HELPER',
    sheets: [],
  },
  {
    what: 'a schema by a name',
    ...dotprompt('---\ninput:\n  schema: Question\n---\n{{q}}'),
    told: '3 warning W_IMPORT_KEY',
    sheets: ['p'],
  },
  {
    what: 'parameters of a type that is looked up elsewhere',
    ...dotprompt('---\ntoolDefs:\n  - name: f\n    inputSchema:\n      a: Foo\n---\nHi'),
    told: '3 warning W_IMPORT_TOOL',
    sheets: ['p'],
  },
  {
    what: 'a tool without a name',
    ...dotprompt('---\ntoolDefs:\n  - description: f\n---\nHi'),
    told: '3 warning W_IMPORT_TOOL',
    sheets: ['p'],
  },
  {
    what: 'a folder of prompts',
    ...promptfoo('prompts: prompts/\n'),
    told: '1 warning W_IMPORT_REFERENCE',
    sheets: [],
  },
  {
    what: 'a tag over a line end, for which promptfoo sends the prompt as it is written',
    ...promptfoo(JSON.stringify({ prompts: ['Hi {{\nname\n}}, {{a}}'] })),
    told: '1 warning W_IMPORT_DIALECT',
    sheets: [],
  },
  {
    what: 'a line break at the end of a value, which promptfoo takes off',
    ...promptfoo('prompts: ["Hi {{a}}"]\n'),
    told: '1 info W_IMPORT_DIALECT',
    sheets: ['promptfoo'],
  },
  {
    what: 'a byte order mark before a prompt in a file',
    ...promptfoo('prompts: [file://a.txt]\n'),
    files: { 'a.txt': '\ufeffHi' },
    told: '1 info W_IMPORT_DIALECT',
    sheets: ['promptfoo'],
  },
  {
    what: 'a byte order mark before instructions',
    ...{ reader: 'claude', path: 'CLAUDE.md', text: '\ufeff# Rules\n' },
    told: '1 info W_IMPORT_DIALECT',
    sheets: ['claude'],
  },
  {
    what: 'an agent whose name its tool does not take',
    ...{
      reader: 'claude',
      path: '.claude/agents/a.md',
      text: '---\nname: My Agent\ndescription: d\n---\nx\n',
    },
    told: '2 info W_IMPORT_DIALECT',
    sheets: ['agents/My_Agent'],
  },
  {
    what: 'a skill with another name than its folder',
    ...{
      reader: 'skill',
      path: '.agents/skills/pdf/SKILL.md',
      text: '---\nname: other\ndescription: d\n---\nx\n',
    },
    told: '2 info W_IMPORT_DIALECT',
    sheets: ['skills/other'],
  },
  {
    what: 'a folder of its own that a skill names',
    ...{
      reader: 'skill',
      path: '.agents/skills/pdf/SKILL.md',
      text: `---\nname: pdf\ndescription: d\n---\nRun $${'{CLAUDE_SKILL_DIR}'}/x.py\n`,
    },
    told: '5 info W_IMPORT_DIALECT',
    sheets: ['skills/pdf'],
  },
  ...[
    { what: 'are not closed', text: '---\npaths: src\nStrict.\n' },
    { what: 'have a blank line before them', text: '\n---\npaths: src\n---\nStrict.\n' },
    { what: 'are closed by three dots', text: '---\npaths: src\n...\nStrict.\n' },
    { what: 'are TOML', text: '+++\npaths = "src"\n+++\nStrict.\n' },
    { what: 'have old line ends', text: '---\rpaths: src\r---\rStrict.\r' },
  ].map(({ what, text }) => ({
    ...{ what: `fields that ${what}`, reader: 'claude', path: '.claude/rules/r.md', text },
    ...{ told: '1 warning W_IMPORT_SYNTAX', sheets: ['rules/r'] },
  })),
  ...[
    { what: 'a field that is there twice', text: '---\nglobs: *.a\nglobs: *.b\n---\nx\n', line: 3 },
    { what: 'a line of the fields without a key', text: '---\nwords\nglobs: *.a\n---\nx\n', line: 2 },
  ].map(({ what, text, line }) => ({
    ...{ what, reader: 'cursor', path: '.cursor/rules/r.mdc', text },
    ...{ told: `${line} error E_IMPORT_SYNTAX`, sheets: [] },
  })),
  {
    what: 'globs that are no YAML',
    ...{
      reader: 'copilot',
      path: '.github/instructions/ts.instructions.md',
      text: '---\napplyTo: **/*.ts\n---\nStrict.\n',
    },
    told: '2 info W_IMPORT_SYNTAX',
    sheets: ['instructions/ts'],
  },
];

describe('what would be lost or changed without a word', () => {
  it.each(ROWS)('is told: $what', ({ reader, path, text, files = {}, told, sheets }) => {
    const format = readerOf(reader);
    if (format === undefined) throw new Error(reader);
    const file = (name: string) => (name in files ? Buffer.from(files[name] ?? '') : undefined);
    const adopted = adopt(format, path, text, { file });
    expect(adopted.diagnostics.map(({ line, severity, code }) => `${line} ${severity} ${code}`)).toContain(
      told,
    );
    expect(adopted.sheets.map(({ name }) => name)).toEqual(sheets);
    const written = printFiles(adopted).map((each) => each.path.toLowerCase());
    expect(new Set(written).size).toBe(written.length);
  });

  it('is no answer of a server that is taken for a file of Langfuse', () => {
    const answer = JSON.stringify({
      prompt: { name: 'a' },
      result: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
    });
    expect(readerOf('langfuse')?.detect('a.json', answer)).toBe(false);
  });
});
