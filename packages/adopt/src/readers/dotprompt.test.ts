import { Dotprompt } from 'dotprompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { corePieces, printed, values, wildTemplate } from '../../test/arbitrary.js';
import { adopt, type Message, rendered } from '../../test/render.js';
import { handedIn } from '../../test/sections.js';
import { dotpromptReader } from './dotprompt.js';

const read = (text: string) => adopt(dotpromptReader, 'prompts/p.prompt', text);
const codes = (text: string) =>
  read(text).diagnostics.map(({ code, severity, line, column }) => `${line}:${column} ${severity} ${code}`);

async function theirs(source: string, input: Record<string, unknown>): Promise<readonly Message[]> {
  const { messages } = await new Dotprompt().render(source, { input });
  return messages
    .map(({ role, content }) => ({
      role: role === 'model' ? 'assistant' : role,
      content: content.map((part) => ('text' in part ? part.text : '')).join(''),
    }))
    .filter(({ content }) => content !== '');
}

describe('prompts of the portable core', () => {
  it('render the bytes of dotprompt', async () => {
    const message = fc.record({ role: fc.constantFrom('system', 'user', 'model'), pieces: corePieces });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        values,
        fc.boolean(),
        async (messages, vars, hasFields) => {
          const body = messages
            .map(({ role, pieces }) => `{{role "${role}"}}${printed(pieces, (name) => `{{${name}}}`)}`)
            .join('');
          const source = hasFields ? `---\nmodel: m\n---\n${body}` : body;
          const adopted = read(source);
          expect(adopted.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
          expect(await rendered(adopted, vars)).toEqual(await theirs(source, vars));
        },
      ),
      runs(200, 2000),
    );
  });
});

describe('prompts outside of the core', () => {
  it('are refused or told, and never render other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(wildTemplate, async (template) => {
        const source = `---\nmodel: m\n---\nx${template}.`;
        const adopted = read(source);
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        const vars = { a: 'A', b: 'B', größe: 'G', _a: 'under' };
        expect(await rendered(adopted, handedIn(adopted, vars))).toEqual(await theirs(source, vars));
      }),
      runs(1000, 10_000),
    );
  });

  it.each([
    {
      what: 'a condition',
      body: 'Hi\n {{#if (f x)}}y{{../z}}{{/if}}',
      told: ['5:2 warning W_IMPORT_SECTION', '5:16 warning W_IMPORT_HELPER'],
    },
    { what: 'a partial', body: '{{> p}}', told: ['4:1 warning W_IMPORT_REFERENCE'] },
    { what: 'media', body: '{{media url=u}}', told: ['4:1 warning W_IMPORT_MEDIA'] },
    { what: 'a call', body: '{{json x}}', told: ['4:1 warning W_IMPORT_HELPER'] },
    { what: 'a context variable', body: '{{@auth.name}}', told: ['4:1 warning W_IMPORT_HELPER'] },
    { what: 'a role in capitals', body: '{{role "System"}}x', told: ['4:1 warning W_IMPORT_ROLE'] },
  ])('$what is named by line and column', ({ body, told }) => {
    expect(codes(`---\nmodel: m\n---\n${body}`)).toEqual(told);
  });
});

describe('the fields', () => {
  it('become parameters, tools, an answer, inputs and notes', () => {
    const source = [
      '---',
      'description: Greets',
      'model: gemini-3',
      'config: { temperature: 0.4 }',
      'input:',
      '  schema:',
      '    name: string, who is greeted',
      '    tone?: string',
      '    n?: integer',
      '  default: { tone: kind }',
      'toolDefs:',
      '  - { name: look, description: d, inputSchema: { type: object } }',
      'tools: [look, other]',
      'output: { format: json, schema: { type: object, properties: { a: { type: string } } } }',
      'ext.x: 1',
      '---',
      'Hi {{name}}, {{tone}} {{n}}',
    ].join('\n');
    const adopted = read(source);
    const [sheet] = adopted.sheets;
    expect(sheet).toMatchObject({
      name: 'p',
      title: 'Greets',
      params: { model: 'gemini-3', temperature: 0.4 },
      tools: [{ name: 'look', description: 'd', parameters: { type: 'object' } }],
      answer: { schema: { type: 'object' } },
      meta: { 'ext.x': 1, tools: ['other'], source: { format: 'dotprompt', file: 'prompts/p.prompt' } },
    });
    expect(sheet?.inputs.get('name')).toMatchObject({ required: true, description: 'who is greeted' });
    expect(sheet?.inputs.get('tone')).toMatchObject({ required: false, example: 'kind' });
    const lost = adopted.diagnostics
      .filter(({ severity }) => severity !== 'info')
      .map(({ code, line }) => `${line} ${code}`);
    expect(lost).toEqual(['13 W_IMPORT_TOOL']);
  });

  it.each([
    { what: 'empty', text: '---\n---\nHi' },
    { what: 'not closed', text: '---\nmodel: m\nHi' },
    { what: 'closed at the end', text: '---\nmodel: m\n---' },
    { what: 'behind a comment', text: '# c\n---\nmodel: m\n---\nHi' },
    { what: 'no YAML', text: '---\nmodel: [\n---\nHi' },
    { what: 'a key twice', text: '---\nmodel: a\nmodel: b\n---\nHi' },
    {
      what: 'laughs',
      text: `---\na: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c]\n---\nHi`,
    },
  ])('that the library would print as text are an error: $what', ({ text }) => {
    expect(codes(text)).toEqual([expect.stringMatching(/^\d+:\d+ error E_IMPORT_SYNTAX$/)]);
  });
});
