import { randomBytes } from 'node:crypto';
import { createWordSeal, maskedWords, sealedIn } from '@cuebook/engine';
import {
  describeJournalError,
  type JournalError,
  type NewEvent,
  openRegister,
  type RegisterStore,
  registerRun,
  type Store,
  timeOf,
} from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { ok, type Result } from '@cuebook/prompt';
import { beginOnce } from '../begin-once.js';
import type { Host, HostError } from '../contract.js';
import { refuse } from '../errors.js';
import {
  commandOf,
  knowsSchedules,
  projectSchedules,
  type Schedule,
  type ScheduledCall,
  type ScheduleState,
} from './schedule.js';
import { dueTimes, nextTime, type ScheduleTimes, timesProblem } from './times.js';

/** The schedules of a project, kept in its journal. */
export interface Schedules {
  list(): Promise<readonly Schedule[]>;
  add(schedule: NewSchedule, by: string): Promise<Result<Schedule, HostError>>;
  remove(id: string, by: string): Promise<Result<{ readonly id: string }, HostError>>;
  /** Begins nothing until it is resumed. Times in between are not made up. */
  pause(id: string, by: string): Promise<Result<Schedule, HostError>>;
  resume(id: string, by: string): Promise<Result<Schedule, HostError>>;
  /**
   * Begins what is due. Which times are begun and which are left out is decided once, on record, before anything is
   * begun; the run of a time has one id, whoever begins it: so each time is one run, however many do this at once and
   * wherever they die. Answers when something is due next.
   */
  tick(begin: Host['begin'], at?: number): Promise<TickAnswer>;
  /** Resolves over and over when something changed, until the signal fires. */
  changes(signal: AbortSignal): AsyncIterable<unknown>;
}

export interface NewSchedule extends ScheduleTimes {
  readonly call: ScheduledCall;
}

export interface TickAnswer {
  /** When something is due next; left out: nothing is. */
  readonly next?: number;
  /** Something could not be begun now; it stays due. */
  readonly isLeft: boolean;
}

export type ScheduleStore = RegisterStore & Partial<Pick<Store, 'vault'>>;

/**
 * `now` is the clock that times are held against. A credential in the words of a schedule is sealed; whoever lists
 * schedules gets a mask.
 */
export function openSchedules(store: ScheduleStore, now = timeOf(store)): Schedules {
  const register = openRegister<ScheduleState>(store, 'schedules', {
    initial: new Map(),
    project: projectSchedules,
    knows: knowsSchedules,
  });
  const words = createWordSeal(store.vault, RUN);
  const shown = (schedule: Schedule): Schedule => ({ ...schedule, call: maskedWords(schedule.call) });
  const write = async (
    decide: (state: ScheduleState) => Result<readonly NewEvent[], HostError>,
    blobs: readonly Uint8Array[] = [],
  ): Promise<Result<true, HostError>> => {
    const done = await register.change<true, HostError>((state) => {
      const events = decide(state);
      return events.ok ? ok({ events: events.value, answer: true, blobs }) : events;
    });
    if (done.ok) return done;
    return 'kind' in done.error ? { ok: false, error: done.error } : unavailable(done.error);
  };
  /** Changes one that is there. */
  const change = async (id: string, type: string, by: string): Promise<Result<Schedule, HostError>> => {
    const done = await write((state) =>
      state.has(id) ? ok([{ type, data: { id, by, from: now() } }]) : unknown(id),
    );
    const changed = (await register.read()).get(id);
    return done.ok ? (changed ? ok(shown(changed)) : unknown(id)) : done;
  };
  /** Writes down which times are to be begun and which are left out. Only the first to decide does. */
  const decideDue = (at: number) =>
    write((state) =>
      ok(
        [...state.values()].flatMap((schedule): readonly NewEvent[] => {
          const { id, isPaused, doneTo } = schedule;
          if (isPaused) return [];
          const { begin, skipTo } = dueTimes(schedule, doneTo, at);
          const skipped =
            skipTo === undefined ? [] : [{ type: 'schedule.skipped', data: { id, until: skipTo } }];
          return [...skipped, ...begin.map((time) => ({ type: 'schedule.due', data: { id, time } }))];
        }),
      ),
    );

  return {
    list: async () => [...(await register.read()).values()].map(shown),
    async add({ cron, zone, missed, call }, by) {
      const problem = timesProblem({ cron, zone });
      if (problem !== undefined)
        return refuse('invalid', 'E_SCHEDULE_CRON', `${JSON.stringify(cron.slice(0, 200))}: ${problem}.`);
      if (!/^[a-z]+:./.test(call.target))
        return refuse('invalid', 'E_RUN_TARGET', 'A target is a kind and a name: agent:NAME, team:FILE.');
      const id = `sch_${randomBytes(8).toString('hex')}`;
      const sealed = await words.seal({ call, by });
      if (!sealed.ok) return unavailable(sealed.error);
      const { value, blobs } = sealed.value;
      const data = asJson({ id, cron, zone, missed, ...value, from: now() });
      const done = await write(
        (state) =>
          state.size >= MOST
            ? refuse('conflict', 'E_SCHEDULE_MANY', `There are ${MOST} schedules. Remove one first.`)
            : ok([{ type: 'schedule.added', data }]),
        blobs,
      );
      const added = (await register.read()).get(id);
      return done.ok ? (added ? ok(shown(added)) : unknown(id)) : done;
    },
    async remove(id, by) {
      const gone = (await register.read()).get(id);
      const done = await write((state) =>
        state.has(id) ? ok([{ type: 'schedule.removed', data: { id, by } }]) : unknown(id),
      );
      if (!done.ok) return done;
      // What another schedule says as well stays.
      const left = new Set([...(await register.read()).values()].flatMap(sealedIn));
      await store.vault?.erase(
        RUN,
        sealedIn(gone).filter((entry) => !left.has(entry)),
      );
      return ok({ id });
    },
    pause: (id, by) => change(id, 'schedule.paused', by),
    resume: (id, by) => change(id, 'schedule.resumed', by),
    async tick(begin, at = now()) {
      const decided = await decideDue(at);
      let isLeft = !decided.ok;
      for (const { id, call, open } of (await register.read()).values())
        for (const time of open) {
          const clear = await words.open(call);
          const asked = { ...call, ...clear, id: commandOf(id, time), by: `schedule:${id}` };
          const begun =
            clear === undefined
              ? refuse('invalid', 'E_EFFECT_SEALED', ERASED)
              : await beginOnce(store, begin, asked);
          if (!begun.ok && begun.error.kind === 'unavailable') {
            isLeft = true;
            continue;
          }
          const came = begun.ok
            ? { type: 'schedule.begun', data: { id, time } }
            : { type: 'schedule.failed', data: { id, time, code: begun.error.code } };
          const noted = await write((state) => ok(state.get(id)?.open.includes(time) === true ? [came] : []));
          isLeft ||= !noted.ok;
        }
      const next = [...(await register.read()).values()]
        .filter(({ isPaused }) => !isPaused)
        .map((schedule) => nextTime(schedule, schedule.doneTo) ?? Number.POSITIVE_INFINITY)
        .reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
      return { isLeft, ...(Number.isFinite(next) ? { next } : {}) };
    },
    changes: (signal) => register.follow(signal),
  };
}

const RUN = registerRun('schedules');
const MOST = 1_000;
const ERASED = 'A credential in the words of the schedule was erased, or sealed in another home.';

const unknown = (id: string): Result<never, HostError> =>
  refuse('notFound', 'E_SCHEDULE_UNKNOWN', `There is no schedule ${JSON.stringify(id.slice(0, 80))}.`);
const unavailable = (error: JournalError): Result<never, HostError> =>
  refuse('unavailable', error.code, describeJournalError(error));
