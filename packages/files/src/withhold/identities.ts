import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where a file is withheld by its place or its name. */
export interface WithheldPlace {
  readonly folder: string;
  /** Whether what has this name is withheld. A withheld folder is looked through whole. */
  readonly isWithheld: (name: string, folder: string | undefined, path: string) => boolean;
  /** The same for a folder by what it holds. */
  readonly isWithheldFolder: (path: string) => boolean;
  /** Folders that are left out. */
  readonly skips: (name: string, folder: string | undefined) => boolean;
}

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Tells whether a file that has several names has one of them where it is withheld. True as well when there is too much
 * to look through: then nobody knows. What was seen is looked for again before a file counts as another one, unless
 * that was a moment ago: looking takes a twentieth of the time at most, however many such files are read.
 */
export function createIdentities(places: () => readonly WithheldPlace[]): (identity: Identity) => boolean {
  let seen: { readonly found: ReadonlySet<string> | undefined; readonly until: number } | undefined;
  return (identity) => {
    const wanted = keyOf(identity);
    if (seen?.found?.has(wanted) === true) return true;
    const began = performance.now();
    if (seen === undefined || began >= seen.until) {
      const found = lookThrough(places());
      const took = performance.now() - began;
      seen = { found, until: began + took + took * IDLE_SHARE };
    }
    return seen.found?.has(wanted) ?? true;
  };
}

const IDLE_SHARE = 20;
/** How many entries are looked through. */
const MAX_ENTRIES = 100_000;

const keyOf = ({ dev, ino }: Identity): string => `${dev}:${ino}`;

/** The identities of all withheld files; undefined when there are too many entries. */
function lookThrough(places: readonly WithheldPlace[]): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  let entries = 0;
  for (const place of places) {
    const todo = [{ path: place.folder, name: undefined as string | undefined, whole: false }];
    for (let at = todo.pop(); at !== undefined; at = todo.pop())
      for (const entry of entriesOf(at.path)) {
        entries += 1;
        if (entries > MAX_ENTRIES) return undefined;
        if (entry.isDirectory() && place.skips(entry.name, at.name)) continue;
        const path = join(at.path, entry.name);
        const isNamed = at.whole || place.isWithheld(entry.name, at.name, path);
        const whole = isNamed || (entry.isDirectory() && place.isWithheldFolder(path));
        if (entry.isDirectory()) todo.push({ path, name: entry.name, whole });
        else if (whole && entry.isFile()) add(found, path);
      }
  }
  return found;
}

/** Also those with one name: it may get another one before the next look. */
function add(found: Set<string>, path: string): void {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat !== undefined) found.add(keyOf(stat));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Gone, or not ours to read.
  }
}
