import { issueToken, listTokens, type PlatformRole, ROLES, revokeToken } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { timeText } from '../../record/event-text.js';

const PEOPLE = ROLES.filter((role): role is Exclude<PlatformRole, 'agent'> => role !== 'agent');

/** `cuebook platform token WHO --role ROLE`: a token for a person, shown once. */
export const token: CommandHandler = async (call) => {
  const { flags, io } = call;
  const who = oneArgument(call, `who it is for: ${hint`platform token WHO --role ROLE`}`);
  const role = PEOPLE.find((known) => known === flagValue(flags, 'role'));
  if (role === undefined) throw usage(`--role is one of ${PEOPLE.join(', ')}`);
  return withPlatform(flags, io, async (platform) => {
    const { text, record } = requireDone(await issueToken(platform, { who, role }), 'No token was made');
    if (isOn(flags, 'json')) await printJson(io, { id: record.id, who, role, token: text }, { exact: true });
    else
      await io.exact(
        told(io, `${text}\nShown once. Take it back with: ${hint`platform revoke ${record.id}`}\n`),
      );
    return 0;
  });
};

/** `cuebook platform tokens` */
export const tokens: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const all = await listTokens(platform);
    if (isOn(flags, 'json')) await printJson(io, { tokens: all });
    else if (all.length === 0)
      await io.out(told(io, `No tokens. Make one with: ${hint`platform token WHO --role ROLE`}\n`));
    else
      for (const { id, who, role, issuedAt, revokedAt } of all)
        await io.out(
          `${id}  ${role}  ${who}  ${timeText(issuedAt)}${revokedAt === undefined ? '' : `  taken back ${timeText(revokedAt)}`}\n`,
        );
    return 0;
  });

/** `cuebook platform revoke ID` */
export const revoke: CommandHandler = async (call) => {
  const { flags, io } = call;
  const id = oneArgument(call, `the token: ${hint`platform revoke ID`}`);
  return withPlatform(flags, io, async (platform) => {
    const done = requireDone(await revokeToken(platform, id), 'It was not taken back');
    if (!done)
      throw new Failure('E_PLATFORM_ROLE', `No token ${id} is valid; ${hint`platform tokens`} lists them`, {
        exit: 1,
      });
    if (isOn(flags, 'json')) await printJson(io, { id, revoked: true });
    else await io.out(`Took back ${id}\n`);
    return 0;
  });
};
