import { join } from 'node:path';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { gitEnvironment, runGit } from '../git/git.js';
import { gitFailure } from '../git/store.js';
import { fill } from '../git/tree.js';
import { nodeKey, type WorkspaceGround } from './place.js';

export interface FolderPlan {
  readonly run: string;
  readonly node: string;
  readonly form: 'worktree' | 'copy';
  readonly tree: string;
  /** The commit that a worktree stands at; left out: that of the person's branch. */
  readonly head?: string;
}

/**
 * Makes a folder and fills it with a tree; after a kill it goes on where it was. A worktree stands at the commit of
 * the person's branch, detached, so that its history is there and no branch of the person moves. A copy gets a small
 * repository of its own: without one, git would find the person's repository above it.
 */
export async function makeFolder(
  ground: WorkspaceGround,
  plan: FolderPlan,
): Promise<Result<undefined, WorkspaceError>> {
  const made = plan.form === 'worktree' ? await addWorktree(ground, plan) : await addCopy(ground, plan);
  if (!made.ok) return made;
  await ground.at('prepare.folder');
  const path = realFolder(ground, plan);
  const filled = await fill(ground.store, path, { tree: plan.tree, key: nodeKey(plan.run, plan.node) });
  if (!filled.ok) return filled;
  const head = plan.form === 'worktree' ? 'HEAD' : 'HEAD^{tree}';
  // What git itself thinks of the folder. When this fails the agent sees everything as new, which is no harm.
  await gitIn(ground, plan, ['read-tree', head]);
  await ground.at('prepare.filled');
  return ok(undefined);
}

/** Removes a folder, also one that is half there. */
export async function removeFolder(
  ground: WorkspaceGround,
  { run, node, form }: Omit<FolderPlan, 'tree' | 'head'>,
): Promise<Result<undefined, WorkspaceError>> {
  const { store, project } = ground;
  // Git removes names that no text can spell.
  if (form === 'worktree')
    await project.git(['worktree', 'remove', '--force', '--force', join(store.folder, run, node)]);
  else await gitIn(ground, { run, node }, ['clean', '-ffdxq']);
  const removed = await store.files.removeTree(`${run}/${node}`);
  if (removed.ok) return ok(undefined);
  return fail({ code: 'E_WORKSPACE_READ', message: 'The folder of a workspace could not be removed.' });
}

/** Whether the folder is there. */
export async function hasFolder({ store }: WorkspaceGround, run: string, node: string): Promise<boolean> {
  const found = await store.files.stat(`${run}/${node}`);
  return found.ok && found.value.kind === 'directory';
}

async function addWorktree(
  ground: WorkspaceGround,
  plan: FolderPlan,
): Promise<Result<undefined, WorkspaceError>> {
  const { store, project } = ground;
  const path = realFolder(ground, plan);
  if (await isWorktree(ground, plan)) return ok(undefined);
  // Whatever is there is the beginning of this very worktree: nothing was worked on in it.
  await store.files.removeTree(`${plan.run}/${plan.node}`);
  await store.files.makeDirectory(plan.run);
  const args = ['worktree', 'add', '--force', '--detach', '--no-checkout', path, plan.head ?? 'HEAD'];
  const added = await oneByOne(project.folder, () => project.git(args));
  return added.code === 0 ? ok(undefined) : fail(gitFailure(added));
}

/** Git that adds a worktree fails when it sees another that is half made, so they are added one after another. */
async function oneByOne<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  const next = (adding.get(folder) ?? Promise.resolve()).then(work, work);
  adding.set(folder, next);
  try {
    return await next;
  } finally {
    if (adding.get(folder) === next) adding.delete(folder);
  }
}

const adding = new Map<string, Promise<unknown>>();

async function isWorktree(ground: WorkspaceGround, plan: FolderPlan): Promise<boolean> {
  if (!(await hasFolder(ground, plan.run, plan.node))) return false;
  const top = await gitIn(ground, plan, ['rev-parse', '--show-cdup', '--verify', '--quiet', 'HEAD^{commit}']);
  return top.code === 0 && top.stdout.toString().startsWith('\n');
}

async function addCopy(
  ground: WorkspaceGround,
  plan: FolderPlan,
): Promise<Result<undefined, WorkspaceError>> {
  const { store } = ground;
  await store.files.makeDirectory(`${plan.run}/${plan.node}`);
  const begun = await gitIn(ground, plan, ['init', '--quiet', '--template=', '.']);
  if (begun.code !== 0) return fail(gitFailure(begun));
  // Contents are borrowed from the store, so that a copy takes no more of the disk than its files.
  const borrowed = await store.files.writeText(
    `${plan.run}/${plan.node}/.git/objects/info/alternates`,
    `${store.objects}\n`,
  );
  if (!borrowed.ok) return fail({ code: 'E_WORKSPACE_READ', message: 'A copy could not be begun.' });
  const commit = await gitIn(ground, plan, ['commit-tree', '-m', 'The project as it was', plan.tree]);
  if (commit.code !== 0) return fail(gitFailure(commit));
  const set = await gitIn(ground, plan, [
    'update-ref',
    '--no-deref',
    'HEAD',
    commit.stdout.toString().trim(),
  ]);
  return set.code === 0 ? ok(undefined) : fail(gitFailure(set));
}

const realFolder = ({ store }: WorkspaceGround, { run, node }: Pick<FolderPlan, 'run' | 'node'>): string =>
  join(store.folder, run, node);

/** Runs git in the folder of a node, and in no repository above it. */
export const gitIn = (
  ground: WorkspaceGround,
  plan: Pick<FolderPlan, 'run' | 'node'>,
  args: readonly string[],
) => {
  const cwd = realFolder(ground, plan);
  const env = gitEnvironment(ground.env, { ...NOBODY, GIT_CEILING_DIRECTORIES: join(cwd, '..') });
  return runGit({ cwd, args, env });
};

/** Who makes the one commit of a copy; its time is fixed, so that making it twice makes one. */
const NOBODY = {
  GIT_AUTHOR_NAME: 'cuebook',
  GIT_AUTHOR_EMAIL: 'cuebook@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'cuebook',
  GIT_COMMITTER_EMAIL: 'cuebook@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};
