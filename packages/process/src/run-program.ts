import type { Readable } from 'node:stream';
import { guard } from '@cuebook/guard';
import { type ChildFailure, spawnFailure } from './child-failure.js';
import { type Launched, type LaunchOptions, launch } from './launch.js';
import { endTree } from './process-tree.js';
import { forget, remember } from './running.js';
import { createTail } from './tail.js';

export interface ProgramCall extends LaunchOptions {
  /** All that it reads; nothing when left out. */
  readonly input?: Uint8Array | string;
  /** Its abort ends the program and all that it started. */
  readonly signal?: AbortSignal | undefined;
  /** How long it may run. */
  readonly timeoutMs?: number;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
  /** Past the limit of standard output the rest is read away (`cut`), or the program is ended (`end`). */
  readonly overflow?: 'cut' | 'end';
  /** Which part of standard error is kept. */
  readonly keepStderr?: 'first' | 'last';
  /** How long the program and its children may take to end after they were asked to. */
  readonly graceMs?: number;
  /**
   * It is known to leave nothing running when it ends by itself, so that nobody looks for it. Whoever calls it often
   * saves a look at all processes each time.
   */
  readonly leavesNothing?: boolean;
}

/** How a program ended. Nothing that it started runs any more. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly isStdoutCut: boolean;
  readonly isStderrCut: boolean;
  /** Why it was ended before it had ended by itself. */
  readonly ended?: 'time' | 'abort' | 'output';
  /** Why it did not start. */
  readonly failure?: ChildFailure;
  readonly durationMs: number;
}

/**
 * Runs a program to its end. It is over when everything is over that it started: sessions of its own, daemons and
 * what runs in the background, on a normal exit as on a time-out. Never rejects.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramEnd> {
  const started = performance.now();
  const launched = launch(call);
  if (!launched.ok) return notRun(launched.error);
  const { child, stdin, stdout, stderr, mark, refused } = launched.value;
  const { pid } = child;
  const { graceMs = GRACE_MS, signal, timeoutMs, overflow = 'cut', keepStderr = 'first' } = call;
  let ended: ProgramEnd['ended'];
  let ending: Promise<void> | undefined;
  let isGone = false;
  const end = (why: 'time' | 'abort' | 'output') => {
    if (isGone || pid === undefined) return;
    ended ??= why;
    ending ??= endTree({ pid, group: pid, mark, graceMs });
  };

  const out = collect(stdout, call.maxStdoutBytes, () => overflow === 'end' && end('output'));
  const errors =
    keepStderr === 'first' ? collect(stderr, call.maxStderrBytes) : collectLast(stderr, call.maxStderrBytes);
  // A program that does not read its input says so by its exit code.
  stdin.on('error', () => {});
  stdin.end(call.input ?? '');
  const limit = guard('process.time', timeoutMs !== undefined) ? timeoutMs : undefined;
  const timer = limit === undefined ? undefined : setTimeout(() => end('time'), Math.min(limit, LONGEST_MS));
  const stop = () => end('abort');
  signal?.addEventListener('abort', stop, { once: true });
  remember(pid);
  if (signal?.aborted) stop();

  const exit = await exitOf(launched.value);
  isGone = true;
  clearTimeout(timer);
  signal?.removeEventListener('abort', stop);
  forget(pid);
  await ending;
  const leavesNothing = call.leavesNothing === true && ending === undefined;
  if (pid !== undefined && guard('process.left', !leavesNothing)) {
    await endTree({ pid: undefined, group: pid, mark, graceMs });
  }
  await closed([stdout, stderr]);
  const failure = exit.failure ?? (await refused);
  if (failure) return notRun(failure);
  return {
    code: exit.code,
    signal: exit.signal,
    stdout: out.bytes(),
    stderr: errors.bytes(),
    isStdoutCut: out.isCut(),
    isStderrCut: errors.isCut(),
    ...(ended ? { ended } : {}),
    durationMs: Math.round(performance.now() - started),
  };
}

const GRACE_MS = 2_000;
/** Of what no look at the processes finds: how long it may hold a pipe open, silent or not. */
const LINGER_MS = 250;
/** The longest time that Node counts. */
const LONGEST_MS = 2 ** 31 - 1;

const notRun = (failure: ChildFailure): ProgramEnd => ({
  code: null,
  signal: null,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  isStdoutCut: false,
  isStderrCut: false,
  failure,
  durationMs: 0,
});

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly failure?: ChildFailure;
}

const exitOf = ({ child }: Launched): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, failure: spawnFailure(error) });
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });

/** Waits until the streams have been read to their ends, and no longer than a stranger may hold them open. */
function closed(streams: readonly Readable[]): Promise<unknown> {
  const timer = setTimeout(() => {
    // What is there is read before: this process may have had no time to.
    setImmediate(() => {
      for (const stream of streams) stream.destroy();
    });
  }, LINGER_MS);
  return Promise.all(
    streams.map((stream) => stream.closed || new Promise((resolve) => stream.once('close', resolve))),
  ).finally(() => clearTimeout(timer));
}

interface Collected {
  bytes(): Buffer;
  isCut(): boolean;
}

/** Keeps the beginning and reads the rest away, so that the program is not held up. */
function collect(stream: Readable, max: number, onCut: () => void = () => {}): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    const room = max - size;
    if (!guard('process.output', chunk.length > room)) {
      size += chunk.length;
      chunks.push(chunk);
      return;
    }
    if (room > 0) chunks.push(chunk.subarray(0, room));
    size = max;
    isCut = true;
    onCut();
  });
  return { bytes: () => Buffer.concat(chunks), isCut: () => isCut };
}

function collectLast(stream: Readable, max: number): Collected {
  const tail = createTail(max);
  let size = 0;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    tail.add(chunk);
  });
  return { bytes: () => Buffer.from(tail.text()), isCut: () => size > max };
}
