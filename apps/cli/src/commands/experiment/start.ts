import {
  beginRollout,
  DEFAULT_PLAN,
  endExperiment,
  findLibrary,
  listAgents,
  type OpenPlatform,
  setExperiment,
  stepRollout,
  type TemplateLibrary,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, type Flags, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { numberFlag, planOf } from './plan-flags.js';
import { lengthText } from './text.js';

/** `cuebook experiment plan --effect 0.05`: how long it would take, without beginning anything. */
export const plan: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0) throw usage(`A plan has flags only: ${hint`experiment plan --effect 0.05`}`);
  const asked = planOf(flags) ?? DEFAULT_PLAN;
  return withPlatform(flags, io, async (platform) => {
    const agents = numberFlag(flags, 'agents') ?? (await publishedCount(platform));
    const share = numberFlag(flags, 'share') ?? DEFAULT_SHARE;
    const { length = null } = beginRollout(asked, agents, share);
    if (isOn(flags, 'json')) await printJson(io, { plan: asked, agents, share, length });
    else await io.out(`${agents} agents, share ${share}\n${lengthText(asked, length)}`);
    return 0;
  });
};

/**
 * `cuebook experiment start NAME --scenario S [--candidate VERSION] [--effect 0.05]`: begins it and fixes its plan, or
 * changes the share of one that runs.
 */
export const start: CommandHandler = async (call) => {
  const { flags, io } = call;
  const id = oneArgument(call, `the experiment: ${hint`experiment start NAME --scenario NAME`}`);
  const by = byWhom(flags, io);
  const asked = planOf(flags);
  return withPlatform(flags, io, async (platform) => {
    const experiment = { id, ...armsOf(await findLibrary(platform), flags) };
    requireDone(await setExperiment(platform, experiment, by), id);
    const request = { experiment: id, by, ...(asked === undefined ? {} : { plan: asked }) };
    const { plan: fixed, length } = requireDone(await stepRollout(platform, request), id);
    if (isOn(flags, 'json')) await printJson(io, { experiment, plan: fixed, length });
    else
      await io.out(
        told(
          io,
          `${id}: ${experiment.scenario} version ${experiment.control} against ${experiment.candidate}, share ${experiment.share}\n${lengthText(fixed, length)}Publish it to the agents with: ${hint`bundle publish`}\n`,
        ),
      );
    return 0;
  });
};

/** `cuebook experiment end NAME`: everybody gets the assigned version again. */
export const end: CommandHandler = async (call) => {
  const { flags, io } = call;
  const id = oneArgument(call, `the experiment: ${hint`experiment end NAME`}`);
  return withPlatform(flags, io, async (platform) => {
    requireDone(await endExperiment(platform, id, byWhom(flags, io)), id);
    if (isOn(flags, 'json')) await printJson(io, { experiment: id, ended: true });
    else await io.out(told(io, `Ended ${id}. Publish it to the agents with: ${hint`bundle publish`}\n`));
    return 0;
  });
};

/** Control is what is assigned, the candidate the newest version that is signed, unless the flags say otherwise. */
function armsOf({ active, library }: TemplateLibrary, flags: Flags) {
  const scenario = flagValue(flags, 'scenario');
  const assigned = active.find(({ id }) => id === scenario);
  if (scenario === undefined || assigned === undefined)
    throw usage(`--scenario is one of ${active.map(({ id }) => id).join(', ')}`);
  const newest = Math.max(...library.filter(({ id }) => id === scenario).map(({ version }) => version));
  const control = numberFlag(flags, 'control') ?? assigned.version;
  const candidate = numberFlag(flags, 'candidate') ?? newest;
  if (control === candidate)
    throw usage(
      `Both arms would be ${scenario} version ${control}. Name another with --candidate VERSION, or make one: ${hint`library new ${scenario} --from FILE`}`,
    );
  return { scenario, control, candidate, share: numberFlag(flags, 'share') ?? DEFAULT_SHARE };
}

const publishedCount = async (platform: OpenPlatform): Promise<number> =>
  (await listAgents(platform)).filter(({ published }) => published !== undefined).length;

/** Half and half finds a difference the soonest; a loss is halted all the same. */
const DEFAULT_SHARE = 0.5;
