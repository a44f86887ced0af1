import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Pushed, WorkspaceError } from '../contract.js';
import type { ProjectRepository } from '../place/project.js';

/** Sends what the person's branch holds to a branch of the remote, which only ever moves forward. */
export async function push(
  project: ProjectRepository,
  branch: string,
  signal?: AbortSignal,
): Promise<Result<Pushed, WorkspaceError>> {
  if (!(await project.hasCommit()))
    return refusal('The project is not the top of a git repository with a commit.');
  const named = await project.git(['check-ref-format', `refs/heads/${branch}`]);
  if (guard('push.name', named.code !== 0)) return refusal('That is not the name of a branch.');
  const remotes = (await project.git(['remote'])).stdout.toString().split('\n').filter(Boolean);
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  if (remote === undefined) return refusal('The project has no remote to push to.');
  const head = (await project.git(['rev-parse', 'HEAD'])).stdout.toString().trim();
  const args = ['push', '--porcelain', '--no-verify', remote, `${head}:refs/heads/${branch}`];
  const sent = await project.git(args, { reaches: true, signal });
  if (sent.code === 0) return ok({ remote, branch, commit: head });
  return refusal(
    /\[rejected\]|non-fast-forward|fetch first/.test(sent.stdout.toString() + sent.complaint)
      ? 'The branch has commits there that are not in yours.'
      : 'The remote did not take it: it cannot be reached, or does not know you.',
  );
}

const refusal = (message: string): Result<never, WorkspaceError> =>
  fail({ code: 'E_WORKSPACE_PUSH', message });
