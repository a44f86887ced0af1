import { createRequire } from 'node:module';
import { interpolateFString, interpolateMustache } from '@langchain/core/prompts';
import { Dotprompt } from 'dotprompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs, sampled } from '../../../../test/runs.js';
import { corePieces, printed, values, wildTemplate } from '../../test/arbitrary.js';
import { outsideCore } from './core.js';
import { readFString } from './fstring.js';
import { readHandlebars } from './handlebars/read.js';
import { readMustache } from './mustache/read.js';
import { readNunjucks } from './nunjucks/read.js';
import { readPlain } from './plain.js';
import type { ReadTemplate } from './tokens.js';

/** What the tokens of a template give with values; names are looked up along their dots. */
const filled = ({ tokens = [] }: ReadTemplate, at: (name: string) => string): string =>
  tokens
    .map((token) => {
      if (token.kind === 'section') throw new Error('a section is a template of a sheet: sections.test.ts');
      return token.kind === 'text' ? token.text : at(token.name);
    })
    .join('');
const hasSection = ({ tokens = [] }: ReadTemplate): boolean => tokens.some(({ kind }) => kind === 'section');

const byPath = (all: Record<string, unknown>) => (name: string) => {
  const found = name
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], all);
  return found === undefined || found === null ? '' : String(found);
};

/** What a library answers, or that it throws. */
const attempt = (render: () => string): string | undefined => {
  try {
    return render();
  } catch {
    return undefined;
  }
};

describe('templates of the portable core', () => {
  it('are read without a remark and give the bytes of the libraries', () => {
    fc.assert(
      fc.property(corePieces, values, (pieces, all) => {
        const mustache = printed(pieces, (name) => `{{${name}}}`);
        const read = readMustache(mustache);
        expect(read.remarks).toEqual([]);
        expect(filled(read, byPath(all))).toBe(interpolateMustache(mustache, all));
        expect(filled(readPlain(mustache), byPath(all))).toBe(interpolateMustache(mustache, all));
        expect(outsideCore(read.tokens ?? [])).toBeUndefined();
        const fstring = pieces
          .map((piece) => (typeof piece === 'string' ? piece.replace(/[{}]/g, '$&$&') : `{${piece.name}}`))
          .join('');
        expect(filled(readFString(fstring), byPath(all))).toBe(interpolateFString(fstring, all));
      }),
      runs(2000, 20_000),
    );
  });
});

/** The same template and values in several engines: where they disagree nothing is taken over without a word. */
const TABLE: readonly (readonly [string, Record<string, unknown>])[] = [
  ['Hi {{name}}.', { name: 'A' }],
  ['Hi {{name}}.', {}],
  ['Hi {{name}}.', { name: '<&"' }],
  ['Hi {{name}}.', { name: '{{x}}', x: 1 }],
  ['{{{name}}}', { name: 'A' }],
  ['{{a.b}}', { a: { b: 1 } }],
  ['{"k": {{v}}}', { v: 1 }],
  ['{"k": {"j": 1}}', {}],
  ['{{"k": 1}}', {}],
  ['a {{ b', {}],
  ['{{user name}}', { 'user name': 'U' }],
  ['{{#if x}}y{{/if}}', { x: 1 }],
  ['{{#x}}y{{/x}}', { x: true }],
  ['x\n{{! c }}\ny', {}],
  ['\\{{x}}', { x: 1 }],
];
const nunjucks = new (createRequire(import.meta.url)('nunjucks').Environment)(null, { autoescape: false });
const dotprompt = async (template: string, input: Record<string, unknown>): Promise<string> =>
  (await new Dotprompt().render(template, { input })).messages
    .map(({ content }) => content.map((part) => ('text' in part ? part.text : '')).join(''))
    .join('');

describe.each(TABLE)('%s', (template, all) => {
  it.each([
    { engine: 'mustache', read: readMustache, render: async () => interpolateMustache(template, all) },
    {
      engine: 'Nunjucks',
      read: readNunjucks,
      render: async () => nunjucks.renderString(template, all) as string,
    },
    {
      engine: 'dotprompt',
      read: readHandlebars as never as typeof readMustache,
      render: () => dotprompt(template, all),
    },
  ])('is refused, or what $engine gives', async ({ read, render }) => {
    const found = read(template);
    if (found.tokens === undefined)
      return void expect(found.remarks.some(({ severity }) => severity !== 'info')).toBe(true);
    if (!hasSection(found)) expect(filled(found, byPath(all))).toBe(await render());
  });
});

describe('templates of any kind', () => {
  const all = {
    a: { b: 'deep', toString: () => 'A' },
    'user name': 'U',
    größe: 'G',
    _a: 'under',
    '1a': 'one',
  };

  it('give the bytes of mustache.js or are refused with a remark', () => {
    fc.assert(
      fc.property(wildTemplate, (template) => {
        const read = readMustache(template);
        const theirs = attempt(() => interpolateMustache(template, all as never));
        if (read.tokens === undefined)
          return void expect(read.remarks.some(({ severity }) => severity !== 'info')).toBe(true);
        if (hasSection(read)) return;
        expect(filled(read, byPath(all))).toBe(theirs);
        const isCore = outsideCore(read.tokens) === undefined;
        if (!isCore && read.remarks.length === 0)
          // Text that only other engines read as more than text, and names that are renamed, say so elsewhere.
          expect(template).toMatch(/\{[{%#]|#\}|\\\{\{|\{\{\s*(?:größe|user name|_a)|\}\}\}|\{\{\{/);
      }),
      runs(5000, 50_000),
    );
  });

  it('give the bytes of f-strings or are refused with a remark', () => {
    const flat = { a: 'A', ' a ': 'blank', 'a.b': 'dotted', '': 'empty' };
    fc.assert(
      fc.property(wildTemplate, (template) => {
        const read = readFString(template);
        const theirs = attempt(() => interpolateFString(template, flat));
        if (read.tokens === undefined)
          return void expect(read.remarks.some(({ severity }) => severity !== 'info')).toBe(true);
        if (theirs === undefined)
          return void expect(
            read.tokens.some((token) => token.kind === 'variable' && !(token.name in flat)),
          ).toBe(true);
        expect(filled(read, (name) => flat[name as keyof typeof flat])).toBe(theirs);
      }),
      runs(5000, 50_000),
    );
  });

  itInTurn('are read in time that grows with their length', () => {
    const many = '{{a}} '.repeat(100_000);
    expect(readMustache(many).tokens?.length).toBe(200_000);
    const hostile = [
      '{{'.repeat(100_000),
      '{{ '.repeat(100_000),
      `{{${' '.repeat(200_000)}`,
      '{{! '.repeat(50_000),
      '}'.repeat(100_000),
      '{{#a}}'.repeat(100_000),
      `${'{{#a}}'.repeat(20)}${'{{b}}'.repeat(2000)}${'{{/a}}'.repeat(20)}`,
      '{{#a}}x{{/a}}'.repeat(20_000),
      '{{/a}}'.repeat(100_000),
      '{{#if a}}'.repeat(100_000),
      '{{#if a}}x{{/if}}'.repeat(20_000),
      `{{#if a}}${'{{else if a}}'.repeat(50_000)}{{/if}}`,
      '{% if a %}'.repeat(100_000),
      '{% for a in b %}x{% endfor %}'.repeat(20_000),
      `{% if a %}${'{% elif a %}'.repeat(50_000)}{% endif %}`,
      `{% if ${'not '.repeat(100_000)}a %}x{% endif %}`,
      `{% if ${'('.repeat(100_000)}a %}x{% endif %}`,
    ];
    for (const text of sampled(hostile, 4))
      for (const read of [readMustache, readFString, readPlain, readNunjucks, readHandlebars])
        expect(read(text).remarks.length).toBeGreaterThanOrEqual(0);
  });
});
