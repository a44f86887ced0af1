import { MISSED_RULES, nextTime, openSchedules, type Schedule } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText } from '../output/style.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/by-whom.js';
import { timeText } from '../record/event-text.js';
import { changed, idIn, listing, withRegister } from '../register/open.js';
import { keptCall } from '../run/kept-call.js';
import { warnOfUnfit } from '../run/unfit-call.js';

/** `cuebook schedule [ACTION]`: runs that are started at set times. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const add: CommandHandler = async (call) => {
  const { flags } = call;
  const target = oneArgument(call, `what to run: ${hint`schedule add KIND:TARGET --cron TIMES`}`);
  const cron = flagValue(flags, 'cron');
  if (cron === undefined) throw usage('--cron says when: "0 9 * * 1-5" is nine o’clock on working days');
  const missed = MISSED_RULES.find((rule) => rule === (flagValue(flags, 'missed') ?? 'skip'));
  if (missed === undefined) throw usage(`--missed is one of ${MISSED_RULES.join(', ')}`);
  const times = { cron, missed, zone: flagValue(flags, 'zone') ?? 'UTC' };
  const given = await keptCall(call, target);
  return withRegister(call, openSchedules, async (schedules) => {
    const added = changed(await schedules.add({ ...times, call: given }, byWhom(flags, call.io)));
    await warnOfUnfit(call, given);
    return tell(call, added);
  });
};

const remove: CommandHandler = async (call) => {
  const id = oneArgument(call, `the schedule: ${hint`schedule remove ID`}`);
  return withRegister(call, openSchedules, async (schedules) => {
    const gone = changed(await schedules.remove(await idIn(schedules, id), byWhom(call.flags, call.io)));
    if (isOn(call.flags, 'json')) await printJson(call.io, { id: gone.id, removed: true });
    else await call.io.out(`Removed ${gone.id}. Runs that it started continue.\n`);
    return 0;
  });
};

const change =
  (action: 'pause' | 'resume'): CommandHandler =>
  async (call) => {
    const id = oneArgument(call, 'the schedule by its id');
    return withRegister(call, openSchedules, async (schedules) =>
      tell(call, changed(await schedules[action](await idIn(schedules, id), byWhom(call.flags, call.io)))),
    );
  };

/** How it is listed. */
const list = listing({
  key: 'schedules',
  open: openSchedules,
  shown: (each) => shown(each),
  line: (each, call) => line(each, call),
  none: `No schedules. Add one: ${hint`schedule add KIND:TARGET --cron TIMES`}`,
  called: hint`schedule`,
});

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['add', add],
  ['remove', remove],
  ['pause', change('pause')],
  ['resume', change('resume')],
]);

async function tell(call: Call, schedule: Schedule): Promise<number> {
  if (isOn(call.flags, 'json')) await printJson(call.io, shown(schedule));
  else {
    await call.io.out(line(schedule, call));
    await call.io.out(told(call.io, `Runs start while a server of the project is up: ${hint`up`}\n`));
  }
  return 0;
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
