import { runProgram } from '@cuebook/process';
import type { AskGit } from '@cuebook/workspace/history';
import { Failure } from '../failure.js';

/** What a call of git answered. */
export interface GitOutput {
  readonly ok: boolean;
  readonly stdout: Buffer;
  /** Its complaint, for telling failures apart; never printed, as it may hold real paths. */
  readonly complaint: string;
}

/**
 * Runs git in a folder with an argument list, never through a shell. A checkout may be hostile: nothing in
 * its configuration gets to run a program of its own. Throws `Failure` only when there is no git.
 */
export async function git(
  folder: string,
  args: readonly string[],
  { limit = OUTPUT_LIMIT } = {},
): Promise<GitOutput> {
  const { code, stdout, stderr, ended, failure } = await runProgram({
    command: 'git',
    args: [...SAFE, ...args],
    cwd: folder,
    env: environment(),
    maxStdoutBytes: limit,
    maxStderrBytes: COMPLAINT_LIMIT,
    overflow: 'end',
    leavesNothing: true,
  });
  if (failure) throw noGit();
  if (ended === 'output') throw new Failure('E_GIT', `git answered more than ${limit} bytes`, { exit: 1 });
  return { ok: code === 0, stdout, complaint: stderr.toString() };
}

/** The same for one folder. */
export const askGit =
  (folder: string): AskGit =>
  (args) =>
    git(folder, args);

const environment = (): Record<string, string> => {
  const set = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
  return set as Record<string, string>;
};

const OUTPUT_LIMIT = 64 * 1024 * 1024;
const COMPLAINT_LIMIT = 4096;

const SAFE = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=', '-c', 'diff.external='];

const noGit = (): Failure =>
  new Failure('E_GIT', 'git could not be started. Install git, or make sure that it is on the PATH.', {
    exit: 3,
  });
