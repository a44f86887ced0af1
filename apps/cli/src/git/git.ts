import { spawn } from 'node:child_process';
import { Failure } from '../failure.js';

/** What a call of git answered. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly stdout: Buffer;
  /** Its complaint, for telling failures apart; never printed, as it may hold real paths. */
  readonly complaint: string;
}

/**
 * Runs git in a folder with an argument list, never through a shell. A checkout may be hostile: nothing in
 * its configuration gets to run a program of its own. Throws `Failure` only when there is no git.
 */
export function git(
  folder: string,
  args: readonly string[],
  { limit = OUTPUT_LIMIT } = {},
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...SAFE, ...args], {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else child.kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < COMPLAINT_LIMIT) complaint += chunk.toString();
    });
    child.on('error', () => reject(noGit()));
    child.on('close', (code) => {
      if (size > limit) reject(new Failure('E_GIT', `git answered more than ${limit} bytes`, { exit: 1 }));
      else resolve({ ok: code === 0, stdout: Buffer.concat(chunks), complaint });
    });
  });
}

const OUTPUT_LIMIT = 64 * 1024 * 1024;
const COMPLAINT_LIMIT = 4096;

const SAFE = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=', '-c', 'diff.external='];

const noGit = (): Failure =>
  new Failure('E_GIT', 'git could not be started. Install git, or make sure that it is on the PATH.', {
    exit: 3,
  });
