import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeScratch, must, outcome, plant, WAYS } from '../../test/scratch.js';
import type { SkippedEntry } from '../source/source.js';

describe.each(WAYS)('%s: a listing', (_way, options) => {
  it('names kinds, marks links, and counts what no path can spell', async () => {
    const { root, outside, files } = await makeScratch(options);
    plant(root, { 'a.md': '', 'back\\slash': '', 'line\nbreak': '', 'd/x': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x61])]), '');
    symlinkSync(outside, join(root, 'out'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(must(await files.list('@project'))).toEqual({
      path: '@project',
      entries: [
        { name: 'a.md', kind: 'file' },
        { name: 'd', kind: 'directory' },
        { name: 'out', kind: 'symlink' },
        { name: 'pipe', kind: 'other' },
      ],
      truncated: false,
      unaddressable: 3,
    });
    const seen: string[] = [];
    for await (const found of files.walk('@project')) seen.push(must(found));
    expect(seen).toEqual(['@project/a.md', '@project/d/x']);
    const skipped: SkippedEntry[] = [];
    const walk = files.walk('@project', { ignore: ['a.md'], onSkipped: (each) => skipped.push(each) });
    for await (const found of walk) expect(must(found)).toBe('@project/d/x');
    expect(skipped).toEqual([
      { path: '@project/out', kind: 'symlink' },
      { path: '@project/pipe', kind: 'other' },
      { path: '@project', unaddressable: 3 },
    ]);
  });

  it('that is denied is an error among the files of a walk, which goes on', async (context) => {
    if (process.geteuid?.() !== 0) return context.skip('changes its user, which takes the superuser');
    const { top, root, files } = await makeScratch(options);
    plant(root, { 'a/x': '', 'c/x': '' });
    mkdirSync(join(root, 'b'), { mode: 0o700 });
    chmodSync(top, 0o755);
    const seen: string[] = [];
    process.seteuid?.(65534);
    try {
      for await (const found of files.walk('@project')) seen.push(found.ok ? found.value : outcome(found));
    } finally {
      process.seteuid?.(0);
    }
    expect(seen).toEqual(['@project/a/x', 'E_FILE_DENIED', '@project/c/x']);
  });
});

it('the same files give the same listing, whatever the order they were made in', async () => {
  const names = ['b', 'a', 'B', 'ä', 'a.b', '10', '9'];
  const listings = await Promise.all(
    [names, [...names].reverse()].map(async (order) => {
      const { root, files } = await makeScratch();
      for (const name of order) plant(root, { [name]: '' });
      return must(await files.list('@project')).entries;
    }),
  );
  expect(listings[0]).toEqual(listings[1]);
  expect(listings[0]?.map(({ name }) => name)).toEqual([...names].sort());
});
