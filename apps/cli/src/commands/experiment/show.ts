import { type ExperimentResult, listExperiments, viewResult } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { evidenceText, lengthText } from './text.js';

/** `cuebook experiment`: what runs now. */
export const list: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const results: ExperimentResult[] = [];
    for (const { id } of await listExperiments(platform))
      results.push(requireDone(await viewResult(platform, id), id));
    if (isOn(flags, 'json')) await printJson(io, { experiments: results });
    else if (results.length === 0)
      await io.out(
        told(io, `No experiment runs. Begin one with: ${hint`experiment start NAME --scenario greeting`}\n`),
      );
    else for (const result of results) await io.out(headOf(result));
    return 0;
  });

/** `cuebook experiment show NAME`: the result, as far as it is one. */
export const show: CommandHandler = async (call) => {
  const { flags, io } = call;
  const id = oneArgument(call, `the experiment: ${hint`experiment show NAME`}`);
  return withPlatform(flags, io, async (platform) => {
    const result = requireDone(await viewResult(platform, id), id);
    if (isOn(flags, 'json')) await printJson(io, result);
    else {
      await io.out(
        headOf(result) + lengthText(result.plan, result.length) + evidenceText(result.comparisons),
      );
      await io.out(told(io, nextOf(result)));
    }
    return 0;
  });
};

const headOf = ({
  id,
  scenario,
  control,
  candidate,
  share,
  status,
  progress,
  cohorts,
}: ExperimentResult): string =>
  `${id}: ${scenario} version ${control} against ${candidate}, share ${share}, ${status}; ${cohorts.control} agents against ${cohorts.candidate}; ${Math.round(progress * 100)}% of the planned information\n`;

function nextOf({ id, next, candidate, scenario }: ExperimentResult): string {
  switch (next) {
    case 'ready':
      return `A person may give it to everybody: ${hint`experiment step ${id} --promote`}, or assign it: ${hint`library pin ${`${scenario}@${candidate}`}`}\n`;
    case 'advance':
      return `The next step widens it: ${hint`experiment step ${id}`}\n`;
    case 'roll-back':
      return `The next step takes it back: ${hint`experiment step ${id}`}\n`;
    default:
      return '';
  }
}
