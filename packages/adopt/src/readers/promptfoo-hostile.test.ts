import { describe } from 'vitest';
import { holds } from '../../test/hostile-rows.js';
import { promptfooReader } from './promptfoo.js';

const files: Readonly<Record<string, string>> = {
  'e/a.txt': 'From a file',
  'e/table.txt': '| a |\n|---|\n| b |',
  'e/etc/passwd.txt': 'not meant',
  'e/chat.json': '[{"role": "user", "content": "x", "name": "Ada"}]',
};

describe('hostile files', () => {
  const tests = (test: object) => ({ prompts: ['Hi {{a}}'], tests: [test] });
  holds(
    promptfooReader,
    'e/promptfooconfig.yaml',
    [
      { what: 'a path without a scheme', file: 'prompts: [a.txt]', lost: [], sent: ['From a file'] },
      { what: 'a path that is not here', file: 'prompts: [b.txt]', lost: ['W_IMPORT_REFERENCE'] },
      {
        what: 'a path out of the project',
        file: 'prompts: [file://../../etc/passwd.txt]',
        lost: ['W_IMPORT_REFERENCE'],
      },
      {
        what: 'a path from the top of the disk',
        file: 'prompts: [file:///etc/passwd.txt]',
        lost: ['W_IMPORT_REFERENCE'],
      },
      { what: 'a program', file: 'prompts: [file://a.py:run, exec.js]', lost: ['W_IMPORT_REFERENCE'] },
      {
        what: 'dashes inside of a line of a file',
        file: 'prompts: [file://table.txt]',
        lost: [],
        sent: ['| a |\n|---|\n| b |'],
        told: ['W_IMPORT_DIALECT'],
      },
      {
        what: 'a name beside a message of a file',
        file: 'prompts: [file://chat.json]',
        lost: ['W_IMPORT_KEY'],
        sent: ['x'],
      },
      {
        what: 'settings of a prompt',
        file: { prompts: [{ raw: 'x', config: { temperature: 1 } }] },
        lost: ['W_IMPORT_KEY'],
        sent: ['x'],
      },
      { what: 'JSON that is no chat', file: { prompts: ['{"q": "{{a}}"}'] }, lost: ['W_IMPORT_DIALECT'] },
      { what: 'a list that is no chat', file: { prompts: ['["{{a}}"]'] }, lost: ['W_IMPORT_DIALECT'] },
      {
        what: 'a chat with a key twice',
        file: { prompts: ['[{"role":"user","role":"system","content":"x"}]'] },
        lost: ['W_IMPORT_DIALECT'],
      },
      {
        what: 'a chat only when it is filled',
        file: { prompts: ['[{"role":"user","content":{{a}}}]'] },
        lost: ['W_IMPORT_DIALECT'],
      },
      {
        what: 'a chat in YAML',
        file: { prompts: ['- role: user\n  content: x'] },
        lost: ['W_IMPORT_DIALECT'],
      },
      {
        what: 'text in brackets',
        file: { prompts: ['[INST] {{a}} [/INST]'] },
        lost: [],
        sent: ['[INST] A [/INST]'],
      },
      { what: 'the environment', file: { prompts: ['{{ env.HOME }}'] }, lost: ['W_IMPORT_HELPER'] },
      {
        what: 'a call',
        file: { prompts: ['{{ a.constructor.constructor("x")() }}'] },
        lost: ['W_IMPORT_HELPER'],
      },
      { what: 'a block that is not closed', file: { prompts: ['{% if a %}x'] }, lost: ['W_IMPORT_SECTION'] },
      { what: 'a tag that is not closed', file: { prompts: ['x {{ a'] }, lost: ['E_IMPORT_SYNTAX'] },
      { what: 'a list that holds itself', file: 'prompts: &a [*a]', lost: ['E_IMPORT_SYNTAX'] },
      {
        what: 'aliases without measure',
        file: `${Array.from(
          { length: 12 },
          (_, i) =>
            `a${i}: &a${i} [${Array(9)
              .fill(i === 0 ? 'x' : `*a${i - 1}`)
              .join(', ')}]`,
        ).join('\n')}\nprompts: [x]`,
        lost: ['E_IMPORT_SYNTAX'],
      },
      { what: 'a key twice', file: 'prompts: [x]\nprompts: [y]', lost: ['E_IMPORT_SYNTAX'] },
      { what: 'half of a character', file: 'prompts: ["\\ud800"]', lost: ['E_IMPORT_SYNTAX'] },
      { what: 'two documents', file: 'prompts: [x]\n---\nprompts: [y]', lost: ['E_IMPORT_SYNTAX'] },
      { what: 'no prompts', file: 'description: x', lost: ['W_IMPORT_EMPTY'] },
      { what: 'prompts that are a map', file: 'prompts: {a.txt: label}', lost: ['W_IMPORT_REFERENCE'] },
      { what: 'an empty prompt', file: { prompts: [''] }, lost: ['W_IMPORT_EMPTY'] },
      {
        what: 'providers with settings',
        file: { prompts: ['x'], providers: [{ id: 'openai:m', config: { apiKey: 'sk-1' } }] },
        lost: ['W_IMPORT_KEY'],
        sent: ['x'],
      },
      {
        what: 'options of a test',
        file: tests({ vars: { a: 'A' }, options: { suffix: 'obey' } }),
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'values in another file',
        file: tests({ vars: 'file://v.yaml' }),
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'a value that is a date elsewhere',
        file: 'prompts: ["Hi {{a}}"]\ntests: [{vars: {a: 2024-01-01}}]',
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'a value of YAML 1.1',
        file: 'prompts: ["Hi {{a}}"]\ntests: [{vars: {a: 0b11}}]',
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'a date in quotes',
        file: 'prompts: ["Hi {{a}}"]\ntests: [{vars: {a: "2024-01-01"}}]',
        lost: [],
        sent: ['Hi A'],
      },
      {
        what: 'a value that is a template',
        file: tests({ vars: { a: '{{b}}' } }),
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'a value with the name of a prototype',
        file: 'prompts: ["Hi {{a}}"]\ntests: [{vars: {__proto__: {a: x}}}]',
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'asserts that are no list',
        file: tests({ assert: { type: 'contains' } }),
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'an assert of something else',
        file: tests({ assert: [{ type: 'contains', value: 'x', transform: 'output.y' }] }),
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
      {
        what: 'a pattern that is none',
        file: tests({ assert: [{ type: 'regex', value: '(' }] }),
        lost: ['W_IMPORT_CASE'],
        sent: ['Hi A'],
      },
    ],
    files,
  );
});
