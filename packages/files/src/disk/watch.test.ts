import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeScratch, must, plant } from '../../test/scratch.js';
import type { FolderChange } from '../contract.js';
import type { FileResult } from '../result.js';
import { temporaryName } from '../temporary.js';

/** Waits on events alone: resolves when the paths seen so far are at least those expected. */
function collect() {
  const seen = new Map<string, string>();
  let check = (): void => undefined;
  return {
    seen,
    onChange: (batch: FileResult<readonly FolderChange[]>): void => {
      for (const { path, kind } of must(batch)) seen.set(path, kind);
      check();
    },
    until: (...paths: readonly string[]) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (paths.every((path) => seen.has(path))) resolve();
        };
        check();
      }),
  };
}

it('reports changes by alias path, in batches, and nothing that is not data', async () => {
  const { root, outside, files } = await makeScratch();
  plant(root, { 'a.md': '1', 'd/b.md': '1', 'gone.md': '1' });
  symlinkSync(outside, join(root, 'out'));
  const { seen, onChange, until } = collect();
  const watcher = must(await files.watch(onChange));
  onTestFinished(() => watcher.close());

  writeFileSync(join(outside, 'a.md'), 'changed');
  mkdirSync(join(root, 'node_modules'));
  plant(root, { [temporaryName()]: 'half', 'node_modules/x.js': '' });
  rmSync(join(root, 'gone.md'));
  must(await files.writeText('@project/d/b.md', '2'));
  must(await files.writeText('@project/new/deep/c.md', '1'));
  await until('@project/gone.md', '@project/d/b.md', '@project/new/deep/c.md', '@pkg/d/b.md');

  expect(seen.get('@project/gone.md')).toBe('removed');
  expect(seen.get('@project/new/deep/c.md')).toBe('added');
  expect(seen.get('@project/d/b.md')).toBe('changed');
  const paths = [...seen.keys()].map((path) => path.replace('@pkg', '@project'));
  expect(new Set(paths)).toEqual(new Set(['@project/gone.md', '@project/d/b.md', '@project/new/deep/c.md']));
});

it('is silent after it is closed', async () => {
  const { root, files } = await makeScratch();
  const first = collect();
  const second = collect();
  const closed = must(await files.watch(first.onChange));
  const open = must(await files.watch(second.onChange));
  onTestFinished(() => open.close());
  await closed.close();
  plant(root, { 'a.md': '1' });
  await second.until('@project/a.md');
  expect([...first.seen.keys()]).toEqual([]);
});
