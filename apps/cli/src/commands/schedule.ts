import { MISSED_RULES, nextTime, openSchedules, type Schedule, type Schedules } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText } from '../output/style.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/open.js';
import { timeText } from '../record/event-text.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { keptCall } from '../run/kept-call.js';

/** `cuebook schedule [ACTION]`: runs that are begun by the clock. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const list: CommandHandler = async (call) => {
  if (call.args.length > 0) throw usage(`${hint`schedule`} takes no more words`);
  return withSchedules(call, async (schedules) => {
    const all = await schedules.list();
    const { flags, io } = call;
    if (isOn(flags, 'json')) await printJson(io, { schedules: all.map(shown) });
    else if (all.length === 0)
      await io.out(told(io, `No schedules. Add one: ${hint`schedule add KIND:TARGET --cron TIMES`}\n`));
    else for (const each of all) await io.out(line(each, call));
    return 0;
  });
};

const add: CommandHandler = async (call) => {
  const { flags } = call;
  const target = oneArgument(call, `what to run: ${hint`schedule add KIND:TARGET --cron TIMES`}`);
  const cron = flagValue(flags, 'cron');
  if (cron === undefined) throw usage('--cron says when: "0 9 * * 1-5" is nine o’clock on working days');
  const missed = MISSED_RULES.find((rule) => rule === (flagValue(flags, 'missed') ?? 'skip'));
  if (missed === undefined) throw usage(`--missed is one of ${MISSED_RULES.join(', ')}`);
  const times = { cron, missed, zone: flagValue(flags, 'zone') ?? 'UTC' };
  const given = await keptCall(call, target);
  return withSchedules(call, async (schedules) =>
    tell(call, done(await schedules.add({ ...times, call: given }, byWhom(flags, call.io)))),
  );
};

const remove: CommandHandler = async (call) => {
  const id = oneArgument(call, `the schedule: ${hint`schedule remove ID`}`);
  return withSchedules(call, async (schedules) => {
    done(await schedules.remove(await idOf(schedules, id), byWhom(call.flags, call.io)));
    if (isOn(call.flags, 'json')) await printJson(call.io, { id, removed: true });
    else await call.io.out(`Removed ${id}. Runs that it began go on.\n`);
    return 0;
  });
};

const change =
  (action: 'pause' | 'resume'): CommandHandler =>
  async (call) => {
    const id = oneArgument(call, 'the schedule by its id');
    return withSchedules(call, async (schedules) =>
      tell(call, done(await schedules[action](await idOf(schedules, id), byWhom(call.flags, call.io)))),
    );
  };

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['add', add],
  ['remove', remove],
  ['pause', change('pause')],
  ['resume', change('resume')],
]);

async function withSchedules(call: Call, work: (schedules: Schedules) => Promise<number>): Promise<number> {
  const where = await journalPlace(call.flags, call.io);
  return withOpened(where, ({ store }) => work(openSchedules(store)));
}

/** The id that a text stands for: itself, or the only one that begins with it. */
async function idOf(schedules: Schedules, text: string): Promise<string> {
  const ids = (await schedules.list()).map(({ id }) => id);
  const [only, ...others] = ids.filter((id) => id.startsWith(text));
  return only !== undefined && others.length === 0 ? only : text;
}

async function tell(call: Call, schedule: Schedule): Promise<number> {
  if (isOn(call.flags, 'json')) await printJson(call.io, shown(schedule));
  else {
    await call.io.out(line(schedule, call));
    await call.io.out(told(call.io, `Begun while a server of the project is up: ${hint`up`}\n`));
  }
  return 0;
}

function done<Value>(
  result:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } },
): Value {
  if (result.ok) return result.value;
  throw new Failure(result.error.code, result.error.message, { exit: 1 });
}

const shown = (schedule: Schedule) => {
  const { id, call, cron, zone, missed, by, addedAt, isPaused, doneTo, last } = schedule;
  const next = isPaused ? undefined : nextTime(schedule, doneTo);
  return {
    ...{ id, target: call.target, cron, zone, missed, by, addedAt: timeText(addedAt), paused: isPaused },
    next: next === undefined ? null : timeText(next),
    last: last ? { time: timeText(last.time), run: last.run ?? null, code: last.code ?? null } : null,
  };
};

const line = (schedule: Schedule, { io }: Call): string => {
  const { id, target, cron, zone, paused, next, last } = shown(schedule);
  const when = paused ? 'paused' : `next ${next ?? 'never'}`;
  const came = last ? `  last ${last.time} ${last.run ?? last.code}` : '';
  return `${id}  ${screenText(target, io.terminal.out)}  ${cron} ${zone}  ${when}${came}\n`;
};
