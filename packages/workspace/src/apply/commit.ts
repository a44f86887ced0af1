import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { joinZ, splitZ } from '../git/zero.js';
import type { ProjectRepository } from '../place/project.js';

/**
 * Refuses a commit that would hold more than the work: files with changes of the person that are not committed, or a
 * project that is no repository with a commit.
 */
export async function uncommitted(
  project: ProjectRepository,
  paths: readonly string[],
): Promise<Result<undefined, WorkspaceError>> {
  if (!(await project.hasCommit()))
    return fail(
      refusal('The project is not the top of a git repository with a commit, so nothing can be committed.'),
    );
  const status = await project.git(['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames']);
  if (status.code !== 0) return fail(refusal('git cannot say what is not committed.'));
  const dirty = new Set(splitZ(status.stdout).map((line) => line.toString().slice(3)));
  const mixed = paths.filter((path) => dirty.has(path));
  if (guard('apply.dirty', mixed.length > 0))
    return fail(
      refusal(
        `A commit would take changes of yours with it in: ${mixed.slice(0, 10).join(', ')}. Apply without a commit.`,
      ),
    );
  return ok(undefined);
}

/** Commits exactly these files as they are in the folder; what else is staged stays as it is. */
export async function commitFiles(
  project: ProjectRepository,
  paths: readonly string[],
  message: string,
): Promise<Result<string, WorkspaceError>> {
  const input = joinZ(paths.map((path) => Buffer.from(path)));
  const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  const added = await project.git(['--literal-pathspecs', 'add', '--all', ...from], { input });
  const done =
    added.code === 0
      ? await project.git(
          [
            '--literal-pathspecs',
            'commit',
            '--quiet',
            '--no-verify',
            '--message',
            message,
            '--only',
            ...from,
          ],
          { input },
        )
      : added;
  if (done.code !== 0) {
    const why = /tell me who you are|empty ident/i.test(done.complaint)
      ? 'git does not know your name; set user.name and user.email.'
      : 'git refused it.';
    return fail(refusal(`The work is in the folder, and could not be committed: ${why}`));
  }
  const head = await project.git(['rev-parse', 'HEAD']);
  return ok(head.stdout.toString().trim());
}

const refusal = (message: string): WorkspaceError => ({ code: 'E_WORKSPACE_COMMIT', message });
