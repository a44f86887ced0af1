import { posix } from 'node:path';
import { type AdoptDiagnostic, writerOf } from '@cuebook/adopt';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { ExportEntry } from './lock.js';
import type { PlannedExport } from './plan.js';

/** What is to be written, or was: a target at a place. */
type Placed = Pick<ExportEntry, 'path' | 'target' | 'format'>;

/**
 * The files that cannot be written, told before any is: one that belongs to another target, by this export or by an earlier
 * one, and one that is a symbolic link. Several targets share a file only where each has a region of its own.
 */
export async function placeProblems(
  files: Files,
  planned: readonly PlannedExport[],
  entries: readonly ExportEntry[],
): Promise<readonly AdoptDiagnostic[]> {
  const written = planned.filter(({ text, state }) => text !== undefined && state !== 'remove');
  const links = await linksAmong(
    files,
    written.map(({ path }) => path),
  );
  return [
    ...takenPlaces(written, othersOf(entries, planned)).map(([each, owner]) =>
      problem(
        each.path,
        `${each.target} would replace ${owner.target} in this file. Export it to another file with --out PATH`,
      ),
    ),
    ...[...links].map((path) =>
      problem(
        path,
        'The file is a symbolic link, and export writes through none. Replace it with a file, or name another with --out PATH',
      ),
    ),
  ];
}

const problem = (file: string, message: string): AdoptDiagnostic => ({
  ...{ code: 'E_EXPORT_PLACE', severity: 'error' },
  ...{ file, message },
});

/** What was exported before, and is not planned again. */
const othersOf = (
  entries: readonly ExportEntry[],
  planned: readonly PlannedExport[],
): readonly ExportEntry[] =>
  entries.filter(
    (entry) => !planned.some(({ path, target }) => path === entry.path && target === entry.target),
  );

/** Each planned file with the other target whose file it is. Names that differ only by case can be one file on a disk. */
export function takenPlaces<Planned extends Placed>(
  planned: readonly Planned[],
  others: readonly Placed[],
): readonly (readonly [Planned, Placed])[] {
  const owners = new Map<string, Placed[]>();
  const ownersOf = (path: string): Placed[] => {
    const key = path.normalize('NFC').toLowerCase();
    const found = owners.get(key) ?? [];
    owners.set(key, found);
    return found;
  };
  for (const other of others) ownersOf(other.path).push(other);
  return planned.flatMap((each): (readonly [Planned, Placed])[] => {
    const owned = ownersOf(each.path);
    const owner = owned.find((other) => guard('export.place', !(isRegion(each) && isRegion(other))));
    owned.push(each);
    return owner === undefined ? [] : [[each, owner]];
  });
}

const isRegion = ({ format }: Placed): boolean => writerOf(format)?.isRegion === true;

/** The paths whose last part is a symbolic link. */
async function linksAmong(files: Files, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const links = new Set<string>();
  for (const folder of new Set(paths.map((path) => posix.dirname(path)))) {
    const listing = await files.list(folder, { limit: Number.POSITIVE_INFINITY });
    const kinds = new Map(listing.ok ? listing.value.entries.map(({ name, kind }) => [name, kind]) : []);
    for (const path of paths)
      if (posix.dirname(path) === folder && kinds.get(posix.basename(path)) === 'symlink') links.add(path);
  }
  return links;
}
