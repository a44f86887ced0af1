import { type RolloutStep, stepRollout } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { planOf } from './plan-flags.js';
import { evidenceText } from './text.js';

/** `cuebook experiment step NAME [--dry-run] [--promote]`: the next step of an experiment, from what was counted. */
export const step: CommandHandler = async (call) => {
  const { flags, io } = call;
  const experiment = oneArgument(call, `the experiment: ${hint`experiment step NAME`}`);
  const plan = planOf(flags);
  const command = flagValue(flags, 'id');
  const dryRun = isOn(flags, 'dry-run');
  if (command !== undefined && !/^[\x21-\x7e]{1,150}$/.test(command))
    throw usage('--id is a name of up to 150 letters, digits and signs, without spaces');
  return withPlatform(flags, io, async (platform) => {
    const request = { experiment, by: byWhom(flags, io), dryRun, promote: isOn(flags, 'promote') };
    const taken = requireDone(
      await stepRollout(platform, {
        ...request,
        ...(plan === undefined ? {} : { plan }),
        ...(command === undefined ? {} : { command }),
      }),
      experiment,
    );
    if (isOn(flags, 'json')) await printJson(io, { ...taken, dryRun });
    else await io.out(told(io, report(taken, dryRun)));
    return 0;
  });
};

function report(taken: RolloutStep, dryRun: boolean): string {
  const { experiment, from, share, comparisons } = taken;
  const next =
    share === from
      ? ''
      : dryRun
        ? 'Nothing was changed; without --dry-run it is.\n'
        : `Publish it to the agents with: ${hint`bundle publish`}\n`;
  return `${experiment}: ${SAID[taken.type](taken)}\n${evidenceText(comparisons)}${next}`;
}

const SAID: Readonly<Record<RolloutStep['type'], (step: RolloutStep) => string>> = {
  hold: ({ experiment, share, status, metric }) => {
    if (status === 'finished') return 'stays with the candidate for everybody';
    return status === 'rolled-back'
      ? `stays rolled back; end it with: ${hint`experiment end ${experiment}`}`
      : `stays at share ${share}; ${metric} has too few outcomes, or leaves too much doubt`;
  },
  ready: ({ experiment, share }) =>
    `stays at share ${share}; a person may give the candidate to everybody: ${hint`experiment step ${experiment} --promote`}`,
  advance: ({ from, share }) => `share ${from} to ${share}`,
  finish: ({ from }) => `share ${from} to 1: everybody gets the candidate`,
  'roll-back': ({ metric }) => `rolled back to share 0: ${metric} is worse`,
};
