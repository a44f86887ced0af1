import { describe, expect, it } from 'vitest';
import { readCases } from './case-file.js';

const FILE = 'agents/prompts/a.test.yaml';
const problems = (text: string, file = FILE): readonly string[] => {
  const read = readCases(file, text);
  return read.ok ? [] : read.diagnostics.map(({ line, message }) => `${line} ${message}`);
};

describe('a file of cases', () => {
  it('fills in what it says for all of them', () => {
    const read = readCases(
      FILE,
      `env: { A: a, B: b }
with: { accountEnv: { C: c } }
script: [{ text: one }]
cases:
  - { name: first, request: { contains: x } }
  - { name: second, env: { B: own }, script: [{ text: two }], answer: { equals: two } }
  - { name: third, provider: anthropic, model: m, answer: { equals: three } }
`,
    );
    if (!read.ok) throw new Error(read.diagnostics[0]?.message);
    expect(read.value).toMatchObject([
      { target: 'prompt:a', name: 'first', line: 5, env: { A: 'a', B: 'b' }, script: [{ text: 'one' }] },
      { env: { A: 'a', B: 'own' }, with: { accountEnv: { C: 'c' } }, script: [{ text: 'two' }] },
      { provider: 'anthropic', model: 'm' },
    ]);
    expect(read.value[2]).not.toHaveProperty('script');
  });

  const CASES: readonly (readonly [text: string, problem: string, file?: string])[] = [
    ['cases: []', '1 cases: at least one case is needed'],
    ['', '1 The document: Invalid input: expected object, received null'],
    ['cases:\n  - nam: x\n', '2 cases[0].name: a name is needed'],
    ['cases:\n  - { name: x, reqest: {} }', '2 "reqest" is not a key here. Did you mean "request"?'],
    [
      'cases:\n  - name: x\n    request:\n      contain: y',
      '4 "contain" is not a key here. Did you mean "contains"?',
    ],
    [
      'cases:\n  - name: x\n    request: { contains: 7 }',
      '3 cases[0].request.contains: a text or a list of texts is needed',
    ],
    ['cases:\n  - { name: x, request: {} }\n  - { name: x, request: {} }', '3 Two cases are called "x"'],
    ['cases:\n  - { name: x }', '2 It expects nothing: write request, answer or both'],
    ['cases:\n  - { name: x, answer: {} }', '2 An answer needs somebody who gives it: script or provider'],
    ['cases:\n  - { name: x, input: a, args: {}, request: {} }', '2 input and args exclude each other'],
    [
      'cases:\n  - { name: x, script: [{}], provider: p, answer: {} }',
      '2 script and provider exclude each other',
    ],
    ['cases:\n  - { name: x, model: m, request: {} }', '2 model needs a provider'],
    [
      'cases:\n  - { name: x, script: [{}], request: { refused: E_INPUT }, answer: {} }',
      '2 What is refused has no answer',
    ],
    [
      'cases:\n  - { name: x, request: { hash: abc } }',
      '2 cases[0].request.hash: sha256: and 64 digits are needed',
    ],
    [
      'cases:\n  - { name: x, request: {}, conversation: [{ robot: hi }] }',
      '2 cases[0].conversation[0]: a message is { user }, { assistant, calls } or { tool, callId }',
    ],
    [
      'cases:\n  - { name: x, request: {} }',
      '1 Say what is tested: target: prompt:NAME. Only beside a prompt, an agent or a scenario it is known',
      'tests/a.test.yaml',
    ],
    ['cases: [\n', '2 Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ];

  const WHOLE = CASES.map(([text, problem, file = FILE]) => ({ text, problem, file }));

  it.each(WHOLE)('tells what is wrong with it, with its line: $text', ({ text, problem, file }) => {
    expect(problems(text, file)).toContain(problem);
  });

  it('is about what it stands beside', () => {
    const targets = ['agents/prompts/a.b.test.yaml', 'agents/agents/desk.test.yml'].map((file) => {
      const read = readCases(file, 'cases: [{ name: x, request: {} }]');
      return read.ok ? read.value[0]?.target : undefined;
    });
    expect(targets).toEqual(['prompt:a.b', 'agent:desk']);
  });
});
