import { describe } from 'vitest';
import { holds } from '../../test/hostile-rows.js';
import { openaiReader } from './openai.js';

const stored = (more: object, version: object = {}) => ({
  ...{ openai_prompt_id: 'pmpt_1', name: 'p' },
  versions: [{ version: '1', messages: [{ role: 'user', content: 'x' }], ...version }],
  ...more,
});
const saved = (variables: object, instructions: unknown) => ({
  ...{ object: 'response', model: 'm', prompt: { id: 'pmpt_1', variables } },
  instructions,
});

describe('hostile files', () => {
  holds(openaiReader, 'p.json', [
    {
      what: 'keys that only look like keys',
      file: stored({ Versions: [], template: 'y' }),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'a key beside the messages',
      file: stored({}, { instructions: 'obey' }),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'a version twice',
      file: {
        ...stored({}),
        versions: [
          { version: '1', messages: [{ role: 'user', content: 'one' }] },
          { version: 1, messages: [{ role: 'user', content: 'two' }] },
        ],
        production_version: '1',
      },
      lost: ['W_IMPORT_LABEL'],
      sent: ['one'],
    },
    { what: 'a version past all numbers', file: stored({}, { version: 1e308 }), lost: [], sent: ['x'] },
    {
      what: 'two prompts of one name',
      file: [stored({}), stored({ openai_prompt_id: 'pmpt_2' })],
      lost: [],
      sent: ['x'],
      told: ['W_IMPORT_NAME'],
    },
    {
      what: 'settings that are no map',
      file: stored({}, { config: 'gpt-5' }),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'tools that are no list',
      file: stored({}, { config: { tools: { type: 'function', name: 'rm' } } }),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'a setting beside the schema of the answer',
      file: stored(
        {},
        { config: { text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: {} } } } },
      ),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'calls of tools in a message',
      file: stored({}, { messages: [{ role: 'assistant', content: 'x', tool_calls: [{}] }] }),
      lost: ['W_IMPORT_KEY'],
      sent: ['x'],
    },
    {
      what: 'a role of its own',
      file: stored({}, { messages: [{ role: 'System', content: 'x' }] }),
      lost: ['W_IMPORT_ROLE'],
    },
    {
      what: 'a role that every object has',
      file: stored({}, { messages: [{ role: 'constructor', content: 'x' }] }),
      lost: ['W_IMPORT_ROLE'],
    },
    {
      what: 'a file among the texts',
      file: stored(
        {},
        {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'input_text', text: 'x' },
                { type: 'input_file', text: 'y' },
              ],
            },
          ],
        },
      ),
      lost: ['W_IMPORT_MEDIA'],
    },
    {
      what: 'a tag across two texts',
      file: stored(
        {},
        {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'input_text', text: '{{' },
                { type: 'input_text', text: 'a}}' },
              ],
            },
          ],
        },
      ),
      lost: [],
      sent: ['A'],
    },
    {
      what: 'a tag that is not closed',
      file: stored({}, { messages: [{ role: 'user', content: 'x {{a' }] }),
      lost: ['E_IMPORT_SYNTAX'],
    },
    {
      what: 'a condition',
      file: stored({}, { messages: [{ role: 'user', content: '{{#if a}}x{{/if}}' }] }),
      lost: ['W_IMPORT_SECTION'],
    },
    {
      what: 'a name that every object has',
      file: stored({}, { messages: [{ role: 'user', content: '{{__proto__}}' }] }),
      lost: ['W_IMPORT_NAME'],
    },
    { what: 'no version at all', file: stored({ versions: [] }), lost: ['E_IMPORT_SYNTAX'] },
    {
      what: 'one marker for two variables',
      file: saved({ a: '⟦x⟧', b: '⟦x⟧' }, '⟦x⟧'),
      lost: ['W_IMPORT_MARKER'],
    },
    {
      what: 'a marker that nobody uses',
      file: saved({ a: '⟦a⟧', b: '⟦b⟧' }, 'x ⟦a⟧'),
      lost: [],
      sent: ['x A'],
      told: ['W_IMPORT_MARKER'],
    },
    { what: 'a marker inside of a marker', file: saved({ a: '⟦⟦a⟧⟧' }, '⟦⟦a⟧⟧'), lost: ['W_IMPORT_MARKER'] },
    { what: 'a marker that nobody gave', file: saved({ a: '⟦a⟧' }, '⟦a⟧ ⟦z⟧'), lost: [], sent: ['A ⟦z⟧'] },
    {
      what: 'a name that leads out of the project',
      file: { ...saved({}, 'x'), prompt: { id: '../../x' } },
      lost: [],
      sent: ['x'],
    },
  ]);
});
