import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Runs git in a test's folder as a made-up author. */
export const git = (folder: string, ...args: readonly string[]): string => gitAt(DATE, folder, args);

const DATE = '2024-02-03T10:00:00+0200';

const gitAt = (date: string, folder: string, args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada Writer', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
    encoding: 'utf8',
  });

/** Commits all that is in the folder, which becomes a checkout first if it is none. */
export function commitAll(folder: string, message: string, date = DATE): void {
  if (!existsSync(join(folder, '.git'))) git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  gitAt(date, folder, ['commit', '--quiet', '--message', message]);
}
