import { jobKey, type TimerJob, type WorkHost } from './queue.js';

/** Waits for timers of this process. */
export interface TimerPool {
  add(job: TimerJob): void;
  /** Forgets all that have not come due. */
  clear(): void;
}

export function createTimerPool({ clock, tally, fireTimer }: WorkHost): TimerPool {
  const armed = new Map<string, () => void>();

  const fire = (key: string, job: TimerJob) => {
    const leave = tally.enter();
    void fireTimer(job).finally(() => {
      armed.delete(key);
      leave();
    });
  };

  return {
    add(job) {
      const key = jobKey(job);
      if (armed.has(key)) return;
      armed.set(key, () => {});
      if (job.at <= clock.now()) fire(key, job);
      else
        armed.set(
          key,
          clock.at(job.at, () => fire(key, job)),
        );
    },
    clear() {
      for (const cancel of armed.values()) cancel();
      armed.clear();
    },
  };
}
