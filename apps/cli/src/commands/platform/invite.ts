import { isId } from '@cuebook/bundle';
import { hint } from '@cuebook/prompt/hint';
import { INVITATION_FORMAT, type Invitation } from '@cuebook/resident';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { withPlatform } from '../../platform/open.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';

/** `cuebook platform invite NAME [--out FILE]`: all that an agent's folder needs to know of this platform, in one file. */
export const invite: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`platform invite NAME`}`);
  if (!isId(agent)) throw usage('An agent has a name of a-z, 0-9, - and _');
  const out = flagValue(flags, 'out') ?? `${agent}.invitation.json`;
  await requireNewFile(io, out);
  return withPlatform(flags, io, async ({ config, name, trust }) => {
    const root = trust.root.bytes.toString('utf8');
    const invitation: Invitation = {
      format: INVITATION_FORMAT,
      agent,
      platform: config.url,
      log: name,
      root,
    };
    await writeNamedFile(io, out, Buffer.from(`${JSON.stringify(invitation, null, 2)}\n`));
    if (isOn(flags, 'json')) await printJson(io, { file: out, agent, platform: config.url });
    else
      await io.out(
        told(
          io,
          `Wrote ${out}. Send it to the owner of ${agent} in a way that nobody else can change: what ${agent} trusts begins with it.\nIn the folder of ${agent}: ${hint`agent init ${out}`}\n`,
        ),
      );
    return 0;
  });
};
