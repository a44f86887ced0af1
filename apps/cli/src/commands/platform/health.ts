import { type Expiry, type PlatformHealth, viewHealth } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { typed } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { printJson } from '../../output/json.js';
import { count, styleFor } from '../../output/style.js';
import { withPlatform } from '../../platform/open.js';
import { timeText } from '../../record/event-text.js';

/**
 * `cuebook platform health`: every key, certificate and object with its end, who must act and by which command. Exit
 * code 1 when something has ended, does not count, or ends soon.
 */
export const health: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0) throw usage(`${hint`platform health`} takes no name`);
  return withPlatform(flags, io, async (platform) => {
    const found = await viewHealth(platform);
    const wanting = found.expiries.filter(({ state }) => state !== 'good');
    if (isOn(flags, 'json'))
      await printJson(io, { status: wanting.length === 0 ? 'good' : 'waiting', ...found });
    else await io.out(textOf(found, wanting, io));
    return wanting.length === 0 ? 0 : 1;
  });
};

function textOf({ roles, expiries }: PlatformHealth, wanting: readonly Expiry[], io: Io): string {
  const style = styleFor(io, 'out');
  const keys = roles.map(
    ({ role, keys: of, threshold }) =>
      `${role.padEnd(10)} ${threshold} of ${of.length}  ${of.map((key) => key.slice(0, 16)).join(', ')}\n`,
  );
  const first = new Map<string, Expiry>();
  for (const each of expiries)
    if (each.agent === undefined || !first.has(each.what)) first.set(each.what, each);
  const ends = [...first.values()].map(
    ({ what, agent, expires }) =>
      `${what.padEnd(10)} ${expires === null ? 'not there' : timeText(expires)}${agent === undefined ? '' : `  first ${agent}`}\n`,
  );
  const acts = wanting.slice(0, MOST_LINES).map((each) => {
    const about = each.agent === undefined ? each.what : `${each.agent} ${each.what}`;
    const when = each.expires === null ? 'is not there' : `until ${timeText(each.expires)}`;
    const mark = each.state === 'expired' ? style.red('✗') : style.yellow('!');
    return `${mark} ${about} ${WHY[each.why ?? 'time']}${when}; ${WHO[each.who]}: ${typed(io, each.command)}\n`;
  });
  const more = wanting.length - acts.length;
  return [
    ...keys,
    ...ends,
    ...acts,
    more > 0 ? `and ${count(more, 'more line')}; --json lists all\n` : '',
    wanting.length === 0 ? `${style.green('✓')} nothing ends before long\n` : '',
  ].join('');
}

const WHY = {
  time: '',
  unsigned: 'is not signed by those who count now; ',
  'not-in-library': 'is not in the library any more; ',
  key: 'was signed by another key; ',
} as const;

const WHO: Readonly<Record<Expiry['who'], string>> = {
  server: 'the server does it by itself, or by hand',
  root: 'holders of root keys',
  library: 'the holder of the library key',
  reviewer: 'a reviewer',
};

const MOST_LINES = 50;
