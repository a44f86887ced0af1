import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { WRITERS } from '@cuebook/adopt';
import fc from 'fast-check';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { takenPlaces } from './place.js';

const sheet = (words: string): string =>
  `title: ${words}\nblocks:\n  - name: a\n    role: system\n    parts: [{ text: "${words}.\\n" }]\n`;
const SHEETS = {
  'cuebook.yaml': '',
  'sheets/x.yaml': sheet('Be kind'),
  'sheets/b/x.yaml': sheet('Be brief'),
};
const WHOLE = ['claude-agent', 'skill', 'copilot'];

describe('a file of an export belongs to one target', () => {
  itAlways('no two targets are ever written to one file, but as regions', () => {
    const placed = fc.record({
      path: fc.constantFrom('AGENTS.md', 'agents.md', 'a/x.md', 'a/X.md', 'gr\u00f6.md', 'gro\u0308.md'),
      target: fc.constantFrom('sheet:a', 'sheet:b', 'sheet:c'),
      format: fc.constantFrom(...WRITERS.map(({ id }) => id)),
    });
    const isRegion = (format: string): boolean => format === 'agents-md' || format === 'claude';
    const key = (path: string): string => path.normalize('NFC').toLowerCase();
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 6 }), fc.array(placed, { maxLength: 6 }), (now, before) => {
        const taken = new Set(takenPlaces(now, before).map(([each]) => each));
        const left = [...before, ...now.filter((each) => !taken.has(each))];
        for (const [at, each] of now.entries()) {
          const others = [...before, ...now.slice(0, at)].filter(({ path }) => key(path) === key(each.path));
          const mayShare = others.every(({ format }) => isRegion(format) && isRegion(each.format));
          expect(taken.has(each)).toBe(!mayShare);
          if (!taken.has(each)) expect(left).toContain(each);
        }
      }),
      runs(1000, 20_000),
    );
  });

  itAlways.each(WHOLE)('two targets for one file are refused, and nothing is written: %s', async (to) => {
    const cwd = folderWith(SHEETS);
    const before = readdirSync(cwd);
    const refused = await cuebook(['export', 'sheet:x', 'sheet:b/x', '--to', to], { cwd });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('E_EXPORT_PLACE')]);
    expect(refused.stdout).toContain('sheet:b/x would replace sheet:x in this file');
    expect(readdirSync(cwd)).toEqual(before);
    // One after the other likewise, whatever may be replaced.
    expect((await cuebook(['export', 'sheet:x', '--to', to], { cwd })).code).toBe(0);
    const later = await cuebook(['export', 'sheet:b/x', '--to', to, '--overwrite'], { cwd });
    expect([later.code, later.stdout]).toEqual([1, expect.stringContaining('E_EXPORT_PLACE')]);
    const own = await cuebook(['export', 'sheet:b/x', '--to', to, '--out', 'docs/x.md'], { cwd });
    expect(own.code).toBe(0);
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(0);
  });

  it('a target that is named twice is exported once', async () => {
    const cwd = folderWith(SHEETS);
    const twice = await cuebook(['export', 'sheet:x', 'sheet:x', '--to', 'skill'], { cwd });
    expect([twice.code, twice.stdout]).toEqual([0, expect.stringContaining('1 file written')]);
  });

  it.each(['AGENTS.md', 'gone.md'])('nothing is written through a link to %s, nor beside it', async (to) => {
    const cwd = folderWith({ ...SHEETS, 'AGENTS.md': 'Mine.\n' });
    symlinkSync(to, join(cwd, 'CLAUDE.md'));
    const refused = await cuebook(['export', 'sheet:x', 'sheet:b/x', '--to', 'claude'], { cwd });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('is a symbolic link')]);
    expect(lstatSync(join(cwd, 'CLAUDE.md')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(cwd, 'cuebook.exports.json'))).toBe(false);
  });

  it('what is replaced is kept where git does not see it', async () => {
    const cwd = folderWith({ ...SHEETS, '.claude/agents/x.md': 'By hand.\n' });
    const over = await cuebook(['export', 'sheet:x', '--to', 'claude-agent', '--overwrite'], { cwd });
    expect([over.code, over.stdout]).toEqual([0, expect.stringContaining('.cuebook/replaced/')]);
    expect(readdirSync(join(cwd, '.cuebook')).sort()).toEqual(['.gitignore', 'replaced']);
  });
});
