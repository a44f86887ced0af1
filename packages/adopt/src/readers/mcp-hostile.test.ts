import { describe } from 'vitest';
import { holds } from '../../test/hostile-rows.js';
import { mcpReader } from './mcp.js';

const rendering = (given: object, text: string, more: object = {}) => ({
  arguments: given,
  messages: [{ role: 'user', content: { type: 'text', text, ...more } }],
});
const server = (names: readonly object[], renders: readonly object[], name = 'p') => ({
  prompts: [{ prompt: { name, arguments: names }, renders }],
});
const need = (name: string) => ({ name, required: true });

describe('hostile files', () => {
  holds(mcpReader, 'm.json', [
    {
      what: 'two calls that are the same',
      file: server([need('a')], [rendering({ a: 'x' }, 'x taxi'), rendering({ a: 'x' }, 'x taxi')]),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'a marker that is empty',
      file: server([need('a')], [rendering({ a: '' }, 'x'), rendering({ a: '⟦a⟧' }, 'x⟦a⟧')]),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'a marker that is no text',
      file: server([need('a')], [rendering({ a: 1 }, '1'), rendering({ a: 2 }, '2')]),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'one marker for two arguments',
      file: server(
        [need('a'), need('b')],
        [rendering({ a: '1', b: '1' }, '1 1'), rendering({ a: '2', b: '2' }, '2 2')],
      ),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'an argument that it does not declare',
      file: server([need('a')], [rendering({ a: '⟦a⟧', z: 'z' }, '⟦a⟧'), rendering({ z: '⟦a2⟧' }, 'y')]),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'an argument that was never left out',
      file: server([{ name: 'a' }], [rendering({ a: '⟦a⟧' }, '⟦a⟧'), rendering({ a: '⟦b⟧' }, '⟦b⟧')]),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'an answer that counts',
      file: server([need('a')], [rendering({ a: '⟦a⟧' }, '3 ⟦a⟧'), rendering({ a: '⟦ab⟧' }, '4 ⟦ab⟧')]),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'an answer that swaps',
      file: server(
        [need('a'), need('b')],
        [rendering({ a: '1⟧', b: '2⟧' }, '1⟧ 2⟧'), rendering({ a: '3⟧', b: '4⟧' }, '4⟧ 3⟧')],
      ),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'a marker that begins another',
      file: server(
        [need('a'), need('b')],
        [rendering({ a: '<a', b: '<ab' }, '<a <ab'), rendering({ a: '[c', b: '[d' }, '[c [d')],
      ),
      lost: [],
      sent: ['A B'],
    },
    {
      what: 'two prompts of one name',
      file: {
        prompts: [
          ...server([], [rendering({}, 'one')], 'a b').prompts,
          ...server([], [rendering({}, 'two')], 'a_b').prompts,
        ],
      },
      lost: [],
      sent: ['one'],
      told: ['W_IMPORT_NAME'],
    },
    {
      what: 'a name that leads out of the project',
      file: server([], [rendering({}, 'x')], '../../x'),
      lost: [],
      sent: ['x'],
      told: ['W_IMPORT_NAME'],
    },
    {
      what: 'a role of its own',
      file: server(
        [],
        [{ arguments: {}, messages: [{ role: 'root', content: { type: 'text', text: 'x' } }] }],
      ),
      lost: ['W_IMPORT_ROLE'],
    },
    {
      what: 'a resource that has a text',
      file: server(
        [],
        [{ arguments: {}, messages: [{ role: 'user', content: { type: 'resource', text: 'x' } }] }],
      ),
      lost: ['W_IMPORT_MEDIA'],
    },
    { what: 'no answer', file: server([], []), lost: ['W_IMPORT_MEDIA'] },
    {
      what: 'tags of other languages',
      file: server([], [rendering({}, '{{a}} {% if b %} $c $1')]),
      lost: [],
      sent: ['{{a}} {% if b %} $c $1'],
    },
  ]);
});
