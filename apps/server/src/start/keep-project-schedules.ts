import { systemClock } from '@cuebook/engine';
import { keepSchedules, openSchedules, type ScheduleKeeper } from '@cuebook/host';
import { problemLine, type ServedProject, type ServedProjectOptions } from './open-project.js';

/** Begins what the schedules of a project say, until it is stopped. */
export const keepProjectSchedules = (
  { store, runs }: Pick<ServedProject, 'store' | 'runs'>,
  { clock = systemClock, log }: Pick<ServedProjectOptions, 'clock' | 'log'>,
): ScheduleKeeper =>
  keepSchedules(openSchedules(store, clock.now), {
    ...{ begin: runs.begin, clock },
    onProblem: (error) => log(problemLine(error, 'schedules')),
  });
