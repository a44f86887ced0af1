import fc from 'fast-check';
import type { ImportDraft } from '../src/draft.js';

/** JSON as templates meet it: what is missing, empty, zero, nested, and numbers that languages print differently. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const NAMES = ['a', 'b', 'xs', 'name'] as const;

const leaf = fc.constantFrom<Json>(
  null,
  false,
  true,
  0,
  1,
  -1,
  1.5,
  1e21,
  1e-7,
  1234567.5,
  2 ** 63,
  2 ** 60,
  '',
  ' ',
  '0',
  'a',
  'é😀',
  '{{a}}',
  '[]',
  'map[]',
  '\n',
  '<nil>',
);

const keys = fc.constantFrom('a', 'b', 'name', 'xs', '1', '0', 'z');

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(keys, tie('json')), { maxLength: 3 })
      .map((entries): Json => Object.fromEntries(entries)),
  ),
}));

/** Values for a template; a name that is absent was not handed in. */
export const sectionValues: fc.Arbitrary<Record<string, Json>> = fc
  .record(Object.fromEntries(NAMES.map((name) => [name, fc.option(json, { nil: undefined, freq: 4 })])))
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never);

/** What a sheet is handed for the values of a library: JSON where it takes JSON, else the text that is printed. */
export const handedIn = (
  { sheets }: ImportDraft,
  values: Readonly<Record<string, Json>>,
): Record<string, string> =>
  Object.fromEntries(
    [...(sheets[0]?.inputs ?? [])].flatMap(([name, { type, sourceName }]) => {
      const path = (sourceName ?? name).split('.');
      const value = path.reduce<unknown>(
        (found, key) =>
          Object.hasOwn(Object(found), key) ? (found as Record<string, unknown>)[key] : undefined,
        values,
      );
      if (value === undefined || (value === null && type === undefined)) return [];
      return [[name, type === 'json' ? JSON.stringify(value) : String(value)]];
    }),
  );

const text = fc
  .array(fc.constantFrom('x', 'y', ' ', '\n', '\n  ', '\r\n', '{', '}', '"', '-', 'é', '.', '\t'), {
    maxLength: 5,
  })
  .map((parts) => parts.join('').replace(/[{}]+$|^[{}]+|\{\{+|\}\}+/g, ''));

/** White space around a tag, so that tags stand alone on their lines as often as not. */
const around = (tag: string): fc.Arbitrary<string> =>
  fc.constantFrom(tag, tag, `\n${tag}\n`, `\n  ${tag} \r\n`, ` ${tag} `);

const sequence = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''));

interface Grammar {
  readonly print: (inLoop: boolean) => fc.Arbitrary<string>;
  readonly block: (inLoop: boolean, body: (inLoop: boolean) => fc.Arbitrary<string>) => fc.Arbitrary<string>;
}

/** Templates of a language: texts, prints and blocks, nested three deep. */
function templates({ print, block }: Grammar): fc.Arbitrary<string> {
  const body = (depth: number, inLoop: boolean): fc.Arbitrary<string> =>
    fc
      .array(
        fc.oneof(
          { weight: 3, arbitrary: text },
          { weight: 3, arbitrary: print(inLoop) },
          ...(depth > 0 ? [{ weight: 2, arbitrary: block(inLoop, (inner) => body(depth - 1, inner)) }] : []),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join(''));
  return body(3, false).map((template) => `T${template}.`);
}

const rootPath = fc.constantFrom('a', 'b', 'xs', 'name', 'a.b', 'xs.name', 'a.b.xs');

const handlebarsPath = (inLoop: boolean): fc.Arbitrary<string> =>
  inLoop
    ? fc.oneof(
        fc.constantFrom('this', 'this.name', './a', '@root.a', '@root.a.b', '@index', '@first', '@last', '.'),
        rootPath,
      )
    : rootPath;

const strip = fc.constantFrom('', '', '', '~');
const handlebarsTag = (words: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(strip, words, strip).chain(([left, said, right]) => around(`{{${left}${said}${right}}}`));

/** Prompts of Handlebars with the blocks that have an equal. */
export const handlebarsTemplate = templates({
  print: (inLoop) =>
    fc.oneof(
      handlebarsPath(inLoop).map((path) => `{{${path}}}`),
      handlebarsTag(fc.constant('! note ')),
      fc.constant('\\{{a}}'),
    ),
  block: (inLoop, body) =>
    fc.oneof(
      fc
        .constantFrom('if', 'unless')
        .chain((helper) =>
          sequence(
            handlebarsTag(handlebarsPath(inLoop).map((path) => `#${helper} ${path}`)),
            body(inLoop),
            fc.oneof(
              fc.constant(''),
              sequence(handlebarsTag(fc.constant('else')), body(inLoop)),
              sequence(
                handlebarsTag(handlebarsPath(inLoop).map((path) => `else if ${path}`)),
                body(inLoop),
                handlebarsTag(fc.constantFrom('else', 'else unless a', 'else if b')),
                body(inLoop),
              ),
            ),
            handlebarsTag(fc.constant(`/${helper}`)),
          ),
        ),
      fc
        .constantFrom('ifEquals', 'unlessEquals')
        .chain((helper) =>
          sequence(
            handlebarsTag(handlebarsPath(inLoop).map((path) => `#${helper} ${path} "a"`)),
            body(inLoop),
            handlebarsTag(fc.constant(`/${helper}`)),
          ),
        ),
      sequence(
        handlebarsTag(handlebarsPath(inLoop).map((path) => `#each ${path}`)),
        body(true),
        fc.oneof(fc.constant(''), sequence(handlebarsTag(fc.constantFrom('else', '^')), body(inLoop))),
        handlebarsTag(fc.constant('/each')),
      ),
    ),
});

const mustachePath = (inLoop: boolean): fc.Arbitrary<string> =>
  inLoop ? fc.oneof(fc.constantFrom('.', '.'), rootPath) : rootPath;

/** Prompts of mustache with sections. */
export const mustacheTemplate = templates({
  print: (inLoop) =>
    fc.oneof(
      mustachePath(inLoop).map((path) => `{{${path}}}`),
      mustachePath(inLoop).map((path) => `{{{ ${path} }}}`),
      around('{{! note }}'),
    ),
  block: (inLoop, body) =>
    fc
      .tuple(mustachePath(inLoop), fc.constantFrom('#', '^'))
      .chain(([path, sigil]) =>
        sequence(around(`{{${sigil}${path}}}`), body(inLoop || sigil === '#'), around(`{{/${path}}}`)),
      ),
});

const dash = fc.constantFrom('', '', '', '-');
const nunjucksTag = (words: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(dash, words, dash).chain(([left, said, right]) => around(`{%${left} ${said} ${right}%}`));
const nunjucksPath = (inLoop: boolean): fc.Arbitrary<string> =>
  inLoop
    ? fc.oneof(
        fc.constantFrom(
          'item',
          'item.name',
          'item.a.b',
          'loop.index',
          'loop.index0',
          'loop.first',
          'loop.last',
        ),
        rootPath,
      )
    : rootPath;
const condition = (inLoop: boolean): fc.Arbitrary<string> => {
  const path = nunjucksPath(inLoop);
  return fc.oneof(
    path,
    path.map((one) => `not ${one}`),
    fc.tuple(path, fc.constantFrom('and', 'or', 'and not', 'or not'), path).map((all) => all.join(' ')),
    fc.tuple(path, path, path).map(([one, two, three]) => `(${one} or ${two}) and ${three}`),
    fc
      .tuple(
        rootPath,
        fc.constantFrom('==', '!=', '===', '!=='),
        fc.constantFrom('"a"', "'x y'", '"[object Object]"'),
      )
      .map((all) => all.join(' ')),
  );
};

/** Prompts of Nunjucks with conditions and loops. */
export const nunjucksTemplate = templates({
  print: (inLoop) =>
    fc.oneof(
      fc.tuple(dash, nunjucksPath(inLoop), dash).map(([left, path, right]) => `{{${left} ${path} ${right}}}`),
      around('{# note #}'),
    ),
  block: (inLoop, body) =>
    fc.oneof(
      sequence(
        nunjucksTag(condition(inLoop).map((words) => `if ${words}`)),
        body(inLoop),
        fc.oneof(
          fc.constant(''),
          sequence(nunjucksTag(fc.constant('else')), body(inLoop)),
          sequence(
            nunjucksTag(condition(inLoop).map((words) => `elif ${words}`)),
            body(inLoop),
            nunjucksTag(fc.constant('else')),
            body(inLoop),
          ),
        ),
        nunjucksTag(fc.constant('endif')),
      ),
      sequence(
        nunjucksTag(nunjucksPath(inLoop).map((path) => `for item in ${path}`)),
        body(true),
        fc.oneof(fc.constant(''), sequence(nunjucksTag(fc.constant('else')), body(inLoop))),
        nunjucksTag(fc.constant('endfor')),
      ),
    ),
});

/** Words and tags of all three languages in any order: most of it is in none of them. */
export const wildSections = fc
  .array(
    fc.constantFrom(
      ...[
        'x',
        ' ',
        '\n',
        '{{a}}',
        '{{xs}}',
        '{{.}}',
        '{{this}}',
        '{{../a}}',
        '{{@index}}',
        '{{@key}}',
        '{{a.length}}',
      ],
      ...['{{#if a}}', '{{/if}}', '{{else}}', '{{else if b}}', '{{#each xs}}', '{{/each}}', '{{#unless a}}'],
      ...[
        '{{/unless}}',
        '{{#with a}}',
        '{{/with}}',
        '{{#a}}',
        '{{/a}}',
        '{{^a}}',
        '{{#xs}}',
        '{{/xs}}',
        '{{^}}',
      ],
      ...[
        '{{#if (eq a b)}}',
        '{{#each xs as |x|}}',
        '{{#if a includeZero=true}}',
        '{{~#if a~}}',
        '{{ #if a }}',
      ],
      ...[
        '{{#each xs}}{{this.length}}{{/each}}',
        '{{#if a}}}',
        '{{#a.map}}',
        '{{/a.map}}',
        '{{#*inline "p"}}',
      ],
      ...['{% if a %}', '{% endif %}', '{% else %}', '{% elif b %}', '{% for x in xs %}', '{% endfor %}'],
      ...[
        '{% for k, v in a %}',
        '{% set a = 1 %}',
        '{{ a | upper }}',
        '{{ x }}',
        '{% if a > 1 %}',
        '{% raw %}',
      ],
      ...[
        '{% endraw %}',
        '{% if a is defined %}',
        '{% if a == 1 %}',
        '{{ loop.index }}',
        '{%- if a -%}',
        '{# c #}',
      ],
      ...[
        '{% if a == "true" %}',
        '{{ a[0] }}',
        '{{ a.length }}',
        '{{ xs.map }}',
        '{% if a in b %}',
        '{% if a() %}',
      ],
    ),
    { maxLength: 8 },
  )
  .map((parts) => `T${parts.join('')}.`);
