import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openFolder } from '../files.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('a folder of private state', () => {
  it('is left out of git where it is made, and one that was there stays as it was', async () => {
    const top = mkdtempSync(join(tmpdir(), 'cuebook-mount-'));
    folders.push(top);
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: top, encoding: 'utf8' });
    git('init', '--quiet');
    mkdirSync(join(top, 'there'));
    for (const name of ['made', 'there']) {
      const opened = await openFolder(join(top, name), { create: 'ignored' });
      expect(opened.ok).toBe(true);
      writeFileSync(join(top, name, 'key'), 'k');
      expect((await openFolder(join(top, name), { create: 'ignored' })).ok).toBe(true);
    }
    expect(git('status', '--short', '--untracked-files=all')).toBe('?? there/key\n');
    expect(readdirSync(join(top, 'there'))).toEqual(['key']);
  });
});
