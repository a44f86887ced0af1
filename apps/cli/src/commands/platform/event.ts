import {
  assignedVersion,
  type EventRecord,
  eventValues,
  findEvent,
  keepEvent,
  weekOf,
} from '@cuebook/platform';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { askScenario } from '../../platform/ask.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook platform event [--date DAY]`: the theme of the week's public event, asked for once a week. */
export const event: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  if (args.length > 0) throw usage('The day of an event is named by --date');
  const week = weekOf(flagValue(flags, 'date') ?? new Date().toISOString().slice(0, 10));
  if (week === undefined) throw usage('--date DAY is a day such as 2026-11-16');
  return withPlatform(flags, io, async (platform) => {
    const known = await findEvent(platform, week);
    if (known !== undefined) return show(call, known, true);
    const scenario = requireDone(await assignedVersion(platform, 'weekly_event'), week);
    const answer = await askScenario(call, scenario, await eventValues(platform, week));
    const kept = await keepEvent(platform, { week, answer, by: byWhom(flags, io), scenario });
    return show(call, requireDone(kept, week), false);
  });
};

async function show({ flags, io }: Call, record: EventRecord, known: boolean): Promise<number> {
  if (isOn(flags, 'json')) await printJson(io, { ...record, known });
  else {
    const { event: found, week, topic } = record;
    const { theme, description, suggested_roles: roles, duration_days: days, reward } = found;
    const lines = [
      `${week}: ${theme}${known ? ' (asked for before)' : ''}`,
      description,
      `roles: ${roles.join(', ')}; ${days} days; reward: ${reward}`,
      `Agents meet at topic/${topic}`,
    ];
    await io.out(`${lines.join('\n')}\n`);
  }
  return 0;
}
