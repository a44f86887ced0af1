import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { makeScratch, outcome, plant, SECRET, WAYS } from '../../test/scratch.js';
import { openFolder } from '../files.js';

describe.each(WAYS)('%s: reading many', (_way, options) => {
  it('answers for each path what reading it alone answers, in the order given', async () => {
    const { root, outside, files } = await makeScratch(options);
    plant(root, {
      'a.md': 'A',
      'd/b.md': '\uFEFFB',
      'd/c.md': '',
      'd/e/f.md': 'F',
      'd/g.md': 'G',
    });
    writeFileSync(join(root, 'd/bad.md'), new Uint8Array([0x61, 0xff]));
    writeFileSync(join(outside, 'secret.md'), SECRET);
    mkdirSync(join(root, 'd/folder'));
    execFileSync('mkfifo', [join(root, 'd/pipe')]);
    symlinkSync('b.md', join(root, 'd/inside'));
    symlinkSync(join(outside, 'secret.md'), join(root, 'd/leads-out'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync('d', join(root, 'link'));
    linkSync(join(root, 'a.md'), join(root, 'd/hard'));
    const names = [
      'b.md',
      'c.md',
      'e/f.md',
      'g.md',
      'bad.md',
      'folder',
      'pipe',
      'inside',
      'leads-out',
      'hard',
    ];
    const paths = [
      ...names.map((name) => `@project/d/${name}`),
      ...names.map((name) => `@project/link/${name}`),
      ...['@project/a.md', '@project', '@project/no.md', '@project/no/a.md', '@project/no/b.md'],
      ...['@project/out/secret.md', '@project/out/x.md', '@project/a.md/b', '@project/a.md/c'],
      ...['@pkg/d/b.md', '@pkg/d/g.md', '@nobody/a.md', '../a.md', '', '@project/d/b.md'],
    ];
    const many = await files.readTexts?.(paths);
    const alone = await Promise.all(paths.map((path) => files.readText(path)));
    expect(many).toEqual(alone);
    expect(JSON.stringify(many)).not.toContain(SECRET);
  });

  it('withholds what is withheld', async () => {
    const { root } = await makeScratch(options);
    plant(root, { 'd/a.md': 'A', 'd/.env': 'B' });
    const files = await openFolder(root, { ...options, withhold: { from: 'agent' } });
    if (!files.ok) throw new Error(files.error.code);
    const read = await files.value.readTexts?.(['d/a.md', 'd/.env']);
    expect(read?.map((each) => outcome(each))).toEqual(['ok', 'E_SANDBOX_VIOLATION withheld']);
  });

  it('gives nothing away when a directory is moved out and a link takes its place', async () => {
    let isMoved = false;
    const scratch = await makeScratch({
      ...options,
      fault: () => {
        if (isMoved) return;
        isMoved = true;
        renameSync(join(scratch.root, 'd'), join(scratch.root, 'old'));
        symlinkSync(scratch.outside, join(scratch.root, 'd'));
      },
    });
    const { root, outside, files } = scratch;
    plant(root, { 'd/a.md': 'A', 'd/b.md': 'B' });
    for (const name of ['a.md', 'b.md']) writeFileSync(join(outside, name), SECRET);
    const read = await files.readTexts?.(['@project/d/a.md', '@project/d/b.md']);
    expect(read).toHaveLength(2);
    expect(JSON.stringify(read)).not.toContain(SECRET);
  });

  itInTurn('reads more files than a process may have open', async () => {
    const { root, files } = await makeScratch(options);
    const names = Array.from({ length: 1500 }, (_, n) => `d/${n}.md`);
    plant(root, Object.fromEntries(names.map((name) => [name, name])));
    const read = await files.readTexts?.(names.map((name) => `@project/${name}`));
    expect(read?.map((each) => (each.ok ? each.value : each.error.code))).toEqual(names);
  });
});
