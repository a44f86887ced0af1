import { DEFAULT_PLAN, type RolloutPlan, type RolloutStep, stepRollout } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { byWhom, withPlatform } from '../../platform/open.js';

/** `cuebook platform rollout NAME [--dry-run]`: the next step of an experiment, from what was counted. */
export const rollout: CommandHandler = async (call) => {
  const { flags, io } = call;
  const experiment = oneArgument(call, `the experiment: ${hint`platform rollout NAME`}`);
  const plan = planOf(flags);
  const command = flagValue(flags, 'id');
  const dryRun = isOn(flags, 'dry-run');
  if (command !== undefined && !/^[\x21-\x7e]{1,150}$/.test(command))
    throw usage('--id is a name of up to 150 letters, digits and signs, without spaces');
  return withPlatform(flags, io, async (platform) => {
    const request = { experiment, by: byWhom(flags, io), dryRun };
    const step = requireDone(
      await stepRollout(platform, {
        ...request,
        ...(plan === undefined ? {} : { plan }),
        ...(command === undefined ? {} : { command }),
      }),
      experiment,
    );
    if (isOn(flags, 'json')) await printJson(io, { ...step, dryRun });
    else await io.out(told(io, report(step, dryRun)));
    return 0;
  });
};

/** The plan that the flags name; undefined without any: the one on record goes on, or the usual one begins. */
function planOf(flags: Flags): RolloutPlan | undefined {
  const [stages, outcomes, metric, margin] = ['stages', 'outcomes', 'metric', 'margin'].map((flag) =>
    flagValue(flags, flag),
  );
  const guards = flagValues(flags, 'guard');
  const given = [stages, outcomes, metric, margin].some((value) => value !== undefined);
  if (!given && guards.length === 0) return undefined;
  return {
    stages: stages === undefined ? DEFAULT_PLAN.stages : stages.split(',').map(Number),
    outcomes: Number(outcomes ?? DEFAULT_PLAN.outcomes),
    metric: metric ?? DEFAULT_PLAN.metric,
    guards: guards.length === 0 ? DEFAULT_PLAN.guards : guards,
    margin: Number(margin ?? DEFAULT_PLAN.margin),
  };
}

function report(step: RolloutStep, dryRun: boolean): string {
  const { experiment, from, share, comparisons } = step;
  const evidence = comparisons.map(({ metric, arms, difference, verdict }) => {
    const { control, candidate } = arms;
    const range = `${signed(difference.low)} to ${signed(difference.high)}`;
    return `  ${metric}: control ${control.count}, candidate ${candidate.count}, difference ${range}, ${verdict}\n`;
  });
  const next =
    share === from
      ? ''
      : dryRun
        ? 'Nothing was changed; without --dry-run it is.\n'
        : `Agents hear of it with: ${hint`bundle publish`}\n`;
  return `${experiment}: ${SAID[step.type](step)}\n${evidence.join('')}${next}`;
}

const SAID: Readonly<Record<RolloutStep['type'], (step: RolloutStep) => string>> = {
  hold: ({ experiment, share, status, metric }) => {
    if (status === 'finished') return 'stays with the candidate for everybody';
    return status === 'rolled-back'
      ? `stays rolled back; end it with: ${hint`platform experiment ${experiment} --end`}`
      : `stays at share ${share}; ${metric} has too few outcomes, or leaves too much doubt`;
  },
  advance: ({ from, share }) => `share ${from} to ${share}`,
  finish: ({ from }) => `share ${from} to 1: everybody gets the candidate`,
  'roll-back': ({ metric }) => `rolled back to share 0: ${metric} is worse`,
};

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(3)}`;
