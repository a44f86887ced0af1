import { settleDay, settleDays } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook experiment count [DAY]`: counts what came of the scenarios under trial, once a day, and halts what does harm. */
export const count: CommandHandler = async ({ args, flags, io }) => {
  const [named, ...more] = args;
  if (more.length > 0) throw usage(`Name one day: ${hint`experiment count 2026-11-15`}`);
  if (named !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(named)) throw usage('A day is written 2026-11-15');
  return withPlatform(flags, io, async (platform) => {
    const by = byWhom(flags, io);
    const days =
      named === undefined
        ? requireDone(await settleDays(platform, by), 'The days')
        : [requireDone(await settleDay(platform, named.replaceAll('-', ''), by), named)];
    if (isOn(flags, 'json')) await printJson(io, { days });
    else if (days.length === 0) await io.out('Every day that has ended was counted before\n');
    else
      for (const { day, outcomes, repeated, halted } of days) {
        const shown = day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
        const said = repeated ? 'was counted before' : `${outcomes} outcomes counted`;
        await io.out(`${shown}: ${said}\n`);
        for (const { experiment, metric } of halted)
          await io.out(
            told(
              io,
              `Halted ${experiment}: ${metric} is worse, and nobody has the candidate any more. See ${hint`experiment show ${experiment}`}\n`,
            ),
          );
      }
    return days.some(({ halted }) => halted.length > 0) ? 1 : 0;
  });
};
