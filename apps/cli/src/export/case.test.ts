import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEET = `title: Greets
inputs:
  name: { trust: operator, secrecy: public, volatility: turn, example: Eve }
  tone: { trust: operator, secrecy: public, volatility: turn, required: false }
blocks:
  - { name: m, role: user, parts: [{ text: "Greet " }, { input: name }, { text: ". " }, { input: tone }] }
`;
const CASES = `target: sheet:greet
provider: openai
model: gpt-5
cases:
  - name: greets
    with: { set: { name: "Ada\\n" } }
    answer: { contains: Ada, absent: [Bob], startsWith: Dear, words: { max: 9 } }
  - name: the example
    request: { contains: Greet }
  - name: scripted
    script: [{ text: hi }]
    answer: { equals: hi }
`;
const FILES = { 'sheets/greet.yaml': SHEET, 'tests/greet.test.yaml': CASES, 'cuebook.yaml': '' };

interface Config {
  readonly providers?: readonly string[];
  readonly tests: readonly {
    readonly description: string;
    readonly vars?: object;
    readonly assert?: object[];
  }[];
}

describe('cuebook export --to promptfoo', () => {
  it('writes the cases of the target as tests, and names what is lost', async () => {
    const cwd = folderWith(FILES);
    const { code, stdout } = await cuebook(['export', 'sheet:greet', '--to', 'promptfoo', '--json'], { cwd });
    expect(code).toBe(0);
    const { texts, diagnostics } = JSON.parse(stdout);
    const config: Config = JSON.parse(texts[0].text);
    expect(config.providers).toEqual(['openai:chat:gpt-5']);
    expect(config.tests).toEqual([
      {
        description: 'greets',
        vars: { name: 'Ada\n\n' },
        assert: [
          { type: 'contains', value: 'Ada' },
          { type: 'not-contains', value: 'Bob' },
          { type: 'regex', value: '^\\s*Dear' },
        ],
      },
      { description: 'the example', vars: { name: 'Eve' } },
    ]);
    expect(
      diagnostics.map(({ code, message }: { code: string; message: string }) => `${code} ${message}`),
    ).toEqual([
      'W_EXPORT_LOST sheet:greet: the case "greets": the format has no form for its check "words"',
      'W_EXPORT_LOST sheet:greet: the case "the example": the format has no place for its request.contains',
      'W_EXPORT_LOST sheet:greet: the case "scripted": the format has no place for its script; it was left out',
    ]);
  });

  it('gives the same tests again after it was imported', async () => {
    const cwd = folderWith(FILES);
    const out = 'evals/promptfooconfig.json';
    expect((await cuebook(['export', 'sheet:greet', '--to', 'promptfoo', '--out', out], { cwd })).code).toBe(
      0,
    );
    const first = readFileSync(join(cwd, out), 'utf8');
    const other = folderWith({ [out]: first, 'cuebook.yaml': '' });
    const imported = await cuebook(['import', 'promptfoo', '--trust', 'operator'], { cwd: other });
    expect(imported.code, imported.stdout).toBe(0);
    expect((await cuebook(['check'], { cwd: other })).code).toBe(0);
    const second = await cuebook(['export', 'sheet:evals', '--to', 'promptfoo', '--json'], { cwd: other });
    const testsOf = (text: string) => (JSON.parse(text) as Config).tests;
    expect(testsOf(JSON.parse(second.stdout).texts[0].text)).toEqual(testsOf(first));
  });

  it('refuses a file of cases that cannot be read, and leaves out what --set changes', async () => {
    const broken = folderWith({ ...FILES, 'tests/x.test.yaml': 'cases: 3\n' });
    const refused = await cuebook(['export', 'sheet:greet', '--to', 'promptfoo'], { cwd: broken });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('tests/x.test.yaml');
    const cwd = folderWith(FILES);
    const set = await cuebook(['export', 'sheet:greet', '--to', 'promptfoo', '--set', 'name=Bo', '--json'], {
      cwd,
    });
    expect(JSON.parse(JSON.parse(set.stdout).texts[0].text).tests).toBeUndefined();
    expect(set.stdout).toContain('which --set gives');
  });
});
