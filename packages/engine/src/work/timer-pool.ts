import { jobKey, type TimerJob, type WorkHost } from './queue.js';
import { waitOf } from './timer-wait.js';

/** Waits for timers of this process. */
export interface TimerPool {
  /** One that is known already fires now if the clock has passed its time meanwhile. */
  add(job: TimerJob): void;
  /** Forgets all that have not come due. */
  clear(): void;
}

export function createTimerPool(host: WorkHost): TimerPool {
  const { clock, tally, fireTimer, onProblem } = host;
  const armed = new Map<string, Armed>();

  const fire = (key: string, job: TimerJob, arm: Armed) => {
    if (arm.isOver) return;
    arm.isOver = true;
    arm.cancel();
    const leave = tally.enter();
    void fireTimer(job).finally(() => {
      armed.delete(key);
      leave();
    });
  };
  const wait = async (key: string, job: TimerJob, arm: Armed) => {
    const ms = await waitOf(host, job);
    if (arm.isOver || ms === job.at - clock.now()) return;
    arm.cancel();
    arm.cancel = clock.at(clock.now() + ms, () => fire(key, job, arm));
  };

  return {
    add(job) {
      const key = jobKey(job);
      const known = armed.get(key);
      const isDue = job.at <= clock.now();
      if (known && !isDue) return;
      const arm = known ?? { cancel: () => {}, isOver: false };
      armed.set(key, arm);
      if (isDue) return fire(key, job, arm);
      arm.cancel = clock.at(job.at, () => fire(key, job, arm));
      wait(key, job, arm).catch((error: unknown) => {
        if (!arm.isOver) onProblem(error);
      });
    },
    clear() {
      for (const arm of armed.values()) {
        arm.isOver = true;
        arm.cancel();
      }
      armed.clear();
    },
  };
}

interface Armed {
  cancel(): void;
  /** It fires, or is forgotten. */
  isOver: boolean;
}
