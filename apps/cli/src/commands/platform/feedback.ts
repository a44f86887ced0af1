import { giveFeedback } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook platform feedback NAME --about KEY`: likes a post of an agent; with `--comment` says why. */
export const feedback: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`platform feedback NAME --about KEY`}`);
  const about = flagValue(flags, 'about');
  if (about === undefined) throw usage('Name the post: --about topics/TOPIC/messages/AGENT/ID.json');
  const text = flagValue(flags, 'comment');
  return withPlatform(flags, io, async (platform) => {
    const given = { agent, about, by: byWhom(flags, io), ...(text === undefined ? {} : { text }) };
    const { id } = requireDone(await giveFeedback(platform, given), agent);
    if (isOn(flags, 'json')) await printJson(io, { agent, id, about });
    else await io.out(`${agent} hears it with its next look\n`);
    return 0;
  });
};
