import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeScratch, must, outcome, photograph, plant, WAYS } from '../../test/scratch.js';
import { openFolder } from '../files.js';

describe.each(WAYS)('%s: where a path leads', (_way, options) => {
  it.each([
    ['a/b.md', 'a/b.md'],
    ['./a/../a//b.md', 'a/b.md'],
    ['link/b.md', 'a/b.md'],
    ['link/new/deep.md', 'a/new/deep.md'],
    ['dangling', 'a/nobody'],
    ['dangling/below', 'a/nobody/below'],
    ['a/up', 'top.md'],
    ['none/at/all', 'none/at/all'],
    ['.', '.'],
  ])('%s: %s', async (path, place) => {
    const { root } = await makeScratch(options);
    plant(root, { 'a/b.md': 'x', 'top.md': 'y' });
    symlinkSync('a', join(root, 'link'));
    symlinkSync('a/nobody', join(root, 'dangling'));
    symlinkSync('../top.md', join(root, 'a', 'up'));
    const folder = must(await openFolder(root, options));
    expect(must(await folder.leadsTo(path))).toBe(place);
  });

  it.each(['out', 'out/a.md', 'out/new.md', 'hop/a.md', '../outside'])('refuses %s', async (path) => {
    const { root, outside } = await makeScratch(options);
    symlinkSync(outside, join(root, 'out'));
    symlinkSync('out', join(root, 'hop'));
    const folder = must(await openFolder(root, options));
    expect(outcome(await folder.leadsTo(path))).toContain('E_SANDBOX_VIOLATION');
  });
});

describe.each(WAYS)('%s: a tree', (_way, options) => {
  it('is removed with all in it, and nothing that its links lead to', async () => {
    const { root, outside } = await makeScratch(options);
    plant(root, { 'old/a/b.md': 'x', 'old/c.md': 'y', 'kept.md': 'z' });
    symlinkSync(outside, join(root, 'old', 'a', 'out'));
    const folder = must(await openFolder(root, options));
    must(await folder.removeTree('old'));
    must(await folder.removeTree('old'));
    must(await folder.removeTree('never/was'));
    expect(photograph(root)).toEqual({ 'kept.md': 'z' });
    expect(existsSync(join(outside, 'a.md'))).toBe(true);
  });

  it.each([
    ['link', 'E_NOT_A_DIRECTORY'],
    ['link/deeper', 'E_SANDBOX_VIOLATION'],
    ['file', 'E_NOT_A_DIRECTORY'],
    ['.', 'E_READ_ONLY'],
  ])('that is %s stays: %s', async (path, code) => {
    const { root, outside } = await makeScratch(options);
    mkdirSync(join(outside, 'deeper'));
    plant(root, { file: 'x' });
    symlinkSync(outside, join(root, 'link'));
    const folder = must(await openFolder(root, options));
    expect(outcome(await folder.removeTree(path))).toContain(code);
    expect(existsSync(join(outside, 'deeper'))).toBe(true);
  });

  it('stays where a mount is read-only or protects a part', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'logs/a': 'x', 'b/c': 'y' });
    expect(outcome(await files.removeTree('@pkg/b'))).toBe('E_READ_ONLY');
    expect(outcome(await files.removeTree('@project/b'))).toBe('E_READ_ONLY');
    expect(photograph(root)).toMatchObject({ 'b/c': 'y', 'logs/a': 'x' });
  });

  it('says what it takes on the disk', async () => {
    const { root, outside } = await makeScratch(options);
    plant(outside, { big: 'x'.repeat(1_000_000) });
    plant(root, { 'a/b.md': 'x'.repeat(20_000), 'a/c/d.md': 'y' });
    symlinkSync(outside, join(root, 'a', 'out'));
    const folder = must(await openFolder(root, options));
    const use = must(await folder.diskUse());
    expect(use).toMatchObject({ files: 3, complete: true });
    expect(use.bytes).toBeGreaterThanOrEqual(20_000);
    expect(use.bytes).toBeLessThan(500_000);
    expect(outcome(await folder.diskUse('nowhere'))).toBe('E_FILE_NOT_FOUND');
  });
});
