import { constants, mkdtempSync } from 'node:fs';
import { access, chmod, copyFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fromSystem } from '../error.js';
import { type FileResult, fail, ok } from '../result.js';

/** A copy of files in a folder of its own that nobody else can look into. */
export interface PrivateCopy {
  /** The real path of the first one's copy. */
  readonly path: string;
  remove(): Promise<void>;
}

/** Copies a file, and those beside it whose names are its name and a suffix, as far as they are there. */
export async function copyPrivately(
  file: string,
  suffixes: readonly string[],
): Promise<FileResult<PrivateCopy>> {
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-copy-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, basename(file));
    await copyFile(file, path);
    await chmod(path, 0o600);
    for (const suffix of suffixes) {
      const isThere = await stat(`${file}${suffix}`).then(
        (found) => found.isFile(),
        () => false,
      );
      if (!isThere) continue;
      await copyFile(`${file}${suffix}`, `${path}${suffix}`);
      await chmod(`${path}${suffix}`, 0o600);
    }
    return ok({ path, remove });
  } catch (thrown) {
    await remove();
    return fail(fromSystem(basename(file), thrown));
  }
}

/** Whether a file and its folder are meant to be written: what has no owner's right to write is left alone, also by root. */
export async function isMeantToBeWritten(file: string): Promise<boolean> {
  try {
    for (const path of [file, dirname(file)]) {
      const { mode } = await stat(path);
      if ((mode & 0o200) === 0) return false;
      await access(path, constants.W_OK);
    }
    return true;
  } catch {
    return false; // Not there, or not ours to write.
  }
}
