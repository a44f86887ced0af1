import { rm } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import type { CleanPath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { childPath, syncDirectory } from './directory.js';
import { withLocated } from './locate.js';
import type { Mount } from './mount.js';

/**
 * Removes a directory with all that is below it. Links in it are removed, never followed; a link in its place is
 * refused. One that is not there is as good as removed. The root itself stays, and so does everything in a mount
 * that protects a part.
 */
export function removeTree(mount: Mount, path: CleanPath): Promise<FileResult<void>> {
  return withLocated(mount, path, { create: false, follow: false }, async ({ parent, name, stat }) => {
    const isKept =
      mount.access !== 'rw' || mount.protect.length > 0 || mount.withheld !== undefined || name === '.';
    if (guard('write.tree', isKept)) return fail({ code: 'E_READ_ONLY', path: path.shown });
    if (stat === undefined) return ok(undefined);
    if (!stat.isDirectory()) return fail({ code: 'E_NOT_A_DIRECTORY', path: path.shown });
    await rm(childPath(parent, name), { recursive: true, force: true, maxRetries: 2 });
    await syncDirectory(parent);
    return ok(undefined);
  }).then((removed) =>
    // A missing directory above it is the same answer.
    !removed.ok && removed.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : removed,
  );
}
