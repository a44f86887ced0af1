import { devNull } from 'node:os';
import { runProgram } from '@cuebook/process';

/** How git is called. */
export interface GitCall {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly input?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
  /** More output ends it. */
  readonly maxBytes?: number;
}

/** What git answered. `code` is null when it could not be run, was ended, or said too much. */
export interface GitAnswer {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** Its last words. They may spell real paths: for decisions, never for people. */
  readonly complaint: string;
  readonly missing: boolean;
}

/**
 * Runs git, and no program that a repository's settings name: hooks, monitors, signing, pagers, editors, prompts and
 * transports are off. Filters and drivers are the caller's affair. Never rejects.
 */
export async function runGit(call: GitCall): Promise<GitAnswer> {
  const { cwd, env, args, input, signal, maxBytes = MAX_BYTES } = call;
  const { code, stdout, stderr, ended, failure } = await runProgram({
    command: 'git',
    args: [...QUIET, ...args],
    cwd,
    env,
    ...(input === undefined ? {} : { input }),
    signal,
    timeoutMs: MAX_MS,
    maxStdoutBytes: maxBytes,
    maxStderrBytes: MAX_COMPLAINT,
    keepStderr: 'last',
    overflow: 'end',
    leavesNothing: true,
  });
  const isWhole = ended !== 'output';
  return {
    code: ended === undefined ? code : null,
    stdout: isWhole ? stdout : Buffer.alloc(0),
    complaint: stderr.toString('utf8'),
    missing: failure?.kind === 'missing',
  };
}

/** An environment in which no variable of the caller leads git elsewhere. */
export function gitEnvironment(
  parent: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = Object.entries(parent).filter(([name]) => !/^(GIT_|LC_|LANG|EDITOR$|PAGER$|SSH_)/i.test(name));
  return { ...Object.fromEntries(kept), ...SETTLED, ...set };
}

const MAX_BYTES = 256 << 20;
const MAX_MS = 600_000;
const MAX_COMPLAINT = 16_384;

const SETTLED = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
};

const QUIET: readonly string[] = [
  ...['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'],
  ...['-c', 'commit.gpgSign=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'],
  ...['-c', 'diff.external=', '-c', 'core.quotePath=true', '-c', 'advice.detachedHead=false'],
];
