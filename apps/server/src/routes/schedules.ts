import { SCHEDULE_ROUTES } from '@cuebook/api';
import { nextTime, type Schedule, type ScheduledCall, type Schedules } from '@cuebook/host';
import { fail, ok, type Result } from '@cuebook/prompt';
import { fromHost, type HttpError } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { inputNames, withInputs } from './sheet-inputs.js';

/** Runs that are begun by the clock. */
export function scheduleRoutes(schedules: Schedules) {
  return routeGroup(SCHEDULE_ROUTES, {
    listSchedules: async () => ok({ schedules: (await schedules.list()).map(scheduleView) }),
    addSchedule: async ({ body: { id: _, cron, zone, missed, inputs, ...given } }, { by }) => {
      const defined = Object.entries(given).filter(([, value]) => value !== undefined);
      const options = withInputs(given.target, inputs);
      if (!options.ok) return options;
      const call = {
        ...Object.fromEntries(defined),
        ...(options.value && { options: options.value }),
      } as unknown as ScheduledCall;
      return viewOf(await schedules.add({ cron, zone, missed, call }, by.name));
    },
    removeSchedule: async ({ params: { schedule } }, { by }) => {
      const removed = await schedules.remove(schedule, by.name);
      return removed.ok ? ok({ done: true }) : fail(fromHost(removed.error));
    },
    pauseSchedule: async ({ params: { schedule } }, { by }) =>
      viewOf(await schedules.pause(schedule, by.name)),
    resumeSchedule: async ({ params: { schedule } }, { by }) =>
      viewOf(await schedules.resume(schedule, by.name)),
  });
}

type Changed = Awaited<ReturnType<Schedules['pause']>>;

const viewOf = (changed: Changed): Result<ReturnType<typeof scheduleView>, HttpError> =>
  changed.ok ? ok(scheduleView(changed.value)) : fail(fromHost(changed.error));

const scheduleView = (schedule: Schedule) => {
  const { id, call, cron, zone, missed, by, addedAt, isPaused, doneTo, last } = schedule;
  return {
    ...{ id, target: call.target, cron, zone, missed, by, addedAt, paused: isPaused },
    inputs: inputNames(call.options),
    next: isPaused ? null : (nextTime(schedule, doneTo) ?? null),
    last: last ? { time: last.time, run: last.run ?? null, code: last.code ?? null } : null,
  };
};
