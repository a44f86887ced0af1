// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts hold placeholders of other languages
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../test/growth.js';
import { ROOT } from '../../../test/root.js';
import { runs } from '../../../test/runs.js';
import { findPlaceholders, hasFrontmatter } from './placeholder.js';

const found = (text: string, ...inputs: string[]) =>
  findPlaceholders(text, { inputs }).map(({ at }) => text.slice(at, at + 12));

const FOREIGN = [
  '{{text}}',
  '{{ text }}',
  '{{{text}}}',
  '{{user.name}}',
  '{{items[0]}}',
  '{{#if loud}}',
  '{{/if}}',
  '{{else}}',
  '{{> header}}',
  '{{#each items}}',
  '{{ name | upper }}',
  '{{.AgentName}}',
  '{{include "p/a"}}',
  '{% if loud %}',
  '{%- for item in items -%}',
  '{% endfor %}',
  '<%= name %>',
  '<% if (loud) { %>',
  '${name}',
  '${user.name}',
];

const TEXT = [
  'Use ${{ secrets.TOKEN }} in a workflow of a build.',
  'The home is ${HOME}, the path ${MY_PATH}.',
  'A map is {"a": {"b": 1}} in JSON.',
  'Write `{{name}}` where the name goes.',
  'Write ``{{name}} and ` ``.',
  '```\n{{name}}\n${name}\n```',
  '- list\n\n    {{name}}\n',
  'Set {a, b} is a set, and {x} is one too.',
  'A {{ b and c }} d',
  'Price: $ {5}, 100% {done}, <5% of it>.',
  'f(x) = {x | x > 0}',
  'Escaped: \\{{name}} and \\${name}.',
  'Latex: \\frac{{a}}{{b}}',
];

describe('placeholders of other languages', () => {
  it.each(FOREIGN)('%s is told, wherever it stands in prose', (placeholder) => {
    const word = fc.constantFrom('Be', 'kind', 'to', 'all.', '\n', '(see', '`code`', 'é😀');
    const words = fc.array(word, { maxLength: 6 }).map((each) => each.join(' '));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = `${before} ${placeholder} ${after}`;
        expect(findPlaceholders(text).map(({ at }) => at)).toEqual([before.length + 1]);
      }),
      runs(20, 1_000),
    );
  });

  it.each(TEXT)('%j holds none', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('the name of an input is meant, however it is written', () => {
    expect(found('Hi {name}, ${NAME} and {{other}}', 'name', 'NAME')).toEqual([
      '{name}, ${NA',
      '${NAME} and ',
      '{{other}}',
    ]);
    expect(findPlaceholders('Hi {{name}}', { inputs: ['name'] })[0]?.message).toContain('input: name');
  });

  it('none is in what the repository itself says', () => {
    const texts = ['docs', 'examples', 'README.md'].flatMap((path) => filesOf(join(ROOT, path)));
    expect(texts.length).toBeGreaterThan(20);
    const told = texts.flatMap((path) =>
      findPlaceholders(readFileSync(path, 'utf8')).map(({ message }) => `${path} ${message}`),
    );
    expect(told).toEqual([]);
  });

  it('take time in proportion, whatever the text is', () => {
    for (const unit of [
      '{{a',
      '{{a.b.c ',
      '`',
      '``a`',
      '<%a ',
      '${a',
      '{%if ',
      '---\na: b\n',
      '    a\n',
      '{{{',
    ]) {
      expect(growth((size) => findPlaceholders(unit.repeat(size)), 20_000, 3)).toBeLessThan(4);
    }
  });
});

function filesOf(path: string): readonly string[] {
  if (path.endsWith('.md')) return [path];
  return (
    readdirSync(path, { withFileTypes: true, recursive: true })
      .filter(
        (each) =>
          each.isFile() && /\.(?:md|yaml)$/.test(each.name) && !each.parentPath.includes('node_modules'),
      )
      // Manifests are templates, and the page of the seeds quotes titles of tests.
      .filter((each) => !each.parentPath.includes('manifests') && each.name !== 'seeds.md')
      .map((each) => join(each.parentPath, each.name))
  );
}

describe('frontmatter', () => {
  it.each([
    ['---\ntitle: A\n---\nText', true],
    ['---\r\ntitle: A\r\ntags:\r\n  - b\r\n---\r\n', true],
    ['\ufeff---\nname: a\n---', true],
    ['---\n\nA paragraph.\n\n---\n', false],
    ['---\nNote: this is prose\nand goes on\n---\n', false],
    ['Text\n---\na: b\n---\n', false],
    ['---\n---\n', false],
    ['----\na: b\n----\n', false],
    ['---\na: b\n', false],
  ])('%j', (text, is) => {
    expect(hasFrontmatter(text)).toBe(is);
  });
});
