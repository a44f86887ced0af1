import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEET = (...parts: string[]): string =>
  `blocks:\n  - name: a\n    role: user\n    parts:\n${parts.map((part) => `      - ${part}\n`).join('')}`;

describe('a look at nothing', () => {
  it.each([
    { what: 'an empty project', args: ['check'] },
    { what: 'a file that is part of no target', args: ['check', 'notes.md'] },
  ])('is told as that, with exit code and JSON: $what', async ({ args }) => {
    const cwd = folderWith({ 'cuebook.yaml': '', 'notes.md': 'x' });
    const { code, stdout } = await cuebook(args, { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^error E_NO_TARGET There is nothing to check/m);
    expect(stdout).not.toContain('✓');
    const json = JSON.parse((await cuebook([...args, '--json'], { cwd })).stdout);
    expect(json).toMatchObject({ ok: false, diagnostics: [{ code: 'E_NO_TARGET' }] });
  });

  it('is not one when the only target does not load, or the file is the configuration', async () => {
    const broken = folderWith({ 'sheets/a.yaml': 'blocks: 3\n' });
    const { code, stdout } = await cuebook(['check'], { cwd: broken });
    expect(code).toBe(1);
    expect(stdout).not.toContain('E_NO_TARGET');
    const config = folderWith({ 'cuebook.yaml': 'names: []\n', 'sheets/a.yaml': SHEET('text: Hi.') });
    expect((await cuebook(['check', 'cuebook.yaml'], { cwd: config })).code).toBe(0);
  });
});

describe('check FILE', () => {
  const cwd = (): string =>
    folderWith({
      'cuebook.yaml': 'colour: red\n',
      'sheets/a.yaml': SHEET('include: b'),
      'sheets/other.yaml': 'blocks: 3\n',
      'texts/b.yaml': 'parts:\n  - include: c\n',
      'texts/c.yaml': 'parts: none\n',
      'texts/alone.md': 'x',
    });

  it.each(['sheets/a.yaml', 'texts/b.yaml', 'texts/c.yaml'])(
    'fails for what it includes or is included by, at any depth: %s',
    async (file) => {
      const { code, stdout } = await cuebook(['check', file], { cwd: cwd() });
      expect(code).toBe(1);
      expect(stdout).toMatch(/^texts\/c\.yaml:1:\d+ error E_SHEET /m);
      expect(stdout).not.toContain('sheets/other.yaml');
      expect(stdout).not.toContain('colour');
      expect(stdout).toContain('1 target: sheet:a');
    },
  );

  it('tells only of the file where no target has it', async () => {
    const { code, stdout } = await cuebook(['check', 'texts/alone.md'], { cwd: cwd() });
    expect(code).toBe(2);
    expect(stdout).toContain('E_NO_TARGET');
    expect(stdout).not.toContain('E_SHEET');
  });
});

describe('settings of kinds that the project does not have', () => {
  it.each([
    ['workflow: { maxTurns: many }', 'E_CONFIG'],
    ['"workflow": { tool: {} }', 'E_CONFIG'],
    ['provider: nobody', 'E_PROVIDER_CONFIG'],
    ['{ providers: { x: { kind: odd } } }', 'E_PROVIDER_CONFIG'],
    ['telemetry: maybe', 'E_PROVIDER_CONFIG'],
  ])('are looked at: %s', async (config, code) => {
    const cwd = folderWith({ 'cuebook.yaml': `${config}\n`, 'sheets/a.yaml': SHEET('text: Hi.') });
    const { stdout, code: exit } = await cuebook(['check'], { cwd });
    expect(exit).toBe(1);
    expect(stdout).toContain(`error ${code} `);
  });
});

describe('credentials', () => {
  const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;
  const WORDS = ['password: correct-horse-7-staple', `token ${SECRET}`];

  it.each(inTurn(WORDS, 4))(
    'in texts of every kind are told with their place, and not printed: %s',
    async (words) => {
      const cwd = folderWith({
        'sheets/a.yaml': SHEET(`text: "Say ${words}\\n"`, 'include: t'),
        'texts/t.md': `One.\nTwo ${words}\n`,
        'manifests/m.yaml': `apiVersion: kagent.dev/v1alpha2\nkind: Agent\nmetadata: { name: x }\nspec:\n  declarative:\n    systemMessage: |\n      {{if false}}{{include "p/k"}}{{end}}\n    promptTemplate: { dataSources: [{ kind: ConfigMap, name: p }] }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: p }\ndata:\n  k: |\n    See ${words}\n`,
        'docs/templates/tester.md': `[template]\nname = "tester"\nversion = "1"\ncapabilities = []\nconstraints = []\n\nUse ${words}\n`,
        'team.yaml': `goal: "Do it: ${words}"\nmode: INTERACTIVE\nnodes: [{ alias: A, role: planner, override: "With ${words}" }]\n`,
        'agents/models/m.ts': `export default { name: 'm', provider: 'rehearsal', model: 'x' };\n`,
        'agents/prompts/p.ts': `const pattern = /["'{]/;\nexport default {\n  name: 'p', toolDescription: 'P', model: 'm',\n  prompt: 'Hold ${words}',\n};\n`,
      });
      const { code, stdout } = await cuebook(['check'], { cwd });
      expect(code).toBe(0);
      for (const place of [
        'sheets/a.yaml:5:',
        'texts/t.md:2:',
        'manifests/m.yaml:15:',
        'docs/templates/tester.md:7:',
        'team.yaml:1:',
        'team.yaml:3:',
        'agents/prompts/p.ts:4:',
      ]) {
        expect(stdout).toMatch(
          new RegExp(`^${place.replaceAll('.', '\\.')}\\d+ warning W_REDACTED A credential`, 'm'),
        );
      }
      expect(stdout).not.toContain(SECRET);
      expect(stdout).not.toContain('correct-horse');
      const rendered = await cuebook(['render', 'sheet:a', '--json'], { cwd });
      const { diagnostics } = JSON.parse(rendered.stdout);
      expect(diagnostics).toMatchObject([
        { code: 'W_REDACTED', file: 'sheets/a.yaml', line: 5 },
        { code: 'W_REDACTED', file: 'texts/t.md', line: 2 },
      ]);
    },
  );
});
