import { type FleetMember, viewFleet } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { screenText } from '../../output/style.js';
import { withPlatform } from '../../platform/open.js';
import { timeText } from '../../record/event-text.js';

/** `cuebook platform fleet`: what each agent should have and has, who is behind and why. Exit code 1 when somebody is. */
export const fleet: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0)
    throw usage(`${hint`platform fleet`} takes no name; --after AGENT continues after one`);
  return withPlatform(flags, io, async (platform) => {
    const { members, more } = await viewFleet(platform, { after: flagValue(flags, 'after') });
    if (isOn(flags, 'json')) await printJson(io, { members, more });
    else {
      for (const member of members) await io.out(screenText(lineOf(member), io.terminal.out));
      const last = members.at(-1)?.agent;
      if (more && last !== undefined)
        await io.out(told(io, `There are more: ${hint`platform fleet --after ${last}`}\n`));
      if (members.length === 0) await io.out('There is no agent yet\n');
    }
    return members.every(({ state, verification }) => state !== 'behind' && verification?.ok !== false)
      ? 0
      : 1;
  });
};

function lineOf(member: FleetMember): string {
  const { agent, published, verification, seenAt, applied, failure, state, vouched } = member;
  const should = published === null ? 'nothing published' : `should have bundle ${published.version}`;
  const bundle = applied?.find(({ object }) => object.endsWith('/bundle.json'));
  const has = bundle === undefined ? 'has not said what it has' : `has bundle ${bundle.version}`;
  const seen = seenAt === null ? 'never seen' : `seen ${timeText(seenAt)}${vouched ? '' : ', not signed'}`;
  const store = verification?.ok === false ? `; the store: ${verification.code} ${verification.reason}` : '';
  const why =
    failure === null ? '' : `; refused ${failure.object}: ${failure.code} ${failure.reason}, ${failure.at}`;
  return `${agent}  ${state}: ${should}, ${has}; ${seen}${store}${why}\n`;
}
