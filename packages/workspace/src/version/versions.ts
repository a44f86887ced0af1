import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { describeFileError, type Files, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { WorkspaceError } from '../contract.js';
import { type GitAnswer, gitEnvironment, runGit } from '../git/git.js';
import { reachOf } from '../git/reach.js';
import { isRemote } from '../remote/repository.js';
import {
  type ArchiveGit,
  archiveKey,
  isTooLarge,
  MAX_PACK,
  packVersion,
  sizeOfVersion,
  unpackVersion,
  type VersionArchive,
} from './archive.js';

/**
 * The versions of a project that this machine has beside the one that is checked out: each commit in a folder of its
 * own, side by side. Git has checked every byte against the commit, so it does not matter where it came from.
 */
export interface Versions {
  /** The folder of the project at a commit; it is fetched where it is not here yet. */
  find(version: ProjectVersion): Promise<Result<string, WorkspaceError>>;
  /** Puts a commit of this clone where all machines find it: into the repository of workspaces, and the archive. */
  publish(commit: string): Promise<Result<undefined, WorkspaceError>>;
}

/** A version of a project, as the first event of a run names it. */
export interface ProjectVersion {
  readonly commit: string;
  /** Where in the repository the project's folder is; left out: at its top. */
  readonly within?: string | undefined;
}

export interface VersionOptions {
  /** The project's folder. */
  readonly folder: string;
  /** CUEBOOK_HOME: versions are below it. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The id of the project. */
  readonly project: string;
  /** A git repository that has the project, beside this clone and what it was cloned from. */
  readonly source?: string | undefined;
  /** The repository of the workspaces, to which versions are published. */
  readonly workspaces?: string | undefined;
  /** Where versions are kept as one file each. */
  readonly archive?: VersionArchive | undefined;
  /** Files of a version, and their bytes. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly now?: () => number;
  /** For tests: called at the named moments. */
  readonly fault?: (point: 'version.fetched' | 'version.filled' | 'version.ready') => void | Promise<void>;
}

/** Undefined: it may be the address of a source. */
export const sourceProblem = (address: string): WorkspaceError | undefined =>
  guard('version.address', !isRemote(address)) ? NO_ADDRESS : undefined;

export function createVersions(options: VersionOptions): Versions {
  const { now = Date.now } = options;
  /** One making for each commit at a time; what failed is not tried again at once. */
  const making = new Map<string, Promise<Result<string, WorkspaceError>>>();
  const failed = new Map<string, { readonly error: WorkspaceError; readonly until: number }>();
  const published = new Set<string>();

  async function make(commit: string): Promise<Result<string, WorkspaceError>> {
    const opened = await openFolder(join(options.home, PLACE), { create: true });
    if (!opened.ok) return unreadable(describeFileError(opened.error));
    const files = opened.value;
    const there = await readMark(files, commit);
    if (there !== undefined) return ok(there);
    await removeStale(files, commit);
    const before = failed.get(commit);
    if (before !== undefined && before.until > now()) return fail(before.error);
    await removeLeft(files, now());
    const made = await fetchVersion(options, files, commit);
    if (!made.ok) failed.set(commit, { error: made.error, until: now() + AGAIN_MS });
    else failed.delete(commit);
    return made;
  }

  return {
    async find({ commit, within = '' }) {
      if (guard('version.commit', !COMMIT.test(commit))) return fail(NO_COMMIT);
      const known = making.get(commit);
      const next = known ?? make(commit).finally(() => making.delete(commit));
      if (known === undefined) making.set(commit, next);
      const name = await next;
      if (!name.ok) return name;
      const folder = join(resolve(options.home), PLACE, name.value);
      return within === '' ? ok(folder) : inside(folder, within);
    },
    async publish(commit) {
      if (published.has(commit) || !COMMIT.test(commit)) return ok(undefined);
      const [sent, kept] = [await pushVersion(options, commit), await archiveVersion(options, commit)];
      if (sent.ok && kept.ok) published.add(commit);
      return sent.ok ? kept : sent;
    },
  };
}

/** Pushes a commit to the repository of the workspaces, where machines share one. */
async function pushVersion(
  { workspaces, folder, env, project }: VersionOptions,
  commit: string,
): Promise<Result<undefined, WorkspaceError>> {
  if (workspaces === undefined) return ok(undefined);
  const ref = `refs/cuebook/${project}/versions/${commit}`;
  const sent = await runGit({
    ...{ cwd: folder, env: gitEnvironment(env, reachOf(env)) },
    args: ['push', '--quiet', '--no-verify', '--', workspaces, `${commit}:${ref}`],
  });
  return sent.code === 0
    ? ok(undefined)
    : fail(missing(commit, 'it could not be put into the repository of the workspaces'));
}

/** Writes a commit into the archive, where there is one that does not have it. */
async function archiveVersion(
  { archive, folder, env, project }: VersionOptions,
  commit: string,
): Promise<Result<undefined, WorkspaceError>> {
  const key = archiveKey(project, commit);
  if (archive === undefined || (await archive.has(key))) return ok(undefined);
  const packed = await packVersion(
    (args, more = {}) => runGit({ cwd: folder, env: gitEnvironment(env), args, ...more }),
    commit,
  );
  if (!packed.ok) return packed;
  const isKept = await archive.put(key, packed.value);
  return isKept ? ok(undefined) : fail(missing(commit, 'it could not be written into the archive'));
}

/** Below CUEBOOK_HOME, where what agents work in is. */
const PLACE = 'workspaces/.versions';
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** What failed is looked for again after so long. */
const AGAIN_MS = 15_000;
const MAX_FILES = 200_000;
const MAX_NAMES = 64 << 20;

/**
 * Fetches a commit and writes its files into a fresh folder. The mark comes last and names the folder: killed before,
 * the folder is nobody's. Of two processes that do this at once the one that marks first is the one that counts.
 */
async function fetchVersion(
  options: VersionOptions,
  files: Files,
  commit: string,
): Promise<Result<string, WorkspaceError>> {
  const { home, env, fault, maxFiles = MAX_FILES } = options;
  const name = `${commit}-${randomUUID()}`;
  const made = await files.makeDirectory(name);
  if (!made.ok) return unreadable(describeFileError(made.error));
  const cwd = join(resolve(home), PLACE, name);
  const git: Git = (args, reaches = false, { maxBytes = MAX_NAMES, ...more } = {}) =>
    runGit({
      ...{ cwd, maxBytes, args: [...SAFE, ...args], ...more },
      env: gitEnvironment(env, {
        GIT_CEILING_DIRECTORIES: join(cwd, '..'),
        ...(reaches ? reachOf(env) : ALONE),
      }),
    });
  const done = async (): Promise<Result<string, WorkspaceError>> => {
    const begun = await git(['init', '--quiet', '--template=', `--object-format=${formatOf(commit)}`, '.']);
    if (begun.code !== 0) return fail(gitProblem(begun));
    const fetched = await fetchCommit(options, { git, files, name }, commit);
    if (!fetched.ok) return fetched;
    await fault?.('version.fetched');
    const listed = await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
    const count = listed.stdout.reduce((sum, byte) => sum + Number(byte === 0), 0);
    if (guard('version.large', listed.code !== 0 || count > maxFiles))
      return fail(missing(commit, `it has more than ${maxFiles} files`));
    const alone: ArchiveGit = (args, more) => git(args, false, more);
    if (isTooLarge(await sizeOfVersion(alone, commit, MAX_NAMES), options.maxBytes))
      return fail(missing(commit, 'its files are too large'));
    const filled = await git(['checkout', '--quiet', '--force', '--detach', commit, '--']);
    if (filled.code !== 0) return fail(missing(commit, 'git refuses to write its files'));
    await fault?.('version.filled');
    const marked = await files.writeText(markOf(commit), JSON.stringify({ version: 1, folder: name }), {
      ifMatch: 'absent',
    });
    if (!marked.ok && marked.error.code !== 'E_FILE_CHANGED')
      return unreadable(describeFileError(marked.error));
    await fault?.('version.ready');
    return ok((await readMark(files, commit)) ?? name);
  };
  const answer = await done();
  if (!answer.ok || answer.value !== name) await files.removeTree(name);
  return answer;
}

type Git = (
  args: readonly string[],
  reaches?: boolean,
  more?: { readonly input?: Uint8Array | string; readonly maxBytes?: number },
) => Promise<GitAnswer>;

/** A repository that a version is fetched into. */
interface Fetching {
  readonly git: Git;
  readonly files: Files;
  /** Its folder. */
  readonly name: string;
}

/**
 * Looks for a commit where it may be: here, among those that were published, at the source, where this was cloned from,
 * and in the archive.
 */
async function fetchCommit(
  options: VersionOptions,
  { git, files, name }: Fetching,
  commit: string,
): Promise<Result<undefined, WorkspaceError>> {
  const has = async (): Promise<boolean> => (await git(['cat-file', '-e', `${commit}^{tree}`])).code === 0;
  const places = await placesOf(options);
  for (const { address } of places) {
    const one = ['fetch', '--quiet', '--no-tags', '--depth=1', '--no-write-fetch-head', '--', address];
    const fetched = await git([...one, commit], true);
    if (fetched.code === 0 && (await has())) return ok(undefined);
    if (!/not our ref|unadvertised|allow/i.test(fetched.complaint)) continue;
    // A server that gives no commit by its name gives its branches.
    const all = ['fetch', '--quiet', '--no-write-fetch-head', '--', address];
    await git([...all, '+refs/heads/*:refs/cuebook/heads/*', '+refs/tags/*:refs/cuebook/tags/*'], true);
    if (await has()) return ok(undefined);
  }
  const { archive, project } = options;
  const bytes = await archive?.get(archiveKey(project, commit), MAX_PACK);
  const alone: ArchiveGit = (args, more) => git(args, false, more);
  const isTaken = bytes !== undefined && (await unpackVersion(alone, files, { bytes, commit, folder: name }));
  if (isTaken && (await has())) return ok(undefined);
  const names = [...places.map((place) => place.name), ...(archive === undefined ? [] : ['the archive'])];
  const looked = names.join(', ');
  return fail(missing(commit, looked === '' ? 'no repository is known here' : `it is not in ${looked}`));
}

async function placesOf({ folder, env, source, workspaces }: VersionOptions) {
  const ask = async (args: readonly string[]): Promise<string> => {
    const { code, stdout } = await runGit({ cwd: folder, env: gitEnvironment(env), args });
    return code === 0 ? stdout.toString().trim() : '';
  };
  const own = await ask(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const named = await ask(['config', '--get', 'remote.origin.url']);
  const origin = /^\.\.?\//.test(named) ? resolve(folder, named) : named;
  return [
    { name: 'this clone', address: own },
    { name: 'the repository of the workspaces', address: workspaces ?? '' },
    { name: 'the source', address: source ?? '' },
    { name: 'the remote that this was cloned from', address: origin },
  ].filter(({ address }) => isRemote(address));
}

const mark = z.strictObject({ version: z.literal(1), folder: z.string() });
const markOf = (commit: string): string => `${commit}.json`;

/** The folder of a version that is whole. */
async function readMark(files: Files, commit: string): Promise<string | undefined> {
  const text = await files.readText(markOf(commit), { limit: 1_000 });
  if (!text.ok) return undefined;
  try {
    const parsed = mark.safeParse(JSON.parse(text.value));
    const folder =
      parsed.success && parsed.data.folder.startsWith(`${commit}-`) ? parsed.data.folder : undefined;
    const found = folder === undefined ? undefined : await files.stat(folder);
    return found?.ok && found.value.kind === 'directory' ? folder : undefined;
  } catch {
    return undefined; // Not ours.
  }
}

/** A mark whose folder is gone is in the way of the next one; one that somebody wrote meanwhile is not. */
async function removeStale(files: Files, commit: string): Promise<void> {
  const found = await files.readDocument(markOf(commit), { limit: 1_000 });
  if (found.ok && (await readMark(files, commit)) === undefined)
    await files.remove(markOf(commit), { ifMatch: found.value.sha256 });
}

/** Removes what killed makings have left, once nobody can be at it any more. */
async function removeLeft(files: Files, now: number): Promise<void> {
  const listing = await files.list('.');
  if (!listing.ok) return;
  for (const { name, kind } of listing.value.entries) {
    const [, commit] = /^([0-9a-f]{40,64})-[0-9a-f-]{36}$/.exec(name) ?? [];
    if (commit === undefined || kind !== 'directory' || (await readMark(files, commit)) === name) continue;
    const stat = await files.stat(name);
    if (stat.ok && stat.value.modifiedMs < now - LEFT_MS) await files.removeTree(name);
  }
}

const LEFT_MS = 3_600_000;

/** A folder of a version, which no link leads out of. */
async function inside(folder: string, within: string): Promise<Result<string, WorkspaceError>> {
  const files = await openFolder(folder, { access: 'ro' });
  const found = files.ok && !isAbsolute(within) ? await files.value.stat(within) : undefined;
  const isThere = found?.ok === true && found.value.kind === 'directory';
  return guard('version.within', !isThere)
    ? fail({ code: 'E_WORKSPACE_VERSION', message: 'That version has no folder where the project was.' })
    : ok(join(folder, within));
}

const formatOf = (commit: string): string => (commit.length === 64 ? 'sha256' : 'sha1');

/** Nothing that a repository holds is run, and no name in it leads out of its folder on any system. */
const SAFE: readonly string[] = [
  ...['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true', '-c', 'fetch.fsckObjects=true'],
  ...['-c', 'submodule.recurse=false', '-c', 'protocol.ext.allow=never', '-c', 'core.autocrlf=false'],
];

/** Nobody's settings. */
const ALONE = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull };

const unreadable = (message: string): Result<never, WorkspaceError> =>
  fail({ code: 'E_WORKSPACE_READ', message });

const gitProblem = ({ missing: isMissing }: GitAnswer): WorkspaceError =>
  isMissing
    ? { code: 'E_WORKSPACE_GIT', message: 'The program git was not found; versions of a project need it.' }
    : { code: 'E_WORKSPACE_READ', message: 'git could not make a folder for a version.' };

const missing = (commit: string, why: string): WorkspaceError => ({
  code: 'E_WORKSPACE_VERSION',
  message: `The commit ${commit.slice(0, 12)} that the run uses cannot be had on this machine: ${why}.`,
});

const NO_COMMIT: WorkspaceError = {
  code: 'E_WORKSPACE_VERSION',
  message: 'What the run names as its commit is none.',
};

const NO_ADDRESS: WorkspaceError = {
  code: 'E_WORKSPACE_VERSION',
  message: 'A source is named by an absolute path, a file, ssh, git or http address, or s3://BUCKET/PREFIX.',
};
