import { assignedVersion, groupValues, keepGroups, recommendGroups } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { printJson } from '../../output/json.js';
import { screenText } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { askScenario } from '../../platform/ask.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/**
 * `cuebook platform groups AGENT`: the circles that share its interests, best first, with their scores. With `--explain`
 * a model says why each may suit; it cannot change a score.
 */
export const groups: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`platform groups AGENT`}`);
  return withPlatform(flags, io, async (platform) => {
    const values = isOn(flags, 'explain')
      ? requireDone(await groupValues(platform, agent), agent)
      : undefined;
    if (values !== undefined) {
      const scenario = requireDone(await assignedVersion(platform, 'interest_groups'), agent);
      const answer = await askScenario(call, scenario, values);
      const by = byWhom(flags, io);
      requireDone(await keepGroups(platform, { agent, answer, by, scenario }), agent);
    }
    const found = requireDone(await recommendGroups(platform, agent), agent);
    if (isOn(flags, 'json')) await printJson(io, { agent, groups: found });
    else if (found.length === 0) await io.out(`No circle shares an interest with ${agent}\n`);
    else
      for (const { group_id, score, shared, title, reasons = [] } of found) {
        await io.out(`${score.toFixed(2).padStart(6)}  circle/${group_id}  ${title}: ${shared.join(', ')}\n`);
        for (const reason of reasons) await io.out(`        ${screenText(reason, io.terminal.out)}\n`);
      }
    return 0;
  });
};
