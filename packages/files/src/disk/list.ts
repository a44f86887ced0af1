import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import type { FileStat } from '../contract.js';
import type { Fault } from '../fault.js';
import { type CleanPath, isAddressable } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { DEFAULT_LIST_LIMIT, type Listing, type ListOptions, type SourceEntry } from '../source/source.js';
import { isTemporaryName } from '../temporary.js';
import { closeDirectory, type Directory, isDirectoryInside, openChild } from './directory.js';
import { withLocated } from './locate.js';
import type { Mount } from './mount.js';
import { kindOf } from './read.js';

/** Lists a directory. Links are named as such and not followed; unfinished writes are no entries. */
export function listDirectory(
  mount: Mount,
  path: CleanPath,
  fault: Fault,
  { limit = DEFAULT_LIST_LIMIT }: ListOptions = {},
): Promise<FileResult<Listing>> {
  return withLocated(mount, path, { create: false, follow: true }, async ({ parent, name, stat }) => {
    if (stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
    if (!stat.isDirectory()) return fail({ code: 'E_NOT_A_DIRECTORY', path: path.shown });
    await fault('located');
    const directory = name === '.' ? parent : await openChild(parent, name);
    try {
      const found = await readNames(directory);
      if (guard('resolve.race', !(await isDirectoryInside(directory)))) {
        return fail({ code: 'E_FILE_CHANGED', path: path.shown });
      }
      if (found === undefined) {
        return fail({ code: 'E_FILE_TOO_LARGE', path: path.shown, limit: MAX_NAMES, unit: 'entries' });
      }
      const entries = found.entries.filter((entry) => !isWithheldEntry(directory, entry)).sort(byName);
      const truncated = guard('list.limit', entries.length > limit);
      return ok({
        path: path.text,
        entries: truncated ? entries.slice(0, limit) : entries,
        truncated,
        unaddressable: found.unaddressable,
      });
    } finally {
      if (directory !== parent) await closeDirectory(directory);
    }
  });
}

/** What a path leads to, links inside the root followed. */
export function statPath(mount: Mount, path: CleanPath): Promise<FileResult<FileStat>> {
  return withLocated(mount, path, { create: false, follow: true }, async ({ stat }) => {
    if (stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
    return ok({
      path: path.text,
      kind: kindOf(stat),
      size: Number(stat.size),
      mode: Number(stat.mode) & 0o777,
      modifiedMs: Number(stat.mtimeMs),
      identity: `${stat.dev}:${stat.ino}`,
    });
  });
}

/** A directory of more names is refused: sorting needs all of them in memory. */
const MAX_NAMES = 250_000;

async function readNames(
  directory: Directory,
): Promise<{ readonly entries: SourceEntry[]; readonly unaddressable: number } | undefined> {
  const entries: SourceEntry[] = [];
  let unaddressable = 0;
  for await (const found of await opendir(directory.base)) {
    if (isTemporaryName(found.name)) continue;
    if (isAddressable(found.name, process.platform === 'win32')) entries.push(entryOf(found));
    else unaddressable += 1;
    if (guard('list.limit', entries.length > MAX_NAMES)) return undefined;
  }
  return { entries, unaddressable };
}

/** What is withheld by its name is not named either. What only its content marks is. */
const isWithheldEntry = ({ mount, names }: Directory, { name }: SourceEntry): boolean =>
  mount.withheld?.place([...names, name]) !== undefined;

const entryOf = (found: Dirent): SourceEntry => ({ name: found.name, kind: kindOf(found) });

const byName = (a: SourceEntry, b: SourceEntry): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
