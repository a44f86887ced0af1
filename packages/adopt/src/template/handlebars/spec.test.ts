import { Dotprompt } from 'dotprompt';
import { describe, expect, it } from 'vitest';
import { adopt, rendered } from '../../../test/render.js';
import { handedIn, type Json } from '../../../test/sections.js';
import { isLoss } from '../../diagnostic.js';
import { dotpromptReader } from '../../readers/dotprompt.js';

type Values = Readonly<Record<string, Json>>;
type Row = readonly [template: string, values?: Values];

/** The classes of the specification of dotprompt, each with cases of our own. */
const CLASSES: readonly {
  readonly what: string;
  readonly kept: readonly Row[];
  readonly refused: readonly Row[];
}[] = [
  {
    what: 'variables',
    kept: [
      ['Hello, {{name}}!\n', { name: 'Michael' }],
      ['Hello, {{name}}!\n', { name: '<b>Pavel</b>' }],
      ['Hello, {{name}}!\n', {}],
      ['{{{name}}}{{&name}}{{ name }}', { name: 'x' }],
      ['{{a}} {{b}} {{c}}', { a: 0, b: false, c: null }],
      ['{{user.name}}', { user: { name: 'x' } }],
    ],
    refused: [
      ['{{@auth.email}}'],
      ['{{@state.x}}'],
      ['{{@metadata.prompt.model}}'],
      ['{{a.[0]}}'],
      ['{{a.0}}'],
    ],
  },
  {
    what: 'roles',
    kept: [
      ['{{role "system"}}S\n{{role "user"}}\nU {{a}}\n', { a: 'x' }],
      ['{{role "model"}}M', {}],
      ['before{{role "system"}}S{{role "user"}}U{{role "user"}}V', {}],
      ['{{role "system"}} {{role "user"}}b', {}],
      ['  \n{{role "system"}}S', {}],
      ["{{role 'user'}}x", {}],
    ],
    refused: [
      ['{{role "System"}}x'],
      ['{{role a}}x'],
      ['{{role "wizard"}}x'],
      ['{{#if a}}{{role "user"}}{{/if}}'],
    ],
  },
  {
    what: 'history',
    kept: [
      ['{{role "system"}}S{{history}}{{role "user"}}U', {}],
      ['a{{history}}b', {}],
    ],
    refused: [['{{#if a}}{{history}}{{/if}}x']],
  },
  {
    what: 'comparisons',
    kept: [
      ['{{#ifEquals a "x"}}y{{else}}n{{/ifEquals}}', { a: 'x' }],
      ['{{#ifEquals a "1"}}y{{else}}n{{/ifEquals}}', { a: 1 }],
      ['{{#unlessEquals a "x"}}y{{else}}n{{/unlessEquals}}', { a: 'z' }],
    ],
    refused: [['{{#ifEquals a b}}y{{/ifEquals}}'], ['{{#ifEquals a}}y{{/ifEquals}}']],
  },
  {
    what: 'conditions and loops',
    kept: [
      ['{{#if a}}y{{else}}n{{/if}}', { a: [] }],
      ['{{#if a}}y{{else if b}}b{{else}}n{{/if}}', { b: {} }],
      ['{{#unless a}}y{{/unless}}', { a: '' }],
      [
        '{{#each xs}}{{@index}}:{{this}}{{#unless @last}}, {{/unless}}{{else}}none{{/each}}',
        { xs: ['a', 'b'] },
      ],
      ['{{#each xs}}{{name}} {{/each}}', { xs: [{ name: 'a' }, {}] }],
      ['a\n{{#if a}}\n  b\n{{/if}}\nc', { a: 1 }],
      ['a {{~#if a~}} b {{~/if~}} c', { a: 1 }],
    ],
    refused: [
      ['{{#with a}}{{b}}{{/with}}'],
      ['{{#each xs as |x|}}{{x}}{{/each}}'],
      ['{{#each a}}{{@key}}{{/each}}'],
      ['{{#each xs}}{{../a}}{{/each}}'],
      ['{{#if a}}x'],
    ],
  },
  {
    what: 'helpers and partials',
    kept: [],
    refused: [
      ['{{json a}}'],
      ['{{json a indent=2}}'],
      ['{{media url=a}}'],
      ['{{section "code"}}'],
      ['{{lookup a "b"}}'],
      ['{{log a}}'],
      ['{{> p}}'],
      ['{{> p n="Z"}}'],
      ['{{#*inline "p"}}x{{/inline}}'],
      ['{{unknown a}}'],
      ['{{{{raw}}}}x{{{{/raw}}}}'],
    ],
  },
  {
    what: 'Unicode',
    kept: [
      ['こんにちは {{name}}', { name: '世界' }],
      ['{{größe}} 😀 {{名前}}', { größe: 'é', 名前: '🚀' }],
      ['שלום {{name}}', { name: 'עולם' }],
    ],
    refused: [],
  },
  {
    what: 'white space',
    kept: [
      ['  leading and trailing  \n', {}],
      ['---\nmodel: m\n---\n\n  trimmed  \n\n', {}],
      ['a\r\n{{! gone }}\r\nb', {}],
      ['a {{~x~}} b', { x: 'X' }],
      ['\\{{x}} and \\\\{{x}}', { x: 'X' }],
      ['{{!-- long -- comment --}}x', {}],
    ],
    refused: [['---\n---\nx'], ['\ufeff \n---\nmodel: m\n---\nx'], ['# c\n---\nmodel: m\n---\nx']],
  },
];

const theirs = async (source: string, input: Values) =>
  (await new Dotprompt().render(source, { input })).messages.map(({ role, content }) => ({
    role: role === 'model' ? 'assistant' : role,
    content: content.map((part) => ('text' in part ? part.text : '')).join(''),
  }));

describe.each(CLASSES)('dotprompt: $what', ({ kept, refused }) => {
  if (kept.length > 0)
    it.each(kept.map(([template, values = {}]) => ({ template, values })))(
      'renders $template',
      async ({ template, values }) => {
        const adopted = adopt(dotpromptReader, 'p.prompt', template);
        expect(adopted.diagnostics.filter(isLoss)).toEqual([]);
        expect(await rendered(adopted, handedIn(adopted, values))).toEqual(await theirs(template, values));
      },
    );

  if (refused.length > 0)
    it.each(refused.map(([template]) => ({ template })))('refuses $template', ({ template }) => {
      const adopted = adopt(dotpromptReader, 'p.prompt', template);
      expect(adopted.sheets).toEqual([]);
      expect(adopted.diagnostics.filter(isLoss)).toContainEqual(
        expect.objectContaining({ file: 'p.prompt', line: expect.any(Number), column: expect.any(Number) }),
      );
    });
});
