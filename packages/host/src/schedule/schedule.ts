import type { StoredEvent } from '@cuebook/journal';
import type { StartCall } from '../contract.js';
import { runOf } from '../run-of.js';
import { MISSED_RULES, type ScheduleTimes } from './times.js';

/** A run that is begun by the clock. */
export interface Schedule extends ScheduleTimes {
  /** `sch_` and hex digits. */
  readonly id: string;
  readonly call: ScheduledCall;
  readonly by: string;
  readonly addedAt: number;
  readonly isPaused: boolean;
  /** Up to here every time was begun or left out. */
  readonly doneTo: number;
  /** Times that were decided to be begun, and of which it is not on record that they were. */
  readonly open: readonly number[];
  /** What came of the last time. */
  readonly last?: LastTime;
}

/** How the runs of a schedule are called. */
export type ScheduledCall = Omit<StartCall, 'id' | 'by'>;

export interface LastTime {
  readonly time: number;
  /** The run; left out: it did not begin. */
  readonly run?: string;
  readonly code?: string;
}

/** All schedules of a project, by id. */
export type ScheduleState = ReadonlyMap<string, Schedule>;

/** The id of the command that begins a schedule's time: the run follows from it, so that there is one, whoever begins it. */
export const commandOf = (schedule: string, time: number): string =>
  `${schedule} ${new Date(time).toISOString()}`;

/** The state after an event. Events that are not known, and schedules that are gone, change nothing. */
export function projectSchedules(state: ScheduleState, { type, data, at }: StoredEvent): ScheduleState {
  const { id, by, time, until, code, from, ...more } = data as unknown as Fields;
  const put = (next: Schedule): ScheduleState => new Map(state).set(id, next);
  if (type === 'schedule.added') {
    const { cron, zone, missed, call } = more;
    const times = { cron, zone, missed };
    return put({ id, ...times, call, by, addedAt: at, isPaused: false, doneTo: from, open: [] });
  }
  const known = state.get(id);
  if (known === undefined) return state;
  const { doneTo, open } = known;
  switch (type) {
    case 'schedule.removed':
      return new Map([...state].filter(([each]) => each !== id));
    case 'schedule.paused':
      return put({ ...known, isPaused: true });
    case 'schedule.resumed':
      // What would have been begun meanwhile is not made up.
      return put({ ...known, isPaused: false, doneTo: Math.max(doneTo, from) });
    case 'schedule.due':
      return put({ ...known, doneTo: Math.max(doneTo, time), open: [...open, time] });
    case 'schedule.skipped':
      return put({ ...known, doneTo: Math.max(doneTo, until) });
    case 'schedule.begun':
    case 'schedule.failed': {
      const came = type === 'schedule.begun' ? { run: runOf(commandOf(id, time)) } : { code };
      return put({ ...known, open: open.filter((each) => each !== time), last: { time, ...came } });
    }
    default:
      return state;
  }
}

/** Whether this version knows what an event says: it would begin at times at which a newer one does not. */
export function knowsSchedules({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  const { missed } = data as unknown as Partial<Fields>;
  return TYPES.has(type) && (missed === undefined || MISSED_RULES.includes(missed));
}

const TYPES = new Set(
  ['added', 'removed', 'paused', 'resumed', 'due', 'skipped', 'begun', 'failed'].map(
    (each) => `schedule.${each}`,
  ),
);

type Fields = ScheduleTimes & {
  readonly id: string;
  readonly by: string;
  readonly time: number;
  readonly until: number;
  /** By the clock of whoever added or resumed it. */
  readonly from: number;
  readonly code: string;
  readonly call: ScheduledCall;
};
