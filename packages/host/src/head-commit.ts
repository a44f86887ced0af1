import { dirname, relative, resolve, sep } from 'node:path';
import { openFolder } from '@cuebook/files';

/** The commit that is checked out in the repository around a folder; undefined where there is none. No program is run. */
export const headCommit = async (folder: string): Promise<string | undefined> =>
  (await headVersion(folder))?.commit;

/** A commit, and where in its repository a folder is. */
export interface HeadVersion {
  readonly commit: string;
  /** Left out: at its top. */
  readonly within?: string;
}

/** The same with the place of the folder in the repository. */
export async function headVersion(folder: string): Promise<HeadVersion | undefined> {
  const found = await gitFolder(folder);
  const commit = found === undefined ? undefined : await commitOf(found.own);
  if (found === undefined || commit === undefined) return undefined;
  const within = relative(found.top, resolve(folder)).split(sep).join('/');
  return { commit, ...(within !== '' && { within }) };
}

async function commitOf(own: string): Promise<string | undefined> {
  const head = await read(own, 'HEAD');
  if (head === undefined) return undefined;
  const [, ref] = /^ref: (refs\/\S+)$/.exec(head) ?? [];
  if (ref === undefined) return COMMIT.test(head) ? head : undefined;
  // The branches of a worktree are those of the repository that it is of.
  const shared = resolve(own, (await read(own, 'commondir')) ?? '.');
  const loose = await read(shared, ref);
  if (loose !== undefined) return COMMIT.test(loose) ? loose : undefined;
  const packed = (await read(shared, 'packed-refs'))?.split('\n').find((row) => row.endsWith(` ${ref}`));
  const [commit = ''] = packed?.split(' ') ?? [];
  return COMMIT.test(commit) ? commit : undefined;
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** `.git` of the folder, or of the nearest one around it: a folder, or a file that names one; and what it is in. */
async function gitFolder(
  folder: string,
): Promise<{ readonly own: string; readonly top: string } | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if ((await read(resolve(at, '.git'), 'HEAD')) !== undefined) return { own: resolve(at, '.git'), top: at };
    const [, named] = /^gitdir: (.+)$/.exec((await read(at, '.git')) ?? '') ?? [];
    if (named !== undefined) return { own: resolve(at, named), top: at };
    if (at === dirname(at)) return undefined;
  }
}

async function read(folder: string, path: string): Promise<string | undefined> {
  const files = await openFolder(folder, { access: 'ro' });
  const text = files.ok ? await files.value.readText(path) : undefined;
  return text?.ok ? text.value.trim() : undefined;
}
