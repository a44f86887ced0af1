import { expect, it } from 'vitest';
import { adopt, rendered } from '../../test/render.js';
import { githubModelsReader } from './github-models.js';

const FILE = `name: Summary
description: Sums up
model: openai/gpt-5
modelParameters: { temperature: 0.3 }
messages:
  - role: system
    content: |
      Be brief.
  - role: user
    content: "Sum up: {{input}}"
jsonSchema: '{"name": "out", "schema": {"type": "object"}}'
testData: [{ input: a, expected: b }]
evaluators: [{ name: x, string: { contains: b } }]
`;
const read = (text: string) => adopt(githubModelsReader, '.github/prompts/sum.prompt.yml', text);

it('a prompt file of GitHub Models becomes a sheet', async () => {
  const adopted = read(FILE);
  expect(adopted.sheets).toMatchObject([
    {
      name: 'sum',
      title: 'Sums up',
      params: { model: 'openai/gpt-5', temperature: 0.3 },
      answer: { name: 'out', schema: { type: 'object' } },
      meta: { name: 'Summary', testData: [{ input: 'a' }] },
    },
  ]);
  expect(adopted.diagnostics.map(({ code, severity, line }) => `${line} ${severity} ${code}`)).toEqual([
    '12 info W_IMPORT_CASE',
    '13 info W_IMPORT_CASE',
    '12 info W_IMPORT_KEY',
  ]);
  expect(adopted.cases).toEqual([
    {
      name: 'sum',
      target: 'sheet:sum',
      takes: 1,
      cases: [{ name: 'test 1', with: { set: { input: 'a' } }, answer: { matches: ['[bB]'] } }],
    },
  ]);
  expect(await rendered(adopted, { input: 'x {{y}}' })).toEqual([
    { role: 'system', content: 'Be brief.\n' },
    { role: 'user', content: 'Sum up: x {{y}}' },
  ]);
});

it.each([
  { what: 'a section', text: FILE.replace('{{input}}', '{{#if x}}'), at: '10:23', code: 'W_IMPORT_SECTION' },
  { what: 'no YAML', text: 'messages: [', at: '1:12', code: 'E_IMPORT_SYNTAX' },
  { what: 'a key twice', text: `${FILE}name: b\n`, at: '14:1', code: 'E_IMPORT_SYNTAX' },
])('what cannot be kept is named: $what', ({ text, at, code }) => {
  const { sheets, diagnostics } = read(text);
  expect(sheets).toEqual([]);
  expect(diagnostics.map((each) => `${each.line}:${each.column} ${each.code}`)).toContain(`${at} ${code}`);
});
