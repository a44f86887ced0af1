import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, runs } from '../../../../test/runs.js';
import { exportOf, promptOf } from '../../test/exported.js';
import { adopt, rendered } from '../../test/render.js';
import {
  handedIn,
  handlebarsTemplate,
  mustacheTemplate,
  nunjucksTemplate,
  sectionValues,
} from '../../test/sections.js';
import type { ImportDraft } from '../draft.js';
import { printFiles } from '../print-files.js';
import { readerOf } from '../readers.js';
import { writerOf } from '../writers.js';

interface Format {
  readonly id: string;
  readonly path: string;
  readonly template: fc.Arbitrary<string>;
  readonly file: (template: string) => string;
}

const FORMATS: readonly Format[] = [
  {
    id: 'dotprompt',
    path: 'p.prompt',
    template: handlebarsTemplate,
    file: (template) => `---\nmodel: m\n---\n${template}`,
  },
  {
    id: 'langfuse',
    path: 'p.json',
    template: mustacheTemplate,
    file: (prompt) =>
      JSON.stringify([{ name: 'p', version: 1, type: 'text', prompt, labels: ['production'] }]),
  },
  {
    id: 'langchain',
    path: 'p.json',
    template: mustacheTemplate,
    file: (template) =>
      JSON.stringify({
        ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'prompt', 'PromptTemplate'] },
        kwargs: { template, template_format: 'mustache' },
      }),
  },
  {
    id: 'promptfoo',
    path: 'p/promptfooconfig.json',
    template: nunjucksTemplate,
    file: (raw) => JSON.stringify({ prompts: [{ raw: JSON.stringify([{ role: 'user', content: raw }]) }] }),
  },
];

const read = (id: string, path: string, text: string): ImportDraft => {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  return adopt(reader, path, text);
};
const blocks = ({ sheets }: ImportDraft): unknown =>
  sheets.map((sheet) => [sheet.blocks, [...sheet.inputs.keys()].sort()]);

describe.each(inTurn(FORMATS, 4))('conditions and loops of $id', ({ id, path, template, file }) => {
  it('go back to it, are the same when they are imported again, and print the same', async () => {
    let exported = 0;
    let imported = 0;
    await fc.assert(
      fc.asyncProperty(template, sectionValues, async (source, values) => {
        const first = read(id, path, file(source));
        if (first.sheets.length === 0 || !JSON.stringify(first.sheets[0]?.blocks).includes('{{end}}')) return;
        imported += 1;
        const out = writerOf(id)?.write(exportOf(first));
        if (out?.file === undefined)
          return void expect(out?.diagnostics).toContainEqual(
            expect.objectContaining({ code: 'E_EXPORT_FORMAT', severity: 'error' }),
          );
        exported += 1;
        const again = read(id, path, out.file.text);
        expect(writerOf(id)?.write(exportOf(again)).file?.text).toBe(out.file.text);
        const set = handedIn(first, values);
        const ours = await rendered(first, set).catch(() => undefined);
        if (ours !== undefined) expect(await rendered(again, handedIn(again, values))).toEqual(ours);
      }),
      runs(600, 10_000),
    );
    expect(exported).toBeGreaterThan((imported * 3) / 4);
  });
});

it.each(['agents-md', 'claude', 'mcp-json', 'openai-messages', 'gemini-command', 'cursor'])(
  '%s has none, and says so',
  (id) => {
    const { file, diagnostics } = writerOf(id)?.write(
      promptOf([{ role: 'user', parts: [{ template: '{{if present .a}}x{{end}}' }] }], { title: 't' }),
    ) ?? { diagnostics: [] };
    expect(file).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain('E_EXPORT_FORMAT');
  },
);

it.each([
  ['a template of a person', '{{with .a}}x{{end}}'],
  ['an action that trims', 'a {{- if present .a}}x{{end}}'],
  ['a field of the item as Go has it', '{{range items .a}}{{.name}}{{end}}'],
  ['a condition of another language', '{{if truthy .a}}x{{end}}'],
  ['a function of its own', '{{printf "%d" .a}}'],
  ['a template that is not closed', '{{if present .a}}x'],
  ['a block of an include', '{{include "x"}}'],
])('%s has no form in dotprompt and langfuse, and that is named', (_what, template) => {
  for (const id of ['dotprompt', 'langfuse', 'langchain']) {
    const { file, diagnostics } = writerOf(id)?.write(
      promptOf([{ role: 'user', parts: [{ text: 'T' }, { template }] }]),
    ) ?? {
      diagnostics: [],
    };
    expect(file).toBeUndefined();
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'E_EXPORT_FORMAT' }));
  }
});

it('a prompt reads as a person would write it', () => {
  const source =
    '---\nmodel: m\n---\nHi.\n{{#if vip}}\nBe {{tone}}.\n{{else}}\nBe brief.\n{{/if}}\n{{#each files}}\n- {{this}}\n{{/each}}\nBye.';
  const first = read('dotprompt', 'p.prompt', source);
  const text = writerOf('dotprompt')?.write(exportOf(first)).file?.text ?? '';
  expect(text.slice(text.indexOf('{{role'))).toMatchInlineSnapshot(`
    "{{role "user"}}Hi.
    {{#if vip}}
    Be {{tone}}.
    {{else}}
    Be brief.
    {{/if}}
    {{#each files}}
    - {{this}}
    {{/each}}
    Bye."
  `);
  const again = read('dotprompt', 'p.prompt', text);
  expect(blocks(again)).toEqual(blocks(first));
  expect(printFiles(again).map(({ path }) => path)).toEqual(printFiles(first).map(({ path }) => path));
});
