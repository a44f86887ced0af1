import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskUse } from '../contract.js';
import { systemCode } from '../error.js';
import type { CleanPath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { childPath } from './directory.js';
import { withLocated } from './locate.js';
import type { Mount } from './mount.js';

/** What a directory takes on the disk with all that is below it. Links count themselves, not what they lead to. */
export function diskUse(mount: Mount, path: CleanPath): Promise<FileResult<DiskUse>> {
  return withLocated(mount, path, { create: false, follow: true }, async ({ parent, name, stat }) => {
    if (stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
    if (!stat.isDirectory()) return fail({ code: 'E_NOT_A_DIRECTORY', path: path.shown });
    return ok(await count(childPath(parent, name)));
  });
}

/** More entries than this are not counted. */
const MAX_ENTRIES = 1_000_000;

async function count(root: string): Promise<DiskUse> {
  let bytes = 0;
  let files = 0;
  let entries = 0;
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const found of await entriesOf(folder)) {
      entries += 1;
      if (entries > MAX_ENTRIES) return { bytes, files, complete: false };
      const path = join(folder, found.name);
      if (found.isDirectory()) open.push(path);
      else files += 1;
      bytes += await sizeOf(path);
    }
  }
  return { bytes, files, complete: true };
}

/** A directory that is gone or closed to us counts nothing. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const found: Dirent[] = [];
    for await (const entry of await opendir(folder)) found.push(entry);
    return found;
  } catch (thrown) {
    if (PASSING.has(systemCode(thrown))) return [];
    throw thrown;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { blocks, size } = await lstat(path);
    // Windows knows no blocks.
    return blocks === undefined ? size : blocks * 512;
  } catch (thrown) {
    if (PASSING.has(systemCode(thrown))) return 0;
    throw thrown;
  }
}

const PASSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);
