import type { Readable } from 'node:stream';
import { guard } from '@cuebook/guard';
import { type ChildFailure, spawnFailure } from './child-failure.js';
import { nameProcess } from './children.js';
import { type Launched, type LaunchOptions, launch } from './launch.js';
import { readLines } from './line-queue.js';
import { endTree } from './process-tree.js';
import { fail, ok, type Result } from './result.js';
import { forget, remember } from './running.js';
import { createTail } from './tail.js';

export interface ChildOptions extends LaunchOptions {
  /** Its abort ends the child and all that it started. */
  readonly signal?: AbortSignal;
  /** A longer line of standard output is a failure and ends the child. */
  readonly maxLineBytes?: number;
  /** Hears of every arrival on standard output, whole lines or not. */
  readonly onOutput?: (bytes: number) => void;
  /** How long the child and its children may take to end after they were asked to. */
  readonly graceMs?: number;
  /** Nothing can come of it once its output is closed: if it goes on running it is ended, with failure `mute`. */
  readonly needsOutput?: boolean;
  /** Nothing can come of it once it does not take what is written: if it goes on running it is ended, `closed`. */
  readonly needsInput?: boolean;
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
  const started = launch(options);
  return started.ok ? follow(started.value, options) : neverStarted(started.error);
}

const MAX_LINE_BYTES = 32 << 20;
const STDERR_BYTES = 8192;
const GRACE_MS = 2000;
/** How long standard output may stay open, silent, after the child has ended: a grandchild may hold it for ever. */
const LINGER_MS = 250;
/** How long it may stay open after the child has ended, silent or not, while the reader keeps up. */
const LONGEST_LINGER_MS = 2000;
/** More than any pipe holds: what comes after so much was not written by the child. */
const LONGEST_LINGER_BYTES = 8 << 20;
/** How long a child may take to end by itself after it closed a pipe: most close it by ending. */
const CLOSED_MS = 500;

function follow(launched: Launched, options: ChildOptions): Child {
  const { maxLineBytes = MAX_LINE_BYTES, graceMs = GRACE_MS, signal, onOutput } = options;
  const { child, stdin, stdout, stderr, mark, refused } = launched;
  const { pid } = child;
  const tail = createTail(STDERR_BYTES);
  let failure: ChildFailure | undefined;
  let isGone = false;
  let isRefused = false;
  let afterExit: AfterExit | undefined;
  let ending: NodeJS.Timeout | undefined;
  let closed: ChildFailure | undefined;
  let killed: Promise<void> | undefined;

  const kill = () => {
    if (pid === undefined) return Promise.resolve();
    killed ??= (async () => {
      await noteClosed();
      const root = isGone ? undefined : pid;
      await endTree({ pid: root, group: root, mark, graceMs });
      queue.finish();
    })();
    return killed;
  };
  /** Whoever ends a child that has closed a pipe and runs on: that is why it is ended. */
  const noteClosed = async () => {
    if (closed === undefined || isGone || pid === undefined) return;
    if (guard('process.closed', await isRunning(pid)) && !isGone) failure ??= closed;
  };
  /** The conversation is over on one side. A child that has ended is only a moment late with its exit. */
  const cutOff = (why: ChildFailure) => {
    if (isGone || killed || pid === undefined) return;
    closed ??= why;
    ending ??= setTimeout(async () => {
      await noteClosed();
      if (failure !== undefined) void kill();
    }, CLOSED_MS);
  };
  const queue = readLines(stdout, {
    maxLineBytes,
    onChunk: (bytes) => {
      afterExit?.heard(bytes);
      onOutput?.(bytes);
    },
    onLong: () => {
      failure ??= { kind: 'line', limit: maxLineBytes };
      void kill();
    },
  });
  if (options.needsOutput) stdout.once('end', () => cutOff({ kind: 'mute' }));
  stderr.on('data', (chunk: Uint8Array) => tail.add(chunk));
  // A child that closes its input early makes writes fail; each write hears of it by itself.
  stdin.on('error', () => {});
  stderr.on('error', () => {});

  const exited = new Promise<ChildExit>((resolve) => {
    const end = (code: number | null, by: string | null) => {
      if (isGone) return;
      isGone = true;
      clearTimeout(ending);
      stdin.destroy();
      const finish = () => {
        queue.finish();
        stderr.destroy();
      };
      afterExit = waitForEnd(stdout, finish);
      signal?.removeEventListener('abort', onAbort);
      forget(pid);
      void refused.then((refusal) => {
        isRefused = refusal !== undefined;
        if (refusal) resolve({ code: null, signal: null, failure: refusal });
        else resolve({ code, signal: by, ...(failure ? { failure } : {}) });
      });
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
    // What the launcher said of a program that is not there is about itself.
    stderrTail: () => (isRefused ? '' : tail.text()),
    write: (text) =>
      new Promise((resolve) => {
        const refuse = () => {
          if (options.needsInput) cutOff({ kind: 'closed' });
          resolve(fail({ kind: 'closed' }));
        };
        if (isGone || !stdin.writable) return refuse();
        stdin.write(text, (error) => (error ? refuse() : resolve(ok(undefined))));
      }),
    endInput: () => void stdin.end(),
    exited,
    kill,
  };
}

/** Whether it runs; where the system does not list processes, that is what is known. */
async function isRunning(pid: number): Promise<boolean> {
  return (await nameProcess(process.pid)) === undefined || (await nameProcess(pid)) !== undefined;
}

interface AfterExit {
  heard(bytes: number): void;
}

/**
 * Waits for the end of the output of a child that has ended. A reader that is behind still gets all that the child wrote,
 * however long it takes; a grandchild that holds the pipe, or writes for ever, does not go on.
 */
function waitForEnd(stdout: Readable, finish: () => void): AfterExit {
  if (stdout.closed) return { heard: () => {} };
  let bytes = 0;
  const timers = [LINGER_MS, LONGEST_LINGER_MS].map((ms) => {
    const timer: NodeJS.Timeout = setTimeout(() => {
      const before = bytes;
      // What is there is read before: this process may have had no time to.
      setImmediate(() => {
        const isBehind = guard('process.behind', stdout.isPaused() || (ms === LINGER_MS && bytes > before));
        if (stdout.closed) return;
        // A reader that never comes back does not keep this process.
        if (isBehind) timer.refresh().unref();
        else finish();
      });
    }, ms);
    return timer;
  });
  const [linger, longest] = timers;
  // Time counts while the reader waits for the pipe, not while the pipe waits for the reader.
  stdout.on('resume', () => {
    linger?.refresh();
    longest?.refresh();
  });
  stdout.once('close', () => {
    for (const timer of timers) clearTimeout(timer);
  });
  return {
    heard(more) {
      bytes += more;
      linger?.refresh();
      if (guard('process.flood', bytes > LONGEST_LINGER_BYTES)) finish();
    },
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
