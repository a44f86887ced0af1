import { json, type LargeFile, list } from './large-file.js';

/** Files that hold cases beside their prompts: GitHub Models, promptfoo. */
export const CASES: readonly LargeFile[] = [
  {
    reader: 'github-models',
    what: 'messages',
    path: 'p.prompt.yml',
    text: (n) => `messages:\n${'  - role: user\n    content: Hi {{a}}\n'.repeat(n)}`,
  },
  {
    reader: 'github-models',
    what: 'test data',
    path: 'p.prompt.yml',
    text: (n) =>
      `messages:\n  - role: user\n    content: Hi {{a}}\ntestData:\n${'  - a: b\n    expected: c\n'.repeat(n)}evaluators:\n  - name: x\n    string:\n      contains: c\n`,
  },
  {
    reader: 'github-models',
    what: 'evaluators',
    path: 'p.prompt.yml',
    text: (n) =>
      `messages:\n  - role: user\n    content: Hi {{a}}\ntestData:\n${'  - a: b\n    expected: c\n'.repeat(10)}evaluators:\n${'  - name: x\n    string:\n      contains: c\n'.repeat(n)}`,
  },
  {
    reader: 'promptfoo',
    what: 'prompts',
    path: 'promptfooconfig.yaml',
    text: (n) => json({ prompts: list(n, (i) => `Hi ${i} {{a}}`) }),
  },
  {
    reader: 'promptfoo',
    what: 'tests',
    path: 'promptfooconfig.yaml',
    text: (n) =>
      json({
        prompts: ['Hi {{a}}'],
        tests: list(n, (i) => ({ vars: { a: `x${i}` }, assert: [{ type: 'contains', value: 'y' }] })),
      }),
  },
  {
    reader: 'promptfoo',
    what: 'asserts',
    path: 'promptfooconfig.yaml',
    text: (n) =>
      json({
        prompts: ['Hi {{a}}'],
        tests: [{ vars: { a: 'x' }, assert: list(n, () => ({ type: 'similar', value: 'y' })) }],
      }),
  },
  {
    reader: 'promptfoo',
    what: 'variables',
    path: 'promptfooconfig.yaml',
    text: (n) =>
      json({ prompts: ['Hi {{a}}'], tests: [{ vars: Object.fromEntries(list(n, (i) => [`v${i}`, 'x'])) }] }),
  },
];
