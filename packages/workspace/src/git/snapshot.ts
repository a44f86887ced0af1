import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import type { GitAnswer } from './git.js';
import { type FolderIndex, indexOf } from './index-file.js';
import type { FolderSnapshot } from './moment.js';
import { type ContentStore, gitFailure } from './store.js';
import { joinZ, splitZ } from './zero.js';

export interface SnapshotOptions {
  /** Names what git remembers of the folder between two snapshots, so that only changed files are read again. */
  readonly key: string;
  readonly maxFiles: number;
  /** Paths below the folder that are never taken in, with all below them. */
  readonly skip: readonly string[];
  /** Files that are taken in although a rule says to ignore them. */
  readonly force?: (() => Promise<readonly Buffer[]>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A snapshot with the index that goes with it, for a change of the folder that must find it as it was. */
export interface Taken {
  readonly snapshot: FolderSnapshot;
  readonly index: FolderIndex;
}

/**
 * Takes the contents of a folder into the store: everything but what its `.gitignore` files name, and whatever was
 * taken in before. Repositories inside it are folders like others. Links are taken as links. The folder, and a
 * repository that it belongs to, are not touched.
 */
export async function takeSnapshot(
  store: ContentStore,
  folder: string,
  options: SnapshotOptions,
): Promise<Result<Taken, WorkspaceError>> {
  return store.inTurn(options.key, async () => {
    const first = await tryTwice(store, folder, options);
    const isGone =
      !first.ok && first.error.code === 'E_WORKSPACE_GIT' && !(await store.run(['version'])).missing;
    return isGone ? fail(GONE) : first;
  });
}

async function tryTwice(
  store: ContentStore,
  folder: string,
  options: SnapshotOptions,
): Promise<Result<Taken, WorkspaceError>> {
  const index = await indexOf(store, options.key);
  await index.unlock();
  const first = await attempt(store, folder, { ...options, index });
  if (first !== 'locked') return first;
  // Another process is at it, or was killed at it: without what is remembered it takes longer and is as right.
  const own = await indexOf(store);
  const second = await attempt(store, folder, { ...options, index: own });
  if (second !== 'locked' && second.ok) return second;
  await own.drop();
  return second === 'locked' ? fail(BUSY) : second;
}

interface Attempt extends SnapshotOptions {
  readonly index: FolderIndex;
}

async function attempt(
  store: ContentStore,
  folder: string,
  options: Attempt,
): Promise<Result<Taken, WorkspaceError> | 'locked'> {
  const { index, signal, maxFiles } = options;
  const git: Git = (args, input) =>
    store.run(args, {
      ...{ tree: folder, index: index.path, signal, maxBytes: maxFiles * 400 },
      ...(input && { input }),
    });
  const known = await index.known();
  const looked =
    known === undefined ? undefined : await git(['ls-files', ...LISTED, '--modified', '--deleted']);
  if (known && looked?.code === 0 && looked.stdout.length === 0) return ok({ snapshot: known, index });

  const added = await addAll(store, { folder, git }, options);
  if (!added.ok) return added.error === 'locked' ? 'locked' : fail(added.error);
  const odd = added.value ? ok([]) : await leftOut(git, options.skip);
  if (!odd.ok) return odd;
  const written = await git(['write-tree']);
  if (written.code !== 0) return isLocked(written) ? 'locked' : fail(gitFailure(written));
  const snapshot = { tree: written.stdout.toString().trim(), odd: odd.value };
  // What cannot be taken in has to be looked for again each time.
  await index.remember(odd.value.length === 0 ? snapshot : undefined);
  return ok({ snapshot, index });
}

type Git = (args: readonly string[], input?: Uint8Array) => Promise<GitAnswer>;

/** Offers everything to the index; false when something could not be taken in. */
async function addAll(
  store: ContentStore,
  { folder, git }: { readonly folder: string; readonly git: Git },
  options: Attempt,
): Promise<Result<boolean, WorkspaceError | 'locked'>> {
  const listed = await git(['ls-files', ...LISTED, '--cached']);
  if (listed.code !== 0) return fail(listed.code === null && !listed.missing ? LARGE : gitFailure(listed));
  const paths = splitZ(listed.stdout);
  if (guard('workspace.files', paths.length > options.maxFiles)) return fail(LARGE);

  const nested = paths.filter((path) => path.at(-1) === SLASH).map((path) => path.subarray(0, -1));
  // Git complains about a path that is both left out by name and ignored, so only what is listed is left out.
  const isListed = (path: string) => paths.some((each) => each.toString().startsWith(`${path}/`));
  const skip = [...options.skip.filter(isListed).map((path) => Buffer.from(path)), ...nested];
  const pathspecs = [Buffer.from('.'), ...skip.map((path) => Buffer.concat([EXCLUDE, path]))];
  const added = await git(
    ['add', '--all', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'],
    joinZ(pathspecs),
  );
  if (isLocked(added)) return fail('locked');
  if (added.code === null || added.code > 1) return fail(gitFailure(added));
  const force = (await options.force?.()) ?? [];
  const forced = force.length > 0 ? await git([...FORCE], joinZ(force)) : added;
  if (force.length > 0 && forced.code !== 0) return fail(gitFailure(forced));
  for (const path of nested.filter((each) => !options.skip.includes(each.toString()))) {
    const grafted = await graft(store, { folder, path }, options);
    if (!grafted.ok) return grafted;
  }
  return ok(added.code === 0);
}

/**
 * Takes in a repository inside the folder. Git itself would remember only its commit; once one of its files is in
 * the index git takes it for a folder, so this is done when it is first seen.
 */
async function graft(
  store: ContentStore,
  at: { readonly folder: string; readonly path: Buffer },
  options: Attempt,
): Promise<Result<undefined, WorkspaceError>> {
  const inner = at.path.toString();
  if (inner.includes('\ufffd')) return ok(undefined);
  const index = await indexOf(store);
  const taken = await attempt(store, `${at.folder}/${inner}`, {
    ...options,
    index,
    skip: [],
    force: undefined,
  });
  await index.drop();
  if (taken === 'locked') return fail(BUSY);
  if (!taken.ok) return taken;
  const read = await store.run(['read-tree', `--prefix=${inner}/`, taken.value.snapshot.tree], {
    ...{ tree: at.folder, index: options.index.path, signal: options.signal },
  });
  return read.code === 0 ? ok(undefined) : fail(gitFailure(read));
}

/** What is still not in the index after everything was offered to it. */
async function leftOut(
  git: Git,
  skip: readonly string[],
): Promise<Result<readonly string[], WorkspaceError>> {
  const others = await git(['ls-files', ...LISTED, '--modified']);
  if (others.code !== 0) return fail(gitFailure(others));
  const names = splitZ(others.stdout).map(String);
  const isSkipped = (name: string) => skip.some((path) => name === path || name.startsWith(`${path}/`));
  return ok([...new Set(names)].filter((name) => !isSkipped(name) && !name.endsWith('/')).sort());
}

const isLocked = ({ code, complaint }: GitAnswer): boolean =>
  code !== 0 && /Unable to create '.*\.lock'/.test(complaint);

const LISTED = ['-z', '--others', '--exclude-standard'];
const FORCE = ['update-index', '-z', '--add', '--remove', '--stdin'];
const SLASH = 0x2f;
const EXCLUDE = Buffer.from(':(exclude,literal)');
const LARGE: WorkspaceError = {
  code: 'E_WORKSPACE_LARGE',
  message: 'The folder has more files than a workspace takes; name what is not source in a .gitignore file.',
};
const GONE: WorkspaceError = {
  code: 'E_WORKSPACE_READ',
  message: 'The folder of the workspace is not there.',
};
const BUSY: WorkspaceError = {
  code: 'E_WORKSPACE_BUSY',
  message: 'Another process is at work on the same folder. Try again.',
};
