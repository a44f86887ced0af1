import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const AGENT = '---\nname: x\ndescription: d\n---\nHi.\n';
const FILES = {
  'real/AGENTS.md': 'Be kind.\n',
  'real/notes.md': 'Be kind.\n',
  'other/.claude/agents/x.md': AGENT,
  'plain/agents/x.md': AGENT,
  'empty/agents/x.txt': 'no prompt\n',
};
const TARGETS = ['real/AGENTS.md', 'real/notes.md', 'other/.claude', 'plain', 'empty', 'nowhere', '../../..'];
const LINKS = ['AGENTS.md', 'docs/CLAUDE.md', '.claude/agents/y.md', '.claude', '.gemini'];

interface Found {
  readonly found: readonly { readonly path: string }[];
  readonly passed: readonly { readonly code: string; readonly severity: string; readonly file: string }[];
}

describe('what import does not look at', () => {
  itAlways('is told: a link that could hold a prompt, whatever it leads to', async () => {
    const listed = async (cwd: string): Promise<Found> =>
      JSON.parse((await cuebook(['import', '--json'], { cwd })).stdout);
    const own = new Set((await listed(folderWith(FILES))).found.map(({ path }) => path));
    for (const link of LINKS)
      for (const target of TARGETS) {
        const [linked, copied] = [folderWith(FILES), folderWith(FILES)];
        for (const cwd of [linked, copied]) mkdirSync(dirname(join(cwd, link)), { recursive: true });
        symlinkSync(target.startsWith('..') ? target : relative(dirname(link), target), join(linked, link));
        // What a link hides is what a copy in its place would show.
        const isThere = existsSync(join(copied, target)) && !target.startsWith('..');
        if (isThere) cpSync(join(copied, target), join(copied, link), { recursive: true });
        const hidden = (await listed(copied)).found.map(({ path }) => path).filter((path) => !own.has(path));
        const isKnown = hidden.every((path) => own.has(target + path.slice(link.length)));
        const { found, passed } = await listed(linked);
        expect(new Set(found.map(({ path }) => path))).toEqual(own);
        const expected = !isThere ? ['warning'] : hidden.length === 0 ? [] : [isKnown ? 'info' : 'warning'];
        const told = passed.filter(({ file }) => file === link).map(({ severity }) => severity);
        expect(told, `${link} to ${target}`).toEqual(expected);
      }
  });

  it('is told of an import too, and a link that is named is imported', async () => {
    const cwd = folderWith({ 'notes.md': 'Be kind.\n', 'AGENTS.md': 'Be brief.\n' });
    symlinkSync('notes.md', join(cwd, 'CLAUDE.md'));
    symlinkSync('AGENTS.md', join(cwd, 'GEMINI.md'));
    const all = await cuebook(['import', '.'], { cwd });
    expect(all.code).toBe(1);
    expect(all.stdout).toContain('CLAUDE.md warning W_IMPORT_PASSED');
    expect(all.stdout).toContain('GEMINI.md info W_IMPORT_PASSED A link to AGENTS.md');
    const named = await cuebook(['import', 'CLAUDE.md'], { cwd });
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('+ sheets/claude.yaml')]);
    // Of one format, a link with the name of another is not told.
    const agents = await cuebook(['import', 'agents-md'], { cwd });
    expect([agents.code, agents.stdout]).toEqual([0, expect.not.stringContaining('CLAUDE.md')]);
  });

  it('is told: a name that no path can spell, in a folder of a tool', async () => {
    const cwd = folderWith({ 'AGENTS.md': 'Be kind.\n', '.claude/agents/x.md': AGENT, 'src/a.md': '' });
    for (const folder of ['.claude/agents', 'src']) writeFileSync(join(cwd, folder, 'a\nb.md'), AGENT);
    const listed = await cuebook(['import', '--json'], { cwd });
    const { passed }: Found = JSON.parse(listed.stdout);
    expect(passed).toMatchObject([{ code: 'W_IMPORT_PASSED', severity: 'warning', file: '.claude/agents' }]);
    rmSync(join(cwd, '.claude'), { recursive: true });
    expect((await cuebook(['import', '.'], { cwd })).code).toBe(0);
  });
});
