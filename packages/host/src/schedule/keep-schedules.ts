import type { Clock } from '@cuebook/engine';
import type { Host } from '../contract.js';
import type { Schedules } from './schedules.js';

/** Begins what schedules say while a process is up. Any number of processes of a project do this side by side. */
export interface ScheduleKeeper {
  stop(): Promise<void>;
}

export function keepSchedules(
  schedules: Schedules,
  {
    begin,
    clock,
    onProblem,
  }: Pick<Host, 'begin'> & {
    readonly clock: Clock;
    readonly onProblem: (error: unknown) => void;
  },
): ScheduleKeeper {
  const over = new AbortController();
  let wake = (): void => undefined;
  let isWoken = false;
  const ring = (): void => {
    isWoken = true;
    wake();
  };
  const until = (time: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.at(time, ring);
      wake = () => {
        cancel();
        resolve();
      };
      // The time may have come while the last look was taken.
      if (isWoken || over.signal.aborted || time <= clock.now()) wake();
    });
  /** Hears when somebody adds or changes one. What is lost is found at the next look. */
  const hear = async (): Promise<void> => {
    for await (const _ of schedules.changes(over.signal)) ring();
  };
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      isWoken = false;
      const now = clock.now();
      const { next, isLeft } = await schedules.tick(begin, now).catch((error: unknown) => {
        if (!over.signal.aborted) onProblem(error);
        return { isLeft: true, next: undefined };
      });
      const soonest = isLeft ? now + AGAIN_MS : now + LONGEST_MS;
      await until(Math.min(next ?? Number.POSITIVE_INFINITY, soonest));
    }
  };
  const working = work();
  hear().catch((error: unknown) => {
    if (!over.signal.aborted) onProblem(error);
  });
  return {
    async stop() {
      over.abort();
      ring();
      await working;
    },
  };
}

/** What could not be begun is tried again after this. */
const AGAIN_MS = 5_000;
/** A look is taken at least this often: the clock of a machine may leap, and a message may be lost. */
const LONGEST_MS = 30_000;
