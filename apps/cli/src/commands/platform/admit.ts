import { beginAdmission, revokeAdmission } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { timeText } from '../../record/event-text.js';

/** `cuebook platform admit NAME`: opens a challenge that the agent answers with its key. */
export const admit: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`platform admit NAME`}`);
  const newKey = flagValue(flags, 'new-key');
  if (newKey !== undefined && !/^[0-9a-f]{64}$/.test(newKey))
    throw usage('--new-key is a public key in hexadecimal, 64 digits');
  return withPlatform(flags, io, async (platform) => {
    const about = { agent, by: byWhom(flags, io), ...(newKey === undefined ? {} : { newKey }) };
    const challenge = requireDone(await beginAdmission(platform, about), agent);
    if (isOn(flags, 'json')) await printJson(io, { status: 'waiting', challenge });
    else
      await io.out(
        `Waiting for ${agent} to show its key, until ${timeText(challenge.expires_at)}. It answers by itself when it next asks the platform.\n`,
      );
    return 0;
  });
};

/** `cuebook platform expel NAME`: no more credentials; those that are out end within the hour. */
export const expel: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`platform expel NAME`}`);
  return withPlatform(flags, io, async (platform) => {
    requireDone(await revokeAdmission(platform, { agent, by: byWhom(flags, io) }), agent);
    if (isOn(flags, 'json')) await printJson(io, { agent, admission: 'revoked' });
    else await io.out(`${agent} gets no more credentials; those that are out end within the hour\n`);
    return 0;
  });
};
