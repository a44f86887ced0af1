import { guard } from '@cuebook/guard';
import type { Ask, ThreadWork } from './protocol.js';
import { type EndedJob, type LiveThread, startThread, type ThreadJob, type ThreadOptions } from './thread.js';

export type CrewOptions = Pick<ThreadOptions, 'folder' | 'heapMb' | 'read' | 'onOutput'>;

export interface Assignment {
  readonly work: ThreadWork;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly grant: (ask: Ask) => Promise<boolean>;
}

/** Threads that do work: one that takes it, and those that only finish what they have. */
export interface Crew {
  /** Never rejects. */
  readonly run: (assignment: Assignment) => Promise<EndedJob>;
  readonly close: () => Promise<void>;
}

/** How often a job that never began is handed to another thread. */
const MAX_TRIES = 2;
/** Threads that only finish what they have. More than these end at once, whatever they have. */
const MAX_RETIRED = 3;

/**
 * All calls share one thread, so that modules keep their state between calls. A thread in which a call was given
 * up gets no new ones: it ends when the calls beside that one have ended, and at once when it does not react.
 */
export function createCrew(options: CrewOptions): Crew {
  let current: LiveThread | undefined;
  const retired = new Set<LiveThread>();
  const placed = new Map<number, LiveThread>();
  const waiting = new Map<number, ThreadJob>();
  let isClosed = false;
  let ids = 0;

  const start = (): LiveThread => {
    const thread: LiveThread = startThread({
      ...options,
      onRetired() {
        if (current === thread) current = undefined;
        retired.add(thread);
        const [oldest] = retired;
        if (retired.size > MAX_RETIRED) void oldest?.end();
      },
      onEnd(unbegun) {
        if (current === thread) current = undefined;
        retired.delete(thread);
        for (const job of unbegun) {
          if (isClosed || guard('live.tries', job.tries >= MAX_TRIES)) {
            job.settle({ kind: 'stopped', reason: isClosed ? 'aborted' : 'exit', begun: false });
          } else place(job);
        }
      },
    });
    return thread;
  };

  const place = (job: ThreadJob): void => {
    current ??= start();
    placed.set(job.id, current);
    current.take(job);
  };

  return {
    run: ({ work, timeoutMs, signal, grant }) =>
      new Promise((resolve) => {
        if (isClosed || signal?.aborted) return resolve({ kind: 'stopped', reason: 'aborted', begun: false });
        ids += 1;
        const id = ids;
        const abort = (): void => placed.get(id)?.abort(id);
        signal?.addEventListener('abort', abort, { once: true });
        const settle = (ended: EndedJob): void => {
          signal?.removeEventListener('abort', abort);
          placed.delete(id);
          waiting.delete(id);
          resolve(ended);
        };
        const job: ThreadJob = { id, work, timeoutMs, grant, settle, tries: 0 };
        waiting.set(id, job);
        place(job);
      }),
    async close() {
      isClosed = true;
      for (const job of waiting.values()) job.settle({ kind: 'stopped', reason: 'aborted', begun: true });
      await Promise.all([current, ...retired].map((thread) => thread?.end()));
    },
  };
}
