import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux has a file system in memory. */
const PLACE = '/dev/shm';
/** A whole run needs less; a machine with less to spare keeps its temporary files where they are. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * A new temporary folder in memory where there is room, else undefined. Tests write thousands of files and records
 * that nobody reads afterwards, and on a disk they wait for each.
 */
export function folderInMemory(place = PLACE, neededBytes = NEEDED_BYTES): string | undefined {
  try {
    accessSync(place, constants.W_OK);
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < neededBytes) return undefined;
    const folder = mkdtempSync(join(place, 'cuebook-'));
    // Programs of other users come here too, as in the folder of the system.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return undefined; // No such place, or not ours: the system's folder serves as well.
  }
}
