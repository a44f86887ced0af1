import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { corePieces, printed, values, wildTemplate } from '../../test/arbitrary.js';
import { adopt, rendered } from '../../test/render.js';
import { handedIn } from '../../test/sections.js';
import { printFiles } from '../print-files.js';
import { promptfooReader } from './promptfoo.js';

/** The part of Nunjucks that is used; it comes without types. */
interface Engine {
  readonly renderString: (template: string, values: object) => string;
}
const { Environment } = createRequire(import.meta.url)('nunjucks') as {
  readonly Environment: new (loader: null, options: { readonly autoescape: boolean }) => Engine;
};
const engine = new Environment(null, { autoescape: false });
const read = (text: string, files: Record<string, string> = {}) =>
  adopt(promptfooReader, 'eval/promptfooconfig.yaml', text, {
    file: (path) => (path in files ? Buffer.from(files[path] ?? '') : undefined),
  });
const config = (prompt: string): string => JSON.stringify({ prompts: [`T${prompt}`] });

describe('prompts', () => {
  it('of the portable core render the bytes of Nunjucks', async () => {
    await fc.assert(
      fc.asyncProperty(corePieces, values, async (pieces, vars) => {
        const template = printed(pieces, (name) => `{{ ${name} }}`);
        const adopted = read(config(template));
        // One line break at the end of a value is told where there is a value.
        expect(adopted.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
        expect(await rendered(adopted, vars)).toEqual([
          { role: 'user', content: engine.renderString(`T${template}`, vars) },
        ]);
      }),
      runs(200, 2000),
    );
  });

  it('outside of it are refused or told, and never render other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(wildTemplate, async (template) => {
        const adopted = read(config(template));
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        const vars = { a: 'A', größe: 'G', _a: 'under' };
        const theirs = engine.renderString(`T${template}`, vars);
        expect(await rendered(adopted, handedIn(adopted, vars))).toEqual([{ role: 'user', content: theirs }]);
      }),
      runs(1000, 10_000),
    );
  });

  it('come from files, too, cut as promptfoo cuts them', async () => {
    const files = {
      'eval/a.txt': ' One {{x}} \n---\nTwo\n',
      'eval/b.json': '[{"role":"system","content":"S {{x}}"},{"role":"user","content":"U"}]',
    };
    const adopted = read('prompts: [file://a.txt, file://b.json, file://c.py, langfuse://x]\n', files);
    expect(adopted.sheets.map(({ name }) => name)).toEqual(['eval/1', 'eval/2', 'eval/3']);
    expect(await rendered(adopted, { x: 'X' }, 'eval/1')).toEqual([{ role: 'user', content: 'One X' }]);
    expect(await rendered(adopted, { x: 'X' }, 'eval/3')).toEqual([
      { role: 'system', content: 'S X' },
      { role: 'user', content: 'U' },
    ]);
    expect(
      adopted.diagnostics.filter(({ severity }) => severity === 'warning').map(({ code }) => code),
    ).toEqual(['W_IMPORT_REFERENCE', 'W_IMPORT_REFERENCE']);
  });
});

it('tests become cases, and what they cannot hold is named', () => {
  const adopted = read(`prompts: ["Hi {{name}}"]
providers: [openai:chat:gpt-5]
tests:
  - description: greets
    vars: { name: "Ada\\n" }
    assert:
      - { type: contains, value: Ada }
      - { type: icontains, value: a.B }
      - { type: llm-rubric, value: kind }
  - vars: { name: Bob }
defaultTest: {}
`);
  const file = printFiles(adopted).find(({ path }) => path.startsWith('tests/'));
  expect(file?.path).toBe('tests/eval.test.yaml');
  expect(adopted.cases[0]?.cases).toEqual([
    {
      name: 'greets',
      with: { set: { name: 'Ada' } },
      provider: 'openai',
      model: 'gpt-5',
      answer: { contains: ['Ada'], matches: ['[aA]\\.[bB]'] },
    },
    { name: 'test 2', with: { set: { name: 'Bob' } }, request: { snapshot: true } },
  ]);
  expect(adopted.diagnostics.map(({ code, line }) => `${line} ${code}`)).toEqual([
    '1 W_IMPORT_DIALECT',
    '9 W_IMPORT_CASE',
  ]);
});

describe('a value of a test', () => {
  it('is kept with the prompts that ask for it, and lost of none', () => {
    const { cases, diagnostics } = read(
      'prompts: ["Hi {{name}}", "{% if formal %}Good day{% endif %}, {{name}}"]\nproviders: openai:gpt-5\ntests:\n  - vars: { name: Ada, formal: true }\n    assert: [{ type: contains, value: Ada }]\n',
    );
    expect(cases.map(({ cases: [each] }) => each?.with)).toEqual([
      { set: { name: 'Ada' } },
      { set: { name: 'Ada', formal: 'true' } },
    ]);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

describe('what every test has by `defaultTest`', () => {
  const DEFAULT = `prompts: ["Hi {{name}} in {{language}}"]
providers: [openai:chat:gpt-5]
defaultTest:
  vars: { language: German, mood: good }
  assert:
    - { type: not-contains, value: sorry }
    - { type: llm-rubric, value: kind }
  options: { provider: x }
`;
  const casesIn = (tests: string) => read(DEFAULT + tests).cases[0]?.cases;
  const [from, voice] = ['German', { provider: 'openai', model: 'gpt-5' }];

  it('is in each of them, and a test says otherwise', () => {
    expect(
      casesIn(`tests:
  - vars: { name: Ada }
  - vars: { name: Bob, language: French }
    assert: [{ type: contains, value: Bob }]
  - vars: { name: Cy }
    options: { disableDefaultAsserts: true }
`),
    ).toEqual([
      {
        name: 'test 1',
        with: { set: { language: from, name: 'Ada' } },
        ...voice,
        answer: { absent: ['sorry'] },
      },
      {
        ...{ name: 'test 2', with: { set: { language: 'French', name: 'Bob' } }, ...voice },
        answer: { absent: ['sorry'], contains: ['Bob'] },
      },
      { name: 'test 3', with: { set: { language: from, name: 'Cy' } }, request: { snapshot: true } },
    ]);
  });

  it('makes a case where there is no test', () => {
    const [one, ...more] = casesIn('') ?? [];
    expect(more).toEqual([]);
    expect(one).toMatchObject({ with: { set: { language: from } }, answer: { absent: ['sorry'] } });
    expect(read('prompts: ["Hi"]\ndefaultTest: {}\n').cases).toEqual([]);
  });

  it('is named once, at its line, where it cannot be kept', () => {
    const { diagnostics } = read(`${DEFAULT}tests: [{ vars: { name: Ada } }, { vars: { name: Bob } }]\n`);
    const lost = diagnostics.filter(({ code }) => code === 'W_IMPORT_CASE');
    expect(lost.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '8 Not kept of the default test: "options"',
      '4 The value of "mood" is in no prompt that was imported; it was not kept',
      '7 An assert of type "llm-rubric" was not kept',
    ]);
    const elsewhere = read('prompts: ["Hi"]\ndefaultTest: file://d.yaml\ntests: [{}]\n').diagnostics;
    expect(elsewhere.map(({ message }) => message)).toContain(
      'The default test is in another file; it was not imported',
    );
  });
});

it('merge keys are followed, as promptfoo does, and what is not kept is named where it stands', () => {
  const adopted = read(`prompts: ["Hi {{name}} from {{town}}"]
tests:
  - vars: &base { name: Ada, town: Bern }
  - vars: { <<: *base, name: Bob }
  - vars: { <<: [{ town: Rome }, *base] }
    assert:
      - { type: contains, value: Ada }
      - type: contains
        value: "{{name}}"
      - { type: regex, value: a, threshold: 1 }
`);
  const sets = (adopted.cases[0]?.cases ?? []).map((each) => (each as { with: { set: object } }).with.set);
  expect(sets).toEqual([
    { name: 'Ada', town: 'Bern' },
    { name: 'Bob', town: 'Bern' },
    { name: 'Ada', town: 'Rome' },
  ]);
  const told = adopted.diagnostics.filter(({ code }) => code === 'W_IMPORT_CASE');
  expect(told.map(({ line, message }) => `${line} ${message}`)).toEqual([
    expect.stringMatching(/^8 .*: its value is a template$/),
    expect.stringMatching(/^10 .*, for its "threshold"$/),
    expect.stringMatching(/^3 The provider/),
  ]);
});
