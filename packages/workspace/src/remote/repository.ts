import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { type GitAnswer, gitEnvironment, runGit } from '../git/git.js';
import { reachOf } from '../git/reach.js';
import type { WorkspaceGround } from '../place/place.js';

/** What may be named as a repository: a folder, or an address that git itself knows. */
export const isRemote = (address: string): boolean =>
  address.length <= 2_000 &&
  !/[\0-\x20\x7f]/.test(address) &&
  (/^(?:\/|[A-Za-z]:[\\/])/.test(address) ||
    /^(?:file|ssh|git|https?):\/\/[^-]/.test(address) ||
    /^[\w.][\w.-]*@[\w.][\w.-]*:[^:-]/.test(address));

/** Whether the repository answers. The message names no address: it may hold a password. */
export async function reachRemote(
  address: string,
  {
    env,
    cwd,
    signal,
  }: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Result<undefined, WorkspaceError>> {
  if (!isRemote(address)) return fail(NO_ADDRESS);
  const answer = await runGit({
    ...{ cwd, signal, env: gitEnvironment(env, reachOf(env)) },
    args: ['ls-remote', '--quiet', '--', address, 'refs/cuebook/none'],
  });
  return answer.code === 0 ? ok(undefined) : fail(remoteFailure(answer));
}

/** Sends commits of the store to refs of the remote repository, whatever these were. */
export async function sendTo(
  { store }: WorkspaceGround,
  address: string,
  refspecs: readonly string[],
): Promise<Result<undefined, WorkspaceError>> {
  const sent = await store.run(['push', '--quiet', '--no-verify', '--', address, ...refspecs], {
    reaches: true,
  });
  return sent.code === 0 ? ok(undefined) : fail(remoteFailure(sent));
}

/** Brings the contents that a ref of the remote repository leads to into the store. */
export async function fetchFrom(
  { store }: WorkspaceGround,
  address: string,
  ref: string,
): Promise<Result<undefined, WorkspaceError>> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', address, ref];
  // Contents lie one by one, so that those that nobody needs can go.
  const fetched = await store.run(['-c', `fetch.unpackLimit=${LOOSE}`, ...args], { reaches: true });
  return fetched.code === 0 ? ok(undefined) : fail(remoteFailure(fetched));
}

/** Removes refs of the remote repository. */
export async function dropRefs(ground: WorkspaceGround, address: string, prefix: string): Promise<void> {
  const listed = await ground.store.run(['ls-remote', '--quiet', '--refs', '--', address, `${prefix}/*`], {
    reaches: true,
  });
  const refs = listed.stdout
    .toString()
    .split('\n')
    .flatMap((line) => line.split('\t')[1] ?? []);
  if (listed.code === 0 && refs.length > 0)
    await sendTo(
      ground,
      address,
      refs.map((ref) => `:${ref}`),
    );
}

const LOOSE = 20_000;

/** Who makes commits of the store. */
export const NOBODY: readonly string[] = ['-c', 'user.name=cuebook', '-c', 'user.email=cuebook@localhost'];

function remoteFailure({ missing, complaint }: GitAnswer): WorkspaceError {
  if (missing)
    return { code: 'E_WORKSPACE_GIT', message: 'The program git was not found; workspaces need it.' };
  const why = /does not appear to be a git repository|not found|does not exist/i.test(complaint)
    ? 'there is no repository at that address'
    : /dubious ownership/i.test(complaint)
      ? 'the folder belongs to another user (git calls it safe.directory)'
      : /permission denied|authentication|could not read (?:username|password)|denied|403|401/i.test(
            complaint,
          )
        ? 'it does not let this machine in'
        : 'it did not answer';
  return { code: 'E_WORKSPACE_REMOTE', message: `The repository of the workspaces cannot be used: ${why}.` };
}

const NO_ADDRESS: WorkspaceError = {
  code: 'E_WORKSPACE_REMOTE',
  message:
    'The repository of the workspaces is named by an absolute path, or a file, ssh, git or http address.',
};
