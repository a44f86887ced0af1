import { opendir, unlink } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import type { SweepOptions } from '../contract.js';
import type { CleanPath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { isTemporaryName } from '../temporary.js';
import { childPath, closeDirectory, openChild } from './directory.js';
import { lookAt, withLocated } from './locate.js';
import type { Mount } from './mount.js';

/** Removes what killed writers left in one directory and answers how many. Never needed for correctness. */
export function sweepDirectory(
  mount: Mount,
  path: CleanPath,
  { olderThanMs = 3_600_000 }: SweepOptions = {},
): Promise<FileResult<number>> {
  if (guard('write.read-only', mount.access !== 'rw')) {
    return Promise.resolve(fail({ code: 'E_READ_ONLY', path: path.shown }));
  }
  return withLocated(mount, path, { create: false, follow: true }, async ({ parent, name, stat }) => {
    if (stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
    if (!stat.isDirectory()) return fail({ code: 'E_NOT_A_DIRECTORY', path: path.shown });
    const directory = name === '.' ? parent : await openChild(parent, name);
    let removed = 0;
    try {
      for await (const found of await opendir(directory.base)) {
        if (!isTemporaryName(found.name)) continue;
        const left = await lookAt(directory, found.name);
        if (left?.isFile() !== true || Date.now() - Number(left.mtimeMs) < olderThanMs) continue;
        await unlink(childPath(directory, found.name));
        removed += 1;
      }
      return ok(removed);
    } finally {
      if (directory !== parent) await closeDirectory(directory);
    }
  });
}
