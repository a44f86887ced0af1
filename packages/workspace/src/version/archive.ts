import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import type { GitAnswer } from '../git/git.js';

/**
 * A store of files by key in which versions of projects are kept, one file each. Nobody needs to trust it: what it hands
 * out is held to the id of the commit.
 */
export interface VersionArchive {
  /** The bytes; undefined: it has none, or cannot be reached, or has more than `limit`. */
  get(key: string, limit: number): Promise<Uint8Array | undefined>;
  has(key: string): Promise<boolean>;
  /** Writes a new file. One that is there stays, and is as good. False: it could not be written. */
  put(key: string, bytes: Uint8Array): Promise<boolean>;
}

/** Where the archive of a version is. */
export const archiveKey = (project: string, commit: string): string => `versions/${project}/${commit}.pack`;

/** Runs git in a repository. */
export type ArchiveGit = (
  args: readonly string[],
  more?: { readonly input?: Uint8Array | string; readonly maxBytes?: number },
) => Promise<GitAnswer>;

/** A commit with all its files and nothing of what was before it, as one file. */
export async function packVersion(
  git: ArchiveGit,
  commit: string,
): Promise<Result<Uint8Array, WorkspaceError>> {
  const listed = await git(['rev-list', '--objects', '--no-walk', '--no-object-names', commit]);
  if (listed.code !== 0) return fail(UNPACKED);
  const packed = await git(['pack-objects', '--stdout', '--quiet'], {
    input: listed.stdout,
    maxBytes: MAX_PACK,
  });
  return packed.code === 0 && packed.stdout.length > 0 ? ok(packed.stdout) : fail(UNPACKED);
}

/**
 * Takes an archive into a fresh repository. Git names every object by its content, so a commit that is there afterwards
 * has the files that its id stands for, whoever wrote the archive. Broken objects and names such as `..` are refused.
 */
export async function unpackVersion(
  git: ArchiveGit,
  files: Files,
  { bytes, commit, folder }: { readonly bytes: Uint8Array; readonly commit: string; readonly folder: string },
): Promise<boolean> {
  // What was before the commit is not in the archive.
  const marked = await files.writeText(`${folder}/.git/shallow`, `${commit}\n`);
  if (!marked.ok) return false;
  const taken = await git(['index-pack', '--stdin', '--fsck-objects', `--max-input-size=${MAX_PACK}`], {
    input: bytes,
  });
  return taken.code === 0;
}

/** The bytes of all files of a commit, as git knows them before it writes any; undefined: it cannot say. */
export async function sizeOfVersion(
  git: ArchiveGit,
  commit: string,
  maxNames: number,
): Promise<number | undefined> {
  const listed = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit], { maxBytes: maxNames });
  if (listed.code !== 0) return undefined;
  let sum = 0;
  for (const row of listed.stdout.toString('latin1').split('\0')) {
    const size = /^\d+ blob [0-9a-f]+ +(\d+)\t/.exec(row)?.[1];
    sum += size === undefined ? 0 : Number(size);
  }
  return sum;
}

/** Whether a version is more than a machine should write. */
export const isTooLarge = (bytes: number | undefined, max = MAX_VERSION): boolean =>
  guard('version.bytes', bytes === undefined || bytes > max);

/** Of an archive. */
export const MAX_PACK = 512 << 20;
/** Of all files of a version. */
const MAX_VERSION = 4 * 2 ** 30;

const UNPACKED: WorkspaceError = {
  code: 'E_WORKSPACE_VERSION',
  message:
    'The commit could not be packed for the archive: it is not whole here, or has more than 512 MB packed.',
};
