import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How many entries are looked through for the other name of a file. */
const MAX_ENTRIES = 100_000;

/**
 * Whether a file that has several names has one of them where it is withheld: in CUEBOOK_HOME, or under a withheld name
 * below the root. True as well when there is too much to look through: then nobody knows.
 */
export function isOtherNameOf(
  identity: { readonly dev: bigint; readonly ino: bigint },
  places: readonly Place[],
): boolean {
  const budget = { entries: MAX_ENTRIES };
  return places.some((place) => isBelow(place.folder, identity, place, budget)) || budget.entries <= 0;
}

export interface Place {
  readonly folder: string;
  /** Whether what has this name is withheld. A withheld folder is looked through whole. */
  readonly isWithheld: (name: string, folder: string | undefined, path: string) => boolean;
  /** The same for a folder by what it holds. */
  readonly isWithheldFolder: (path: string) => boolean;
  /** Folders that are left out. */
  readonly skips: (name: string, folder: string | undefined) => boolean;
}

function isBelow(
  folder: string,
  identity: { readonly dev: bigint; readonly ino: bigint },
  place: Place,
  budget: { entries: number },
): boolean {
  const todo = [{ path: folder, name: undefined as string | undefined, whole: false }];
  for (let at = todo.pop(); at !== undefined && budget.entries > 0; at = todo.pop()) {
    for (const entry of entriesOf(at.path)) {
      budget.entries -= 1;
      if (budget.entries <= 0) return false;
      if (entry.isDirectory() && place.skips(entry.name, at.name)) continue;
      const path = join(at.path, entry.name);
      const isNamed = at.whole || place.isWithheld(entry.name, at.name, path);
      const whole = isNamed || (entry.isDirectory() && place.isWithheldFolder(path));
      if (entry.isDirectory()) todo.push({ path, name: entry.name, whole });
      else if (whole && entry.isFile() && isSame(path, identity)) return true;
    }
  }
  return false;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Gone, or not ours to read.
  }
}

function isSame(path: string, { dev, ino }: { readonly dev: bigint; readonly ino: bigint }): boolean {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.dev === dev && stat.ino === ino;
}
