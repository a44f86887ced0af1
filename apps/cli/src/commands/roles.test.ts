import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_ROLES } from '@cuebook/team/profiles';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const OWN = `[template]
name = "tester"
version = "3"
capabilities = ["run_commands", "edge_management_self"]
constraints = ["read_only"]

# Tester
`;

const project = (files: Readonly<Record<string, string>> = {}) =>
  folderWith({ 'cuebook.yaml': '', 'docs/templates/tester.md': OWN, ...files });

describe('cuebook roles', () => {
  it('shows every template with its preamble as it is read', async () => {
    const cwd = project();
    const { code, stdout } = await cuebook(['roles', '--json'], { cwd });
    expect(code).toBe(0);
    const { roles } = JSON.parse(stdout) as { roles: { name: string }[] };
    expect(roles.map(({ name }) => name)).toEqual([...Object.keys(SHIPPED_ROLES), 'tester'].sort());
    expect(roles.find(({ name }) => name === 'tester')).toEqual({
      ...{ name: 'tester', version: '3', source: 'repository', file: 'docs/templates/tester.md' },
      ...{
        capabilities: ['run_commands', 'edge_management_self'],
        constraints: ['read_only'],
        edges: 'self',
      },
      diagnostics: [],
    });
    expect((await cuebook(['roles'], { cwd })).stdout).toContain(
      'tester  version 3 · docs/templates/tester.md · can run_commands, edge_management_self · must read_only\n',
    );
    expect((await cuebook(['roles', 'show', 'tester'], { cwd })).stdout).toMatch(
      /^role +tester\nversion +3\nfrom +docs\/templates\/tester\.md\n[\s\S]*edges +self\n[\s\S]*# Tester\n$/,
    );
  });

  it('says with its line what is wrong with a preamble, and shows the rest', async () => {
    const cwd = project({ 'docs/templates/broken.md': '[template]\nname = "other"\n\n# Broken\n' });
    const { code, stdout } = await cuebook(['roles'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/docs\/templates\/broken\.md:2:1 error E_ROLE/);
    expect(stdout).toContain('tester  version 3');
  });

  it('writes shipped templates as files to start from, which then count, and never over one', async () => {
    const cwd = project({ 'docs/templates/planner.md': 'mine\n' });
    const { code, stdout } = await cuebook(['roles', 'write', 'planner', 'reviewer'], { cwd });
    expect([code, stdout]).toEqual([
      0,
      '+ docs/templates/reviewer.md\n= docs/templates/planner.md  is there already, and stays as it is\n',
    ]);
    expect(readFileSync(join(cwd, 'docs/templates/reviewer.md'), 'utf8')).toBe(SHIPPED_ROLES.reviewer);
    expect(readFileSync(join(cwd, 'docs/templates/planner.md'), 'utf8')).toBe('mine\n');
    const shown = await cuebook(['roles', 'show', 'reviewer', '--json'], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({ source: 'repository', text: SHIPPED_ROLES.reviewer });
    expect((await cuebook(['roles', 'write', '--json'], { cwd })).code).toBe(0);
    expect(
      Object.keys(SHIPPED_ROLES).every((name) => existsSync(join(cwd, `docs/templates/${name}.md`))),
    ).toBe(true);
    expect((await cuebook(['check', 'role:reviewer'], { cwd })).code).toBe(0);
  });

  it.each([
    [['roles', 'write', 'planer'], 'Did you mean planner?'],
    [['roles', 'write', '__proto__'], 'No shipped role'],
    [['roles', 'sho'], 'Did you mean show?'],
    [['roles', 'show'], 'roles show NAME'],
    [['roles', 'show', '../x'], 'E_ROLE_NAME'],
  ])('%j says what is wrong', async (args, words) => {
    const { code, stderr } = await cuebook(args, { cwd: project() });
    expect(stderr).toContain(words);
    expect(code).not.toBe(0);
  });
});
