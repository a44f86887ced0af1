import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');

describe('out and in again', () => {
  const SHEET =
    'params: { model: m }\ninputs:\n  a: { trust: operator, secrecy: public, volatility: turn, required: false }\n  b: { trust: operator, secrecy: public, volatility: turn, required: false }\nblocks:\n  - name: x\n    role: system\n    parts: [{ text: "Be " }, { input: a }, { text: ", {x} and \\\\ kind.\\n" }]\n  - name: y\n    role: user\n    parts: [{ input: b }, { input: a }, { text: "!" }]\n';

  it.each([
    { to: 'langfuse', file: 'out.json' },
    { to: 'langchain', file: 'out.json' },
    { to: 'dotprompt', file: 'out.prompt' },
  ])('is a fixed point: $to', async ({ to, file }) => {
    const first = folderWith({ 'sheets/p.yaml': SHEET });
    expect((await cuebook(['export', 'sheet:p', '--to', to, '--out', file], { cwd: first })).code).toBe(0);
    const second = folderWith({ 'cuebook.yaml': '', [file]: read(first, file) });
    expect(
      (await cuebook(['import', file, '--name', 'p', '--trust', 'operator'], { cwd: second })).code,
    ).toBe(0);
    const values = ['--set', 'a=A', '--set', 'b=B', '--json'];
    const [one, two] = await Promise.all(
      [first, second].map(
        async (cwd) => JSON.parse((await cuebook(['render', 'sheet:p', ...values], { cwd })).stdout).messages,
      ),
    );
    expect(two).toEqual(one);
    await cuebook(['export', 'sheet:p', '--to', to, '--out', `again-${file}`], { cwd: second });
    const third = folderWith({ 'cuebook.yaml': '', [file]: read(second, `again-${file}`) });
    await cuebook(['import', file, '--name', 'p', '--trust', 'operator'], { cwd: third });
    const withoutMeta = (cwd: string): string =>
      read(cwd, 'sheets/p.yaml').replace(/^meta:\n(?: .*\n)*/m, '');
    expect(withoutMeta(third)).toBe(withoutMeta(second));
  });
});

/** What stands in a repository, what it is exported as, and where that goes. */
const IN_AND_OUT = [
  {
    what: 'a text',
    path: 'CLAUDE.md',
    sheet: 'claude',
    to: 'claude',
    files: { 'CLAUDE.md': '# Rules\n\nBe kind.\n' },
  },
  {
    ...{ what: 'a text that includes files', path: 'CLAUDE.md', sheet: 'claude', to: 'claude' },
    files: { 'CLAUDE.md': 'See @docs/style.md first.\n\nBe kind.\n', 'docs/style.md': '- Short.\n' },
  },
  {
    ...{ what: 'a text of a folder', path: 'packages/api/AGENTS.md', sheet: 'packages/api/agents-md' },
    ...{ to: 'agents-md', files: { 'AGENTS.md': 'Root.\n', 'packages/api/AGENTS.md': 'Be kind.\r\n' } },
  },
  {
    ...{ what: 'an instruction', path: '.github/instructions/py.instructions.md', sheet: 'instructions/py' },
    to: 'copilot',
    files: {
      '.github/instructions/py.instructions.md':
        '---\napplyTo: "**/*.py"\ndescription: Python\n---\nBe kind.\n',
    },
  },
  {
    ...{ what: 'an agent', path: '.claude/agents/a.md', sheet: 'agents/a', to: 'claude-agent' },
    files: { '.claude/agents/a.md': "---\ndescription: 'Reads: all.'\nname: a\ncolor: red\n---\nBe kind.\n" },
  },
  {
    ...{ what: 'a rule', path: '.cursor/rules/r.mdc', sheet: 'rules/r', to: 'cursor' },
    files: { '.cursor/rules/r.mdc': '---\nglobs: *.py\ndescription: R\nalwaysApply: false\n---\nBe kind.\n' },
  },
];

describe.each(IN_AND_OUT)('$what, in and out and in again', ({ path, sheet, to, files }) => {
  it('stands once where it stood, and is imported no second time', async () => {
    const cwd = folderWith({ 'cuebook.yaml': '', ...files });
    const run = async (...args: string[]) => cuebook(args, { cwd });
    expect((await run('import', '.')).code).toBe(0);
    const made = read(cwd, `sheets/${sheet}.yaml`);
    const out = await run('export', `sheet:${sheet}`, '--to', to);
    expect([out.code, out.stdout]).toEqual([0, expect.stringContaining(` ${path}  sheet:${sheet}`)]);
    expect(read(cwd, path).match(/Be kind\./g)).toHaveLength(1);
    const replaced = /kept in (\S+)/.exec(out.stdout)?.[1];
    if (replaced !== undefined) expect(read(cwd, replaced)).toBe((files as Record<string, string>)[path]);
    expect((await run('export', '--check')).code).toBe(0);

    const again = await run('import', '.');
    expect([again.code, read(cwd, `sheets/${sheet}.yaml`)]).toEqual([0, made]);
    expect(again.stdout).toMatch(
      /info W_IMPORT_KEY Nothing to import: the file was exported from sheet:|already there/,
    );

    // A hand edit goes back to the source, and out again, and stays one.
    writeFileSync(join(cwd, path), read(cwd, path).replace('Be kind.', 'Be kind by hand.'));
    expect((await run('export')).stdout).toContain('E_EXPORT_EDITED');
    expect((await run('import', path)).stdout).toContain('E_IMPORT_EXISTS');
    expect((await run('import', path, '--update')).code).toBe(0);
    expect((await run('export', '--overwrite')).code).toBe(0);
    expect(read(cwd, path).match(/by hand/g)).toHaveLength(1);
    expect((await run('export', '--check')).code).toBe(0);
  });
});
