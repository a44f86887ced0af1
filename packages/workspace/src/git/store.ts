import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describeFileError, type Files, openFolder } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { type GitAnswer, type GitCall, gitEnvironment, runGit } from './git.js';
import type { FolderSnapshot } from './moment.js';
import { reachOf } from './reach.js';
import { createStoreUse, type StoreUse } from './use.js';

/**
 * Our own repository of contents, one for all runs of a home. Trees are kept in it byte for byte: its attributes
 * switch off every filter and conversion, and its settings are ours alone, so nothing that a project's repository
 * or an agent configures is run by what happens here. It has no refs, and nothing goes from it while anybody uses it;
 * which trees count is in the records of the nodes.
 */
export interface ContentStore {
  /** Git on the store alone, or on a folder as its work tree. */
  run(args: readonly string[], options?: StoreCall): Promise<GitAnswer>;
  /** Files below `workspaces` of the home. */
  readonly files: Files;
  /** The real folder of those. */
  readonly folder: string;
  /** The real folder of the contents, for a repository that borrows them. */
  readonly objects: string;
  /** A name below `files` that nobody else uses, and the real path of it. */
  temporary(): { readonly name: string; readonly path: string };
  /** Who works with it now. */
  readonly use: StoreUse;
  /** Work on one index, one after another: two at once would lock each other out. */
  inTurn<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
  /** What this process knows of the indexes. */
  readonly memory: Map<string, { readonly snapshot: FolderSnapshot; readonly stamp: string }>;
}

export interface StoreCall extends Pick<GitCall, 'input' | 'signal' | 'maxBytes'> {
  readonly tree?: string;
  readonly index?: string;
  /** Shows all content as binary. */
  readonly binary?: boolean;
  /** It may reach other machines, with the person's own settings and keys. */
  readonly reaches?: boolean;
}

export interface ContentStoreOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Opens the store below a home, and makes it when it is not there. */
export async function openStore({
  home,
  env,
}: ContentStoreOptions): Promise<Result<ContentStore, WorkspaceError>> {
  const folder = join(home, 'workspaces');
  const opened = await openFolder(folder, { create: true });
  if (!opened.ok) return fail({ code: 'E_WORKSPACE_READ', message: describeFileError(opened.error) });
  const files = opened.value;
  const git = join(folder, STORE);
  const run: ContentStore['run'] = (args, { tree, index, binary = false, reaches = false, ...rest } = {}) =>
    runGit({
      ...rest,
      cwd: tree ?? folder,
      args,
      env: gitEnvironment(env, {
        GIT_DIR: binary ? join(folder, BINARY) : git,
        GIT_OBJECT_DIRECTORY: join(git, 'objects'),
        ...(reaches ? reachOf(env) : ALONE),
        ...(tree === undefined ? {} : { GIT_WORK_TREE: tree }),
        ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      }),
    });
  const made = await makeStore(files, run);
  if (!made.ok) return made;
  const temporary: ContentStore['temporary'] = () => {
    const name = `${STORE}/temporary/${randomUUID()}`;
    return { name, path: join(folder, name) };
  };
  return ok({
    run,
    files,
    folder,
    objects: join(git, 'objects'),
    temporary,
    memory: new Map(),
    use: createStoreUse(files, STORE),
    inTurn: createTurns(),
  });
}

function createTurns(): ContentStore['inTurn'] {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const next = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, next);
    // Whoever comes last leaves nothing behind; a failure is for its own caller.
    const forget = () => {
      if (last.get(key) === next) last.delete(key);
    };
    next.then(forget, forget);
    return next;
  };
}

/** Nobody's settings but its own. */
const ALONE = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull };

/** Its folder below `workspaces`; no run has such a name. */
export const STORE = '.store';
/** The same contents seen through other attributes: `* -diff` is the one way to have git show text as binary. */
const BINARY = `${STORE}/binary`;

/** Files are written whole and the last one is the sign that all are there: a killed making is made again. */
async function makeStore(files: Files, run: ContentStore['run']): Promise<Result<undefined, WorkspaceError>> {
  const ready = await files.exists(`${STORE}/cuebook-ready`);
  if (ready.ok && ready.value) return ok(undefined);
  const init = await run(['init', '--quiet', '--bare', '--template=']);
  if (init.code !== 0) return fail(gitFailure(init));
  const written: readonly (readonly [string, string])[] = [
    [`${STORE}/config`, CONFIG],
    [`${STORE}/info/attributes`, ATTRIBUTES],
    [`${BINARY}/HEAD`, 'ref: refs/heads/none\n'],
    [`${BINARY}/config`, CONFIG],
    [`${BINARY}/info/attributes`, '* -diff\n'],
    [`${BINARY}/objects/.keep`, ''],
    [`${BINARY}/refs/.keep`, ''],
    [`${STORE}/temporary/.keep`, ''],
    [`${STORE}/folders/.keep`, ''],
    [`${STORE}/cuebook-ready`, '1\n'],
  ];
  for (const [path, text] of written) {
    const result = await files.writeText(path, text);
    if (!result.ok) return fail({ code: 'E_WORKSPACE_READ', message: describeFileError(result.error) });
  }
  return ok(undefined);
}

/** What a git that failed means for whoever called. */
export function gitFailure(answer: GitAnswer): WorkspaceError {
  if (answer.missing)
    return { code: 'E_WORKSPACE_GIT', message: 'The program git was not found; workspaces need it.' };
  if (/No space left/i.test(answer.complaint))
    return { code: 'E_WORKSPACE_READ', message: 'The disk is full.' };
  return { code: 'E_WORKSPACE_READ', message: 'git could not read or write the workspace.' };
}

const CONFIG = `[core]
\trepositoryFormatVersion = 0
\tbare = true
\tfileMode = true
\tsymlinks = true
\tautocrlf = false
\tcompression = 1
\tprotectHFS = false
\tprotectNTFS = false
\tfsync = all
\tfsyncMethod = batch
\tpreloadIndex = true
[gc]
\tauto = 0
\tpruneExpire = never
`;

/** Stands above the attributes of every folder. */
const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding !diff\n';
