import { guard } from '@cuebook/guard';
import { startProgram } from '../program/program.js';
import { isFromThread } from './messages.js';
import type { Ask, FromThread, LiveInput, ThreadWork, ToThread, WorkOutcome } from './protocol.js';

/** A piece of work on its way through threads. */
export interface ThreadJob {
  readonly id: number;
  readonly work: ThreadWork;
  readonly timeoutMs: number;
  /** Answers the function's wishes. Never rejects. */
  readonly grant: (ask: Ask) => Promise<boolean>;
  /** Only the first call counts. */
  readonly settle: (ended: EndedJob) => void;
  /** How often it was handed to a thread. */
  tries: number;
}

/** What came of a job. */
export type EndedJob =
  | { readonly kind: 'outcome'; readonly outcome: WorkOutcome }
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
  readonly onEnd: (unbegun: readonly ThreadJob[]) => void;
}

/** Text in pieces, by where it comes from: `late` is what fails when no call waits for it, a line each. */
export type OnOutput = (text: string, from: 'stdout' | 'stderr' | 'late') => void;

/** One thread that runs functions of a project. */
export interface LiveThread {
  readonly take: (job: ThreadJob) => void;
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
  readonly job: ThreadJob;
  /** It was let go: whether it acted is not known until it has answered. */
  hasBegun: boolean;
  isAborted: boolean;
  clock: NodeJS.Timeout | undefined;
}

export function startThread(options: ThreadOptions): LiveThread {
  const held = new Map<number, Held>();
  const input: LiveInput = { folder: options.folder };
  const tell = (message: ToThread): void => program.tell(message);
  let isRetired = false;
  let probe: NodeJS.Timeout | undefined;

  const take = (job: ThreadJob): void => {
    const entry: Held = { job, hasBegun: false, isAborted: false, clock: undefined };
    job.tries += 1;
    held.set(job.id, entry);
    program.hold(true);
    awaitBegin(entry);
    tell({ type: 'call', id: job.id, work: job.work });
  };

  /** Waiting behind another call is no fault of either: the clock of the one that runs ends it. */
  const awaitBegin = (entry: Held): void => {
    entry.clock = setTimeout(() => {
      if ([...held.values()].some(({ hasBegun }) => hasBegun)) return awaitBegin(entry);
      settle(entry, { kind: 'stopped', reason: 'timeout', begun: false });
      void program.end();
    }, BEGIN_MS);
  };

  const settle = (entry: Held, ended: EndedJob): void => {
    clearTimeout(entry.clock);
    if (!held.delete(entry.job.id)) return;
    entry.job.settle(ended);
    if (held.size > 0) return;
    program.hold(false);
    if (isRetired) void program.end();
  };

  /** The function runs on, and nobody waits for it: what else runs in the thread may finish, if it lets it. */
  const giveUp = (entry: Held, reason: 'timeout' | 'aborted'): void => {
    tell({ type: 'abort', id: entry.job.id });
    const retire = !isRetired;
    isRetired = true;
    settle(entry, { kind: 'stopped', reason, begun: true });
    if (held.size > 0 && probe === undefined) {
      probe = setTimeout(() => {
        if (guard('live.stuck', probe !== undefined)) void program.end();
      }, PROBE_MS);
      tell({ type: 'ping' });
    }
    if (retire) options.onRetired();
  };

  const hear = (message: unknown): void => {
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
    if (told.type === 'end') {
      if (entry !== undefined) settle(entry, { kind: 'outcome', outcome: told.outcome });
      return;
    }
    tell({ type: entry === undefined ? 'no' : 'go', id: told.id });
    if (entry === undefined || entry.hasBegun) return;
    entry.hasBegun = true;
    clearTimeout(entry.clock);
    entry.clock = setTimeout(
      () => {
        if (guard('live.timeout', held.has(entry.job.id))) giveUp(entry, 'timeout');
      },
      Math.min(entry.job.timeoutMs, MAX_TIMEOUT_MS),
    );
  };

  const program = startProgram('live', {
    input,
    heapMb: options.heapMb,
    onMessage: hear,
    onOutput: options.onOutput,
    onExit({ outOfMemory }) {
      clearTimeout(probe);
      if (outOfMemory) options.onOutput('A function took too much memory\n', 'late');
      const entries = [...held.values()];
      held.clear();
      for (const entry of entries) {
        clearTimeout(entry.clock);
        if (entry.hasBegun) entry.job.settle({ kind: 'stopped', reason: 'exit', begun: true });
      }
      options.onEnd(entries.filter(({ hasBegun }) => !hasBegun).map(({ job }) => job));
    },
  });

  return {
    take,
    abort(id) {
      const entry = held.get(id);
      if (entry === undefined || entry.isAborted) return;
      entry.isAborted = true;
      if (!entry.hasBegun) return settle(entry, { kind: 'stopped', reason: 'aborted', begun: false });
      tell({ type: 'abort', id });
      clearTimeout(entry.clock);
      entry.clock = setTimeout(() => giveUp(entry, 'aborted'), ABORT_MS);
    },
    end: () => program.end(),
  };
}
