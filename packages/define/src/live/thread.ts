import { Worker } from 'node:worker_threads';
import { guard } from '../guard.js';
import { isFromThread } from './messages.js';
import type { Ask, FromThread, LiveInput, Outcome, ToThread, Work } from './protocol.js';

/** A piece of work on its way through threads. */
export interface Job {
  readonly id: number;
  readonly work: Work;
  readonly timeoutMs: number;
  /** Answers the function's wishes. Never rejects. */
  readonly grant: (ask: Ask) => Promise<boolean>;
  /** Only the first call counts. */
  readonly settle: (ended: Ended) => void;
  /** How often it was handed to a thread. */
  tries: number;
}

/** What came of a job. */
export type Ended =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | {
      readonly kind: 'stopped';
      readonly reason: 'timeout' | 'exit' | 'aborted';
      /** Whether the function had begun: if not, it did nothing. */
      readonly begun: boolean;
    };

export interface ThreadOptions {
  readonly folder: string | undefined;
  readonly heapMb: number;
  readonly read: (path: string) => Promise<string | undefined>;
  readonly onOutput: OnOutput;
  /** A call was given up in it: nothing new may be handed to it. */
  readonly onRetired: () => void;
  /** It is over. Jobs that had not begun come back. */
  readonly onEnd: (unbegun: readonly Job[]) => void;
}

/** Text in pieces, by where it comes from: `late` is what fails when no call waits for it, a line each. */
export type OnOutput = (text: string, from: 'stdout' | 'stderr' | 'late') => void;

/** One thread that runs functions of a project. */
export interface LiveThread {
  readonly take: (job: Job) => void;
  /** The caller wants the job to end: it gets a moment to do so by itself. */
  readonly abort: (id: number) => void;
  readonly end: () => Promise<void>;
}

/** How long a call has to answer after it was aborted. */
const ABORT_MS = 1_000;
/** How long a thread in which a call was given up has to show that it is not held by it. */
const PROBE_MS = 2_000;
/** How long a definition may take to load again, when nothing else runs in the thread. */
const BEGIN_MS = 30_000;
/** What a timer takes: more would fire at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

interface Held {
  readonly job: Job;
  readonly claim: Int32Array;
  hasBegun: boolean;
  isAborted: boolean;
  clock: NodeJS.Timeout | undefined;
}

export function startThread(options: ThreadOptions): LiveThread {
  const held = new Map<number, Held>();
  const workerData: LiveInput = { folder: options.folder };
  const worker = new Worker(new URL('../../bin/live.js', import.meta.url), {
    workerData,
    execArgv: ['--experimental-vm-modules', '--experimental-import-meta-resolve', '--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb, maxYoungGenerationSizeMb: 48 },
    stdout: true,
    stderr: true,
  });
  const heard = (['stdout', 'stderr'] as const).map((from) => {
    const stream = worker[from].setEncoding('utf8');
    stream.on('data', (text: string) => options.onOutput(text, from));
    return new Promise<void>((resolve) => stream.once('end', resolve));
  });
  const tell = (message: ToThread): void => worker.postMessage(message);
  let isRetired = false;
  let probe: NodeJS.Timeout | undefined;

  const take = (job: Job): void => {
    const claim = new SharedArrayBuffer(4);
    const entry: Held = {
      job,
      claim: new Int32Array(claim),
      hasBegun: false,
      isAborted: false,
      clock: undefined,
    };
    job.tries += 1;
    held.set(job.id, entry);
    worker.ref();
    awaitBegin(entry);
    tell({ type: 'call', id: job.id, work: job.work, claim });
  };

  /** Waiting behind another call is no fault of either: the clock of the one that runs ends it. */
  const awaitBegin = (entry: Held): void => {
    entry.clock = setTimeout(() => {
      if ([...held.values()].some(({ hasBegun }) => hasBegun)) return awaitBegin(entry);
      if (!takeBack(entry)) return;
      settle(entry, { kind: 'stopped', reason: 'timeout', begun: false });
      void worker.terminate();
    }, BEGIN_MS);
  };

  const settle = (entry: Held, ended: Ended): void => {
    clearTimeout(entry.clock);
    if (!held.delete(entry.job.id)) return;
    entry.job.settle(ended);
    if (held.size > 0) return;
    worker.unref();
    if (isRetired) void worker.terminate();
  };

  /** The function runs on, and nobody waits for it: what else runs in the thread may finish, if it lets it. */
  const giveUp = (entry: Held, reason: 'timeout' | 'aborted'): void => {
    tell({ type: 'abort', id: entry.job.id });
    const retire = !isRetired;
    isRetired = true;
    settle(entry, { kind: 'stopped', reason, begun: true });
    if (held.size > 0 && probe === undefined) {
      probe = setTimeout(() => {
        if (guard('live.stuck', probe !== undefined)) void worker.terminate();
      }, PROBE_MS);
      tell({ type: 'ping' });
    }
    if (retire) options.onRetired();
  };

  worker.on('message', (message: unknown) => {
    if (guard('live.message', !isFromThread(message))) return;
    const told = message as FromThread;
    if (told.type === 'pong') {
      clearTimeout(probe);
      probe = undefined;
    }
    if (told.type === 'late') options.onOutput(`${told.text}\n`, 'late');
    if (told.type === 'want') {
      void options.read(told.path).then((text) => tell({ type: 'text', path: told.path, text }));
    }
    if (!('id' in told)) return;
    const entry = held.get(told.id);
    if (told.type === 'ask') {
      const granted = entry === undefined ? Promise.resolve(false) : entry.job.grant(told);
      void granted.then((ok) => tell({ type: 'reply', ask: told.ask, ok }));
      return;
    }
    if (entry === undefined) return;
    if (told.type === 'end') return settle(entry, { kind: 'outcome', outcome: told.outcome });
    entry.hasBegun = true;
    if (entry.isAborted) return;
    clearTimeout(entry.clock);
    entry.clock = setTimeout(
      () => {
        if (guard('live.timeout', held.has(entry.job.id))) giveUp(entry, 'timeout');
      },
      Math.min(entry.job.timeoutMs, MAX_TIMEOUT_MS),
    );
  });
  // What it was is told by the exit that follows.
  worker.on('error', (error: unknown) => {
    if (error instanceof Error) options.onOutput(`${error.message}\n`, 'late');
  });
  worker.on('exit', () => {
    clearTimeout(probe);
    const entries = [...held.values()];
    const unbegun = entries.filter(takeBack);
    held.clear();
    for (const entry of entries) {
      clearTimeout(entry.clock);
      if (!unbegun.includes(entry)) entry.job.settle({ kind: 'stopped', reason: 'exit', begun: true });
    }
    options.onEnd(unbegun.map(({ job }) => job));
  });
  worker.unref();

  return {
    take,
    abort(id) {
      const entry = held.get(id);
      if (entry === undefined || entry.isAborted) return;
      entry.isAborted = true;
      if (takeBack(entry)) return settle(entry, { kind: 'stopped', reason: 'aborted', begun: false });
      tell({ type: 'abort', id });
      clearTimeout(entry.clock);
      entry.clock = setTimeout(() => giveUp(entry, 'aborted'), ABORT_MS);
    },
    async end() {
      await worker.terminate();
      // What was printed before the end is told before it.
      await Promise.all(heard);
    },
  };
}

/** Whether a job that was handed over had not begun, and now never will. */
const takeBack = ({ claim }: Held): boolean => Atomics.compareExchange(claim, 0, 0, 2) === 0;
