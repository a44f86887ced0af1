import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { makeScratch, plant, WAYS } from '../test/scratch.js';
import { FILES_CODES } from './codes.js';
import { describeFileError, type FileError, fromSystem } from './error.js';
import { openFolder, openMounts } from './files.js';
import type { FileResult } from './result.js';

it('a system error becomes data without its message or paths', () => {
  const cases: readonly (readonly [system: string, code: FileError['code']])[] = [
    ['ENOENT', 'E_FILE_NOT_FOUND'],
    ['EACCES', 'E_FILE_DENIED'],
    ['EPERM', 'E_FILE_DENIED'],
    ['EROFS', 'E_READ_ONLY'],
    ['EISDIR', 'E_NOT_A_FILE'],
    ['ENXIO', 'E_NOT_A_FILE'],
    ['ENOTDIR', 'E_NOT_A_DIRECTORY'],
    ['EEXIST', 'E_NOT_A_DIRECTORY'],
    ['ELOOP', 'E_FILE_CHANGED'],
    ['ENAMETOOLONG', 'E_SANDBOX_VIOLATION'],
    ['ENOSPC', 'E_DISK'],
    ['EIO', 'E_DISK'],
    ['EMFILE', 'E_DISK'],
  ];
  for (const [system, code] of cases) {
    const thrown = Object.assign(new Error("open '/home/quinn/x'"), { code: system, path: '/home/quinn/x' });
    const error = fromSystem('@project/x', thrown);
    expect([system, error.code]).toEqual([system, code]);
    expect(JSON.stringify(error) + describeFileError(error)).not.toContain('quinn');
    expect(FILES_CODES[error.code].fix).not.toBe('');
  }
  for (const odd of [new Error('/home/quinn'), 'x', null, { code: '/home/quinn' }, { code: 5 }]) {
    expect(fromSystem('@project/x', odd)).toEqual({ code: 'E_DISK', path: '@project/x', system: 'UNKNOWN' });
  }
});

describe.each(WAYS)('%s: for every hostile path and every operation', (_way, options) => {
  itInTurn('an error spells neither the real root nor the home', async () => {
    const { root, outside } = await makeScratch();
    vi.stubEnv('HOME', outside);
    plant(root, { 'a.md': 'x', 'b.bin': Uint8Array.of(0xff) });
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(outside, 'a.md'), join(root, 'file-out'));
    symlinkSync('loop', join(root, 'loop'));
    const specs = [
      { alias: '@project', root, access: 'rw' },
      { alias: '@pkg', root, access: 'ro' },
    ] as const;
    const opened = [await openMounts(specs, options), await openFolder(root, options)];
    vi.unstubAllEnvs();

    const piece = fc.constantFrom(
      ...[
        '@project',
        '@pkg',
        '@nope',
        '/',
        '/',
        '\\',
        '..',
        '.',
        'a.md',
        'b.bin',
        'out',
        'file-out',
        'loop',
        '\0',
        ':x',
      ],
      ...[root, outside, root.slice(1), outside.slice(1), root.replaceAll('/', '\\'), root.toUpperCase()],
    );
    const path = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
    const prefix = fc.constantFrom('', '@project/', '@pkg/');
    let errors = 0;
    await fc.assert(
      fc.asyncProperty(prefix, path, async (start, rest) => {
        for (const files of opened) {
          if (!files.ok) throw new Error(files.error.code);
          const { readText, list, stat, remove, writeText, makeDirectory, walk } = files.value;
          const given = start + rest;
          // Writing comes last and only where it must fail, so that every run sees the same files.
          const results: FileResult<unknown>[] = [
            await readText(given),
            await list(given),
            await stat(given),
            files.value.clean(given),
          ];
          if (start === '@pkg/' && files === opened[0]) {
            results.push(await remove(given), await writeText(given, 'x'), await makeDirectory(given));
          }
          for await (const found of walk(given, { limit: 1 })) results.push(found);
          for (const result of results) {
            if (result.ok) continue;
            errors += 1;
            const said = (JSON.stringify(result.error) + describeFileError(result.error)).toLowerCase();
            expect(said).not.toContain(root.toLowerCase().slice(1));
            expect(said).not.toContain(outside.toLowerCase().slice(1));
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(errors).toBeGreaterThan(400);
  });
});

it('an ordinary path is named in full', async () => {
  const { root, files } = await makeScratch();
  expect(await files.readText('@project/root/a.md')).toMatchObject({ error: { path: '@project/root/a.md' } });
  expect(await files.readText(`@project${root}/a.md`)).toMatchObject({ error: { path: '@project' } });
});
