import { endExperiment, findLibrary, setExperiment } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { byWhom, withPlatform } from '../../platform/open.js';

/** `cuebook platform experiment NAME --scenario S --candidate VERSION --share 0.1`, or `--end`. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const id = oneArgument(call, `the experiment: ${hint`platform experiment NAME --scenario NAME`}`);
  const by = byWhom(flags, io);
  return withPlatform(flags, io, async (platform) => {
    if (isOn(flags, 'end')) {
      requireDone(await endExperiment(platform, id, by), id);
      if (isOn(flags, 'json')) await printJson(io, { experiment: id, ended: true });
      else await io.out(told(io, `Ended ${id}. Agents hear of it with: ${hint`bundle publish`}\n`));
      return 0;
    }
    const scenario = flagValue(flags, 'scenario');
    const library = await findLibrary(platform);
    const active = library.active.find((known) => known.id === scenario);
    if (scenario === undefined || active === undefined)
      throw usage(`--scenario is one of ${library.active.map((known) => known.id).join(', ')}`);
    const number = (flag: string, otherwise: number) => Number(flagValue(flags, flag) ?? otherwise);
    const experiment = {
      id,
      scenario,
      control: number('control', active.version),
      candidate: number('candidate', active.version),
      share: number('share', 0.1),
    };
    requireDone(await setExperiment(platform, experiment, by), id);
    if (isOn(flags, 'json')) await printJson(io, { experiment });
    else await io.out(told(io, `${id} is set. Agents hear of it with: ${hint`bundle publish`}\n`));
    return 0;
  });
};
