import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fail, ok, type Result } from '@cuebook/prompt';
import { type ChildFailure, spawnFailure } from './child-failure.js';
import { announce, MARK_NAME, newMark } from './children.js';
import { readLines } from './line-queue.js';
import { endTree, send } from './process-tree.js';
import { createTail } from './tail.js';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child, but for the mark by which its descendants are found. */
  readonly env: Readonly<Record<string, string>>;
  /** Its abort ends the child and all that it started. */
  readonly signal?: AbortSignal;
  /** A longer line of standard output is a failure and ends the child. */
  readonly maxLineBytes?: number;
  /** Hears of every arrival on standard output, whole lines or not. */
  readonly onOutput?: (bytes: number) => void;
  /** How long the child and its children may take to end after they were asked to. */
  readonly graceMs?: number;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it did not start or was cut off. */
  readonly failure?: ChildFailure;
}

/** A program that runs. Nothing here throws or rejects: a program that cannot be started has ended. */
export interface Child {
  readonly pid: number | undefined;
  /** Standard output, for one reader; read no faster than it is taken. */
  readonly lines: AsyncIterable<string>;
  /** The last 8 KB of standard error. */
  stderrTail(): string;
  /** Settles once the child's pipe has taken the text; a child that is gone is a failure, not a throw. */
  write(text: string): Promise<Result<undefined, ChildFailure>>;
  endInput(): void;
  readonly exited: Promise<ChildExit>;
  /** Ends the child with everything that it started, and waits until they are gone. Safe to call twice. */
  kill(): Promise<void>;
}

/** Starts a program with pipes on all three streams, in a session of its own. */
export function startChild(options: ChildOptions): Child {
  const mark = newMark();
  const started = trySpawn(options, mark);
  return started.ok ? follow(started.value, options, `${MARK_NAME}=${mark}`) : neverStarted(started.error);
}

const MAX_LINE_BYTES = 32 << 20;
const STDERR_BYTES = 8192;
const GRACE_MS = 2000;
/** How long standard output may stay open, silent, after the child has ended: a grandchild may hold it for ever. */
const LINGER_MS = 250;

function trySpawn(
  { command, args, cwd, env }: ChildOptions,
  mark: string,
): Result<ChildProcessWithoutNullStreams, ChildFailure> {
  try {
    // A session of its own: an interrupt at the terminal reaches us alone, and we decide how the child ends.
    const detached = process.platform !== 'win32';
    const options = { cwd, env: { ...env, [MARK_NAME]: mark }, detached, windowsHide: true };
    return ok(spawn(command, [...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] }));
  } catch (error) {
    return fail(spawnFailure(error)); // A command line that is too long or holds a zero byte.
  }
}

function follow(child: ChildProcessWithoutNullStreams, options: ChildOptions, mark: string): Child {
  const { maxLineBytes = MAX_LINE_BYTES, graceMs = GRACE_MS, signal, onOutput } = options;
  const { pid, stdin, stdout, stderr } = child;
  const tail = createTail(STDERR_BYTES);
  let failure: ChildFailure | undefined;
  let isGone = false;
  let linger: NodeJS.Timeout | undefined;
  let killed: Promise<void> | undefined;

  const kill = () => {
    if (pid === undefined) return Promise.resolve();
    killed ??= endTree({ pid: isGone ? undefined : pid, mark, graceMs }).then(queue.finish);
    return killed;
  };
  const queue = readLines(stdout, {
    maxLineBytes,
    onChunk: (bytes) => {
      linger?.refresh();
      onOutput?.(bytes);
    },
    onLong: () => {
      failure ??= { kind: 'line', limit: maxLineBytes };
      void kill();
    },
  });
  stderr.on('data', (chunk: Uint8Array) => tail.add(chunk));
  // A child that closes its input early makes writes fail; each write hears of it by itself.
  stdin.on('error', () => {});
  stderr.on('error', () => {});

  const exited = new Promise<ChildExit>((resolve) => {
    const end = (code: number | null, by: string | null) => {
      if (isGone) return;
      isGone = true;
      stdin.destroy();
      linger = setTimeout(() => {
        queue.finish();
        stderr.destroy();
      }, LINGER_MS);
      stdout.once('close', () => clearTimeout(linger));
      if (stdout.closed) clearTimeout(linger);
      signal?.removeEventListener('abort', onAbort);
      forget(pid);
      resolve({ code, signal: by, ...(failure ? { failure } : {}) });
    };
    child.once('error', (error) => {
      failure ??= spawnFailure(error);
      if (pid === undefined) end(null, null);
    });
    child.once('exit', end);
  });
  const onAbort = () => void kill();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  remember(pid);

  return {
    pid,
    lines: queue.lines,
    stderrTail: tail.text,
    write: (text) =>
      new Promise((resolve) => {
        if (isGone || !stdin.writable) return resolve(fail({ kind: 'closed' }));
        stdin.write(text, (error) => resolve(error ? fail({ kind: 'closed' }) : ok(undefined)));
      }),
    endInput: () => void stdin.end(),
    exited,
    kill,
  };
}

function neverStarted(failure: ChildFailure): Child {
  async function* none(): AsyncGenerator<string> {}
  return {
    pid: undefined,
    lines: none(),
    stderrTail: () => '',
    write: async () => fail(failure),
    endInput: () => {},
    exited: Promise.resolve({ code: null, signal: null, failure }),
    kill: async () => {},
  };
}

/** The children that run now: if this process ends in an orderly way, they are asked to end too. */
const running = new Set<number>();

function remember(pid: number | undefined): void {
  if (pid === undefined) return;
  if (running.size === 0) process.on('exit', endAll);
  running.add(pid);
  announce(pid);
}

function forget(pid: number | undefined): void {
  if (pid === undefined || !running.delete(pid)) return;
  if (running.size === 0) process.off('exit', endAll);
}

function endAll(): void {
  for (const pid of running) send(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
}
