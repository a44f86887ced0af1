import { createHash } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import { describeArchiveError, type Files, openFolder, type TextSource, zipSource } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import {
  type Acceptances,
  createAcceptances,
  isOwnPackage,
  type PackageStanding,
  packageFolderHash,
} from '@cuebook/workflow/profiles';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { homeFolder } from './home.js';
import { namedPath, requireFile } from './named-file.js';

/** A package as it lies on the disk. */
export interface FoundPackage {
  readonly source: TextSource;
  /** Where it lies. */
  readonly full: string;
  /** The hash of its bytes: of the archive, or of every file of the folder with its path. */
  readonly hash: () => Promise<string>;
}

/** A folder or an archive by name; undefined when there is neither. */
export async function openPackage(named: string, from: string): Promise<FoundPackage | undefined> {
  const { disk, path, full } = await namedPath(from, named);
  const found = await disk.stat(path);
  if (!found.ok) return undefined;
  if (found.value.kind === 'directory') {
    const files = requireFile(await openFolder(full, { access: 'ro' }), named);
    // The hash is over every byte; what a package may name is less.
    const told = { access: 'ro', withhold: { from: 'agent' } } as const;
    const source = requireFile(await openFolder(full, told), named);
    return { source, full, hash: async () => requireFile(await packageFolderHash(files), named) };
  }
  const bytes = requireFile(await disk.readBytes(path), named);
  const zip = await zipSource(bytes);
  if (!zip.ok) throw new Failure(zip.error.code, `${named}: ${describeArchiveError(zip.error)}`, { exit: 1 });
  return { source: zip.value, full, hash: async () => sha256(bytes) };
}

const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The packages that people of a project accepted; read only until one is written. */
export async function openAcceptances(
  folder: string,
  io: Io,
  access: 'ro' | 'rw' = 'ro',
): Promise<Acceptances | undefined> {
  const home = homeFolder(folder, io);
  const opened = await openFolder(home, access === 'rw' ? { create: 'ignored' } : { access: 'ro' });
  if (opened.ok) return createAcceptances(opened.value);
  if (access === 'ro') return undefined;
  return createAcceptances(requireFile(opened, 'CUEBOOK_HOME'));
}

/** Whether a package that was named from elsewhere lies in the project and was written there. */
export async function liesInProject(
  { full }: FoundPackage,
  { files, folder }: { readonly files: Files; readonly folder: string },
): Promise<boolean> {
  const inside = relative(folder, full).replaceAll('\\', '/');
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return false;
  const found = await files.stat(inside);
  return found.ok && found.value.kind === 'directory' && isOwnPackage(files, inside);
}

/** How far a package that is not the project's own is trusted: as an author's when a person accepted its bytes. */
export async function standingOf(
  found: FoundPackage,
  place: { readonly folder: string; readonly named: string; readonly io: Io },
): Promise<PackageStanding> {
  const acceptances = await openAcceptances(place.folder, place.io);
  if ((await acceptances?.find(await found.hash())) !== undefined) return { trust: 'author' };
  return {
    trust: 'external',
    unaccepted: `it comes from outside the project, and nobody has accepted its bytes as they are now. Read it with: ${hint`package show ${place.named}`}`,
  };
}

/** The folder of a package of the project, as a package. */
export const ownPackage = (folder: string, named: string): Promise<FoundPackage | undefined> =>
  openPackage(join(folder, named), folder);
