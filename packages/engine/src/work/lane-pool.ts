import { guard } from '@cuebook/guard';
import type { Tally } from '../loop/tally.js';
import { jobKey, type LaneJob } from './queue.js';

/**
 * Runs lanes side by side up to a limit, each lane once at a time. A lane below one that runs (`a/b` below `a`) has
 * a part of its place: the one above waits for it, and if it had to wait for a place of its own, both could for ever.
 */
export interface LanePool {
  /** A lane that runs already is looked at once more when it is done: nothing that is added is missed. */
  add(job: LaneJob): void;
  /** Forgets what has not begun. */
  clear(): void;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
}

export function createLanePool(
  tally: Tally,
  parallel: number,
  run: (job: LaneJob) => Promise<unknown>,
): LanePool {
  const waiting = new Map<string, { readonly job: LaneJob; readonly leave: () => void }>();
  const running = new Map<string, { readonly job: LaneJob; readonly done: Promise<unknown> }>();
  /** Those of the running ones that have a place of their own. */
  const placed = new Set<string>();

  const isBelowOne = ({ run: of, lane }: LaneJob): boolean =>
    [...running.values()].some(({ job }) => job.run === of && lane.startsWith(`${job.lane}/`));

  const pump = () => {
    for (const [key, { job, leave }] of waiting) {
      const isPart = guard('lane.part', isBelowOne(job));
      if (placed.size >= parallel && !isPart) continue;
      if (guard('lane.again', running.has(key))) continue;
      waiting.delete(key);
      if (!isPart) placed.add(key);
      const done = run(job).finally(() => {
        running.delete(key);
        placed.delete(key);
        pump();
        leave();
      });
      running.set(key, { job, done });
    }
  };

  return {
    add(job) {
      const key = jobKey(job);
      if (waiting.has(key)) return;
      waiting.set(key, { job, leave: tally.enter() });
      pump();
    },
    clear() {
      for (const { leave } of waiting.values()) leave();
      waiting.clear();
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
