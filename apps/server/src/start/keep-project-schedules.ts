import { clockOf } from '@cuebook/engine';
import { keepSchedules, openSchedules, type ScheduleKeeper } from '@cuebook/host';
import type { ServedProject, ServedProjectOptions } from './open-project.js';

/** Begins what the schedules of a project say, until it is stopped. */
export const keepProjectSchedules = (
  { store, runs, log }: Pick<ServedProject, 'store' | 'runs' | 'log'>,
  { clock = clockOf(store) }: Pick<ServedProjectOptions, 'clock'>,
): ScheduleKeeper =>
  keepSchedules(openSchedules(store, clock.now), {
    ...{ begin: runs.begin, clock },
    onProblem: (error) => log.problem(error, { about: 'schedules' }),
  });
