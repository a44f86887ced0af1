import { interpolateMustache } from '@langchain/core/prompts';
import { describe, expect, it } from 'vitest';
import { adopt, rendered } from '../../../test/render.js';
import { handedIn, type Json } from '../../../test/sections.js';
import { isLoss } from '../../diagnostic.js';
import { langchainReader } from '../../readers/langchain.js';
import { langfuseReader } from '../../readers/langfuse.js';

type Values = Readonly<Record<string, Json>>;
type Row = readonly [template: string, values: Values];

/** The classes of the specification of mustache, each with cases of our own. Those under `refused` have no form in a sheet. */
const CLASSES: readonly {
  readonly what: string;
  readonly kept: readonly Row[];
  readonly refused: readonly Row[];
}[] = [
  {
    what: 'comments',
    kept: [
      ['12{{! inline }}34', {}],
      ['1{{!\n over\n lines\n}}2\n', {}],
      ['a\n{{! alone }}\nb\n', {}],
      ['a\n  {{! indented }}\nb\n', {}],
      ['|\r\n{{! with CR LF }}\r\n|', {}],
      ['  {{! first line }}\n!', {}],
      ['!\n  {{! last line }}', {}],
      ['  12 {{! 34 }}\n', {}],
      ['1 {{! hides a name }} 2', { 'hides a name': 'x' }],
    ],
    refused: [],
  },
  {
    what: 'delimiters',
    kept: [],
    refused: [
      ['{{=<% %>=}}(<%text%>)', { text: 'x' }],
      ['({{=[ ]=}}[text])', { text: 'x' }],
      ['| {{= @ @ =}} |', {}],
      ['a\n{{=<% %>=}}\nb', {}],
    ],
  },
  {
    what: 'interpolation',
    kept: [
      ['Hello from {Mustache}!\n', {}],
      ['Hello, {{subject}}!', { subject: 'world' }],
      ['{{a}} and {{{a}}} and {{&a}}', { a: '& " < >' }],
      ['{{n}} {{{n}}} {{&n}}', { n: 85 }],
      ['{{n}} {{{n}}}', { n: 1.21 }],
      ['I ({{none}}) ({{{none}}}) ({{&none}})', { none: null }],
      ['I ({{missing}}) ({{{missing}}}) ({{&missing}})', {}],
      ['"{{person.name}}" "{{{person.name}}}"', { person: { name: 'Joe' } }],
      ['"{{a.b.c.d.e.name}}"', { a: { b: { c: { d: { e: { name: 'Phil' } } } } } }],
      ['"{{a.b.c}}"', { a: {} }],
      ['"{{a.b.c.name}}"', { a: { b: {} }, c: { name: 'Jim' } }],
      ['{{#a}}{{b.c}}{{/a}}', { a: { b: {} }, b: { c: 'wrong' } }],
      ['| {{s}} | {{{s}}} | {{&s}} |', { s: '---' }],
      ['  {{s}}\n', { s: '---' }],
      ['|{{ s }}|{{{ s }}}|{{& s }}|', { s: '---' }],
      ['{{yes}} {{no}}', { yes: true, no: false }],
    ],
    refused: [
      ['Hello, {{.}}!', {}],
      ['{{toString}}', {}],
    ],
  },
  {
    what: 'inverted sections',
    kept: [
      ['"{{^b}}shown{{/b}}"', { b: false }],
      ['"{{^b}}hidden{{/b}}"', { b: true }],
      ['"{{^b}}shown{{/b}}"', { b: null }],
      ['"{{^c}}hidden {{name}}{{/c}}"', { c: { name: 'Joe' } }],
      ['"{{^list}}hidden{{n}}{{/list}}"', { list: [{ n: 1 }, { n: 2 }] }],
      ['"{{^list}}shown{{/list}}"', { list: [] }],
      ['{{^b}}\n* first\n{{/b}}\n* {{two}}\n{{^b}}\n* third\n{{/b}}\n', { b: false, two: 'second' }],
      ['| A {{^b}}B {{^b}}C{{/b}} D{{/b}} E |', { b: false }],
      ['| A {{^b}}B {{^b}}C{{/b}} D{{/b}} E |', { b: true }],
      ['[{{^missing}}shown{{/missing}}]', {}],
      ['"{{^a.b.c}}hidden{{/a.b.c}}" == ""', { a: { b: { c: true } } }],
      ['"{{^a.b.c}}shown{{/a.b.c}}"', { a: {} }],
      [' | {{^b}}\t|\t{{/b}} | \n', { b: false }],
      [' | {{^b}} {{! keep }}\n {{/b}} | \n', { b: false }],
      [' {{^b}}NO{{/b}}\n {{^b}}WAY{{/b}}\n', { b: false }],
      ['| This\n{{^b}}\n|\n{{/b}}\n| A Line\n', { b: false }],
      ['|\r\n{{^b}}\r\n{{/b}}\r\n|', { b: false }],
      ['  {{^b}}\n^{{/b}}\n/', { b: false }],
      ['^{{^b}}\n/\n  {{/b}}', { b: false }],
      ['|{{^ b }}={{/ b }}|', { b: false }],
    ],
    refused: [['{{^b}}not closed', {}]],
  },
  {
    what: 'sections',
    kept: [
      ['"{{#b}}shown{{/b}}"', { b: true }],
      ['"{{#b}}hidden{{/b}}"', { b: null }],
      ['"{{#c}}Hi {{name}}.{{/c}}"', { c: { name: 'Joe' } }],
      [
        '"{{#sec}}{{a}}, {{b}}, {{c.d}}{{/sec}}"',
        { a: 'foo', b: 'wrong', sec: { b: 'bar' }, c: { d: 'baz' } },
      ],
      ['"{{#foo}}{{.}} is {{foo}}{{/foo}}"', { foo: 'bar' }],
      [
        '{{#tops}}{{#middles}}{{tname.lower}}{{mname}}.{{#bottoms}}{{tname.upper}}{{mname}}{{bname}}.{{/bottoms}}{{/middles}}{{/tops}}',
        {
          tops: [
            {
              tname: { upper: 'A', lower: 'a' },
              middles: [{ mname: '1', bottoms: [{ bname: 'x' }, { bname: 'y' }] }],
            },
          ],
        },
      ],
      [
        '{{#a}}\n{{one}}\n{{#b}}\n{{one}}{{two}}\n{{#c}}\n{{one}}{{two}}{{.}}\n{{/c}}\n{{/b}}\n{{/a}}\n',
        { a: { one: 1 }, b: { two: 2 }, c: 3 },
      ],
      ['"{{#list}}{{item}}{{/list}}"', { list: [{ item: 1 }, { item: 2 }] }],
      ['"{{#list}}never{{/list}}"', { list: [] }],
      ['{{#b}}\n* first\n{{/b}}\n* {{two}}\n{{#b}}\n* third\n{{/b}}\n', { b: true, two: 'second' }],
      ['| A {{#b}}B {{#b}}C{{/b}} D{{/b}} E |', { b: true }],
      ['| A {{#b}}B {{#b}}C{{/b}} D{{/b}} E |', { b: false }],
      ['"{{#list}}({{.}}){{/list}}"', { list: ['a', 'b', '&', '"', '<'] }],
      ['"{{#list}}({{.}}){{/list}}"', { list: [1, 2.5, 1e21, -0.5] }],
      [
        '"{{#list}}({{#.}}{{.}}{{/.}}){{/list}}"',
        {
          list: [
            [1, 2],
            ['a', 'b'],
          ],
        },
      ],
      ['"{{#list}}({{{.}}}{{&.}}){{/list}}"', { list: ['&', '<'] }],
      ['"{{#a.b.c}}Here{{/a.b.c}}"', { a: { b: { c: true } } }],
      ['"{{#a.b.c}}Here{{/a.b.c}}"', { a: {} }],
      [' | {{#b}}\t|\t{{/b}} | \n', { b: true }],
      [' | {{#b}} {{! keep }}\n {{/b}} | \n', { b: true }],
      ['| This Is\n  {{#b}}\n|\n  {{/b}}\n| A Line\n', { b: true }],
      ['|\r\n{{#b}}\r\n{{/b}}\r\n|', { b: true }],
      ['  {{#b}}\n#{{/b}}\n/', { b: true }],
      ['#{{#b}}\n/\n  {{/b}}', { b: true }],
      ['|{{# b }}={{/ b }}|', { b: true }],
      [
        '{{#text}}once{{/text}}{{#empty}}never{{/empty}}{{#zero}}never{{/zero}}',
        { text: 'x', empty: '', zero: 0 },
      ],
    ],
    refused: [
      ['{{#a}}{{#b}}{{/a}}{{/b}}', {}],
      ['{{/a}}', {}],
      ['{{#.}}x{{/.}}', {}],
      ['{{#list.length}}x{{/list.length}}', { list: [1] }],
    ],
  },
  {
    what: 'partials, names that are computed, and parents',
    kept: [],
    refused: [
      ['"{{>text}}"', {}],
      ['  {{> text}}\n|', {}],
      ['{{>*name}}', { name: 'x' }],
      ['{{<parent}}{{$block}}x{{/block}}{{/parent}}', {}],
      ['{{$title}}default{{/title}}', {}],
    ],
  },
];

const READ = [
  {
    format: 'langfuse',
    read: (prompt: string) =>
      adopt(
        langfuseReader,
        'p.json',
        JSON.stringify([{ name: 'p', version: 1, type: 'text', prompt, labels: ['production'] }]),
      ),
  },
  {
    format: 'langchain',
    read: (template: string) =>
      adopt(
        langchainReader,
        'p.json',
        JSON.stringify({
          ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'prompt', 'PromptTemplate'] },
          kwargs: { template, template_format: 'mustache' },
        }),
      ),
  },
];

describe.each(READ)('mustache as $format has it', ({ read }) => {
  describe.each(CLASSES)('$what', ({ kept, refused }) => {
    if (kept.length > 0)
      it.each(kept.map(([template, values]) => ({ template, values })))(
        'renders $template',
        async ({ template, values }) => {
          const adopted = read(template);
          expect(adopted.diagnostics.filter(isLoss)).toEqual([]);
          const [message] = await rendered(adopted, handedIn(adopted, values));
          expect(message?.content ?? '').toBe(interpolateMustache(template, values as never));
        },
      );

    if (refused.length > 0)
      it.each(refused.map(([template]) => ({ template })))('refuses $template', ({ template }) => {
        const adopted = read(template);
        expect(adopted.sheets).toEqual([]);
        expect(adopted.diagnostics.filter(isLoss)).toContainEqual(
          expect.objectContaining({ file: 'p.json', line: 1, column: expect.any(Number) }),
        );
      });
  });
});
