import { compareOutcomes, countDay, listExperiments } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook platform count DAY`: counts what came of the scenarios under trial on a day, once. */
export const count: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(call, `the day: ${hint`platform count 2026-11-15`}`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(named)) throw usage('A day is written 2026-11-15');
  return withPlatform(flags, io, async (platform) => {
    const counted = requireDone(await countDay(platform, named.replaceAll('-', '')), named);
    const experiments = await Promise.all(
      (await listExperiments(platform)).map(async ({ id }) => ({
        experiment: id,
        outcomes: await compareOutcomes(platform, id),
      })),
    );
    if (isOn(flags, 'json')) await printJson(io, { ...counted, experiments });
    else
      await io.out(
        counted.repeated
          ? `${named} was counted before\n`
          : told(io, `${named}: ${counted.outcomes} outcomes counted; ${hint`platform`} compares the arms\n`),
      );
    return 0;
  });
};
