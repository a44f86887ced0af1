import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../running.js';

/** Where Linux has a file system in memory. */
const PLACE = '/dev/shm';
const PREFIX = 'cuebook-suite-';
/** A whole run needs less; a machine with less to spare keeps its temporary files where they are. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * The temporary folder of a run of tests: in memory where there is room, since tests write thousands of files and
 * records, wait for the disk each time, and nobody reads them afterwards. Undefined where there is no such place.
 * Folders of runs that were killed are removed.
 */
export function folderInMemory(place = PLACE): { readonly path: string; remove(): void } | undefined {
  try {
    accessSync(place, constants.W_OK);
    for (const name of readdirSync(place).filter((each) => isLeft(each)))
      rmSync(join(place, name), { recursive: true, force: true });
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    const path = join(place, `${PREFIX}${process.pid}`);
    mkdirSync(path);
    // Programs of other users come here too, as in the folder of the system.
    chmodSync(path, 0o1777);
    return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
  } catch {
    return undefined; // No such place, or not ours: the system's folder serves as well.
  }
}

/** Whether a folder there is one of a run that is over. */
const isLeft = (name: string): boolean =>
  name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)));
