import { createRequire } from 'node:module';
import { interpolateMustache } from '@langchain/core/prompts';
import { Dotprompt } from 'dotprompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { adopt, rendered } from '../../test/render.js';
import {
  handedIn,
  handlebarsTemplate,
  type Json,
  mustacheTemplate,
  nunjucksTemplate,
  sectionValues,
  wildSections,
} from '../../test/sections.js';
import type { ImportDraft } from '../draft.js';
import { printFiles } from '../print-files.js';
import { dotpromptReader } from '../readers/dotprompt.js';
import { langchainReader } from '../readers/langchain.js';
import { langfuseReader } from '../readers/langfuse.js';
import { promptfooReader } from '../readers/promptfoo.js';

type Values = Readonly<Record<string, Json>>;

interface Language {
  readonly language: string;
  readonly template: fc.Arbitrary<string>;
  readonly read: (template: string) => ImportDraft;
  /** What the official library prints; it may throw. */
  readonly render: (template: string, values: Values) => Promise<string>;
  /** Values that a sheet refuses although the library renders them. */
  readonly refuses: (values: Values) => boolean;
}

const { Environment } = createRequire(import.meta.url)('nunjucks') as {
  readonly Environment: new (
    loader: null,
    options: { readonly autoescape: boolean },
  ) => { readonly renderString: (template: string, values: object) => string };
};
const nunjucks = new Environment(null, { autoescape: false });

const LANGUAGES: readonly Language[] = [
  {
    language: 'Handlebars, by dotprompt',
    template: handlebarsTemplate,
    read: (template) => adopt(dotpromptReader, 'p.prompt', template),
    render: async (template, input) => {
      const { messages } = await new Dotprompt().render(template, { input });
      return messages
        .map(({ content }) => content.map((part) => ('text' in part ? part.text : '')).join(''))
        .join('');
    },
    refuses: () => false,
  },
  {
    language: 'mustache, of a Langfuse file',
    template: mustacheTemplate,
    read: (template) =>
      adopt(
        langfuseReader,
        'p.json',
        JSON.stringify([{ name: 'p', version: 1, type: 'text', prompt: template, labels: ['production'] }]),
      ),
    render: async (template, values) => interpolateMustache(template, values as never),
    refuses: () => false,
  },
  {
    language: 'mustache, of a LangChain manifest',
    template: mustacheTemplate,
    read: (template) =>
      adopt(
        langchainReader,
        'p.json',
        JSON.stringify({
          ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'prompt', 'PromptTemplate'] },
          kwargs: { template, template_format: 'mustache' },
        }),
      ),
    render: async (template, values) => interpolateMustache(template, values as never),
    refuses: () => false,
  },
  {
    language: 'Nunjucks',
    template: nunjucksTemplate,
    read: (template) =>
      adopt(promptfooReader, 'p/promptfooconfig.yaml', JSON.stringify({ prompts: [template] })),
    render: async (template, values) => nunjucks.renderString(template, values),
    refuses: isOddLoop,
  },
];

/** What is rendered, or `refused`: an error is no other render. */
async function attempt(render: () => Promise<string>): Promise<string> {
  try {
    return `rendered ${await render()}`;
  } catch {
    return 'refused';
  }
}

const said = async (adopted: ImportDraft, values: Values): Promise<string> =>
  (await rendered(adopted, handedIn(adopted, values))).map(({ content }) => content).join('');

describe.each(LANGUAGES)('$language', ({ template, read, render, refuses }) => {
  it('conditions and loops give the bytes of the library for every JSON', async () => {
    let imported = 0;
    let templates = 0;
    await fc.assert(
      fc.asyncProperty(template, sectionValues, async (source, values) => {
        const adopted = read(source);
        templates += 1;
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        if (JSON.stringify(adopted.sheets[0]?.blocks).includes('{{end}}')) imported += 1;
        const theirs = await attempt(() => render(source, values));
        if (theirs === 'refused') return;
        const ours = await attempt(() => said(adopted, values));
        if (ours !== 'refused') expect(ours).toBe(theirs);
        else expect(refuses(values)).toBe(true);
      }),
      runs(1000, 20_000),
    );
    // About a third of them: of a hundred, by chance, a few less.
    expect(imported).toBeGreaterThan(templates / 8);
  });

  it('what leaves them is refused by line and column, and never renders other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(wildSections, sectionValues, async (source, values) => {
        const adopted = read(source);
        if (adopted.sheets.length === 0) {
          const lost = adopted.diagnostics.filter(({ severity }) => severity !== 'info');
          expect(lost.length).toBeGreaterThan(0);
          for (const { line, column, message } of lost)
            expect([line, column, message]).not.toContain(undefined);
          return;
        }
        const theirs = await attempt(() => render(source, values));
        const ours = await attempt(() => said(adopted, values));
        if (theirs !== 'refused' && ours !== 'refused') expect(ours).toBe(theirs);
      }),
      runs(1000, 20_000),
    );
  });
});

/** Nunjucks loops over the characters of a text; a sheet refuses the value. */
function isOddLoop(values: Values): boolean {
  const look = (value: Json): boolean =>
    typeof value === 'string'
      ? value !== ''
      : typeof value === 'object' && value !== null && Object.values(value).some(look);
  return Object.values(values).some(look);
}

const template = (adopted: ImportDraft): string =>
  printFiles(adopted)
    .map(({ text }) => text)
    .join('\n');

it.each([
  {
    what: 'a condition of Handlebars',
    read: () => LANGUAGES[0]?.read('Hi.\n{{#if vip}}\nBe {{tone}}.\n{{else}}\nBe brief.\n{{/if}}\nBye'),
    holds: ['{{if present .vip}}Be {{.tone}}.', '{{else}}Be brief.', '{{end}}'],
  },
  {
    what: 'a loop of Nunjucks',
    read: () =>
      LANGUAGES[3]?.read('{% for f in files %}- {{ f.name }}{% if not loop.last %}, {% endif %}{% endfor %}'),
    holds: ['{{range $index1, $f := $items1}}', '{{if not (eq (len (slice $items1 $index1)) 1)}}'],
  },
])('$what reads as a template', ({ read, holds }) => {
  const adopted = read();
  if (adopted === undefined) throw new Error('no language');
  for (const words of holds) expect(template(adopted)).toContain(words);
  const told = adopted.diagnostics.filter(({ code }) => code === 'W_IMPORT_SECTION');
  expect(told.map(({ severity, line }) => ({ severity, line }))).toEqual([
    { severity: 'info', line: expect.any(Number) },
  ]);
});
