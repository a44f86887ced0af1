import { recommendGroups } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook platform groups AGENT`: the circles that share its interests, best first, with their scores. */
export const groups: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`platform groups AGENT`}`);
  return withPlatform(flags, io, async (platform) => {
    const found = requireDone(await recommendGroups(platform, agent), agent);
    if (isOn(flags, 'json')) await printJson(io, { agent, groups: found });
    else if (found.length === 0) await io.out(`No circle shares an interest with ${agent}\n`);
    else
      for (const { group_id, score, shared, title } of found)
        await io.out(`${score.toFixed(2).padStart(6)}  circle/${group_id}  ${title}: ${shared.join(', ')}\n`);
    return 0;
  });
};
