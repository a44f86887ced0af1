import { describe } from 'vitest';
import { holds } from '../../test/hostile-rows.js';
import { langchainReader } from './langchain.js';

const object = (name: string, kwargs: object, more: object = {}) => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'prompts', 'x', name] },
  kwargs,
  ...more,
});
const template = (text: string, more: object = {}) => object('PromptTemplate', { template: text, ...more });
const chat = (messages: readonly object[], more: object = {}) =>
  object('ChatPromptTemplate', { messages, ...more });
const human = (text: string, more: object = {}) =>
  object('HumanMessagePromptTemplate', { prompt: template(text), ...more });

describe('hostile files', () => {
  holds(langchainReader, 'p.json', [
    {
      what: 'a class of another package',
      file: object('PromptTemplate', { template: 'x' }, { id: ['evil', 'PromptTemplate'] }),
      lost: ['W_IMPORT_SECTION'],
    },
    {
      what: 'a secret with the name of a class',
      file: object('PromptTemplate', { template: 'x' }, { type: 'secret' }),
      lost: ['E_IMPORT_SYNTAX'],
    },
    {
      what: 'an inner template that is not implemented',
      file: chat([
        object('HumanMessagePromptTemplate', {
          prompt: object('PromptTemplate', { template: 'x' }, { type: 'not_implemented' }),
        }),
      ]),
      lost: ['W_IMPORT_MEDIA'],
    },
    {
      what: 'a template that looks like a message',
      file: chat([human('real', { content: 'false' })]),
      lost: ['W_IMPORT_KEY'],
      sent: ['real'],
    },
    {
      what: 'a message that looks like a template',
      file: chat([object('HumanMessage', { content: 'a {a}', prompt: template('x') })]),
      lost: ['W_IMPORT_KEY'],
      sent: ['a {a}'],
    },
    {
      what: 'calls of tools in a message',
      file: chat([object('AIMessage', { content: 'x', tool_calls: [{ name: 'rm' }] })]),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'a name beside a message',
      file: chat([object('HumanMessage', { content: 'x', name: 'root' })]),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'two prompts in a sequence',
      file: object('RunnableSequence', { first: template('one'), last: template('two') }),
      lost: ['W_IMPORT_SECTION'],
      sent: ['one'],
    },
    {
      what: 'settings bound to a model',
      file: object('RunnableBinding', { bound: template('x'), kwargs: { stop: ['y'], tools: [{}] } }),
      lost: ['W_IMPORT_KEY', 'W_IMPORT_TOOL'],
      sent: ['x'],
    },
    {
      what: 'a variable filled with a number',
      file: template('{a}', { partial_variables: { a: 5 } }),
      lost: ['W_IMPORT_DEFAULT'],
    },
    {
      what: 'a variable filled with a field',
      file: template('{{a.b}}', { template_format: 'mustache', partial_variables: { a: { b: 'x' } } }),
      lost: ['W_IMPORT_DEFAULT'],
    },
    {
      what: 'a dotted key beside mustache',
      file: template('{{a}}{{b.c}}', { template_format: 'mustache', partial_variables: { 'b.c': 'x' } }),
      lost: [],
      sent: ['AB.C'],
    },
    {
      what: 'a variable filled around the messages',
      file: chat([human('{a} {b}')], { partial_variables: { a: 'filled' } }),
      lost: [],
      sent: ['filled B'],
      told: ['W_IMPORT_DEFAULT'],
    },
    {
      what: 'a value that looks like a tag',
      file: template('{a}', { partial_variables: { a: '{b} {{b}}' } }),
      lost: [],
      sent: ['{b} {{b}}'],
    },
    {
      what: 'a placeholder without a name',
      file: chat([object('MessagesPlaceholder', {}), human('x')]),
      lost: ['W_IMPORT_PLACEHOLDER'],
    },
    {
      what: 'a placeholder that is cut',
      file: chat([
        object('MessagesPlaceholder', { variable_name: 'h', n_messages: 3, optional: true }),
        human('x'),
      ]),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'a placeholder with the name of a variable',
      file: chat([object('MessagesPlaceholder', { variable_name: 'a' }), human('{a}')]),
      lost: ['W_IMPORT_PLACEHOLDER'],
    },
    {
      what: 'a schema that is no map',
      file: object('StructuredPrompt', { messages: [human('x')], schema_: ['y'] }),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'settings of the hub',
      file: { manifest: template('x'), examples: [1], model_config: { temperature: 2 } },
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    { what: 'an f-string with a single brace', file: template('x } y'), lost: ['E_IMPORT_SYNTAX'] },
    { what: 'an f-string that is not closed', file: template('x { y'), lost: ['E_IMPORT_SYNTAX'] },
    {
      what: 'a name that every object has',
      file: template('{__proto__} {constructor}'),
      lost: ['W_IMPORT_NAME'],
    },
    { what: 'a format of Python', file: template('{a!r:>10}'), lost: ['W_IMPORT_NAME'] },
    {
      what: 'an attribute of Python',
      file: template('{a.__class__}'),
      lost: [],
      sent: ['A.__CLASS__'],
      told: ['W_IMPORT_DIALECT'],
    },
    {
      what: 'other delimiters of mustache',
      file: template('{{=<% %>=}}<% a %>', { template_format: 'mustache' }),
      lost: ['W_IMPORT_HELPER'],
    },
    {
      what: 'a section that is not closed',
      file: template('{{#a}}x', { template_format: 'mustache' }),
      lost: ['W_IMPORT_SECTION'],
    },
  ]);
});
