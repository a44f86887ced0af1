import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Runs git in a test's folder as a made-up author. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada Writer', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      GIT_AUTHOR_DATE: '2024-02-03T10:00:00+0200',
      GIT_COMMITTER_DATE: '2024-02-03T10:00:00+0200',
    },
    encoding: 'utf8',
  });

/** Commits all that is in the folder, which becomes a checkout first if it is none. */
export function commitAll(folder: string, message: string): void {
  if (!existsSync(join(folder, '.git'))) git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
}
