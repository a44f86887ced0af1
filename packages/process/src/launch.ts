import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { guard } from '@cuebook/guard';
import { type ChildFailure, spawnFailure } from './child-failure.js';
import { limitOf, MARK_NAME, newMark } from './mark.js';
import { fail, ok, type Result } from './result.js';

export interface LaunchOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program, but for the mark by which its descendants are found. */
  readonly env: Readonly<Record<string, string>>;
}

/** A program that the system has started, in a session of its own and marked. */
export interface Launched {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** `NAME=value`. */
  readonly mark: string;
  /** Settles when the program runs, or when it is known why it does not. */
  readonly refused: Promise<ChildFailure | undefined>;
}

/**
 * Starts a program with pipes on all three streams. On Linux a shell sets the limit that marks it and becomes the
 * program: neither costs a process. No shell reads the arguments.
 */
export function launch({ command, args, cwd, env }: LaunchOptions): Result<Launched, ChildFailure> {
  const mark = newMark();
  const [, value = ''] = mark.split('=');
  const hasShell = guard('process.limit', process.platform === 'linux');
  const words = hasShell
    ? ['-c', LAUNCHER, 'sh', limitOf(mark), strayNames(env), command, ...args]
    : [...args];
  try {
    const child = spawn(hasShell ? '/bin/sh' : command, words, {
      cwd,
      env: { ...env, [MARK_NAME]: value },
      // A session of its own: an interrupt at the terminal reaches us alone, and we decide how the child ends.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(hasShell ? (['pipe'] as const) : [])],
    });
    // Whoever follows the child hears of it too; without any listener it would be thrown.
    child.on('error', () => {});
    const { stdin, stdout, stderr } = child;
    const refusal = child.stdio?.[3] as Readable | undefined;
    // No stream could be opened: this process has as many files open as it may.
    if (!stdin || !stdout || !stderr) return fail({ kind: 'start', system: 'EMFILE' });
    return ok({ child, stdin, stdout, stderr, mark, refused: readRefusal(child, refusal) });
  } catch (error) {
    return fail(spawnFailure(error)); // A command line that is too long or holds a zero byte.
  }
}

/**
 * The limit of file locks is -w or -x, by shell. What is written to the fourth stream is the exit code of a shell that
 * could not become the program, by its own word where it has one.
 */
const LAUNCHER = `trap '{ echo "$?" >&3; } 2>/dev/null' EXIT
trap 'trap - EXIT TERM; kill -TERM $$' TERM
ulimit -w "$1" 2>/dev/null || ulimit -x "$1" 2>/dev/null
unset $2
shift 2
command -v -- "$1" >/dev/null 2>&1 || case $1 in
*/*) if [ -e "$1" ]; then exit 126; else exit 127; fi ;;
*) exit 127 ;;
esac
exec "$@" 3>&-`;

/** Variables that a shell sets by itself and that the caller did not give. */
const strayNames = (env: LaunchOptions['env']): string =>
  ['PWD', 'OLDPWD', 'SHLVL', '_'].filter((name) => !(name in env)).join(' ');

function readRefusal(child: ChildProcess, stream: Readable | undefined): Promise<ChildFailure | undefined> {
  if (stream === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    let said = '';
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
    });
    stream.on('error', () => {});
    stream.once('close', () => resolve(REFUSALS[said.trim()]));
  });
}

const REFUSALS: Readonly<Record<string, ChildFailure>> = {
  '126': { kind: 'denied' },
  '127': { kind: 'missing' },
};
