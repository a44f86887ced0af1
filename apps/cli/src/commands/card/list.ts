import { findAgent, listAgents, viewCard } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { cardText, statusText } from '../../platform/card-text.js';
import { withPlatform } from '../../platform/open.js';

const STATUSES = ['pending', 'approved', 'rejected'];

/** `cuebook card list [--status STATUS]` */
export const list: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0)
    throw usage(`${hint`card list`} takes no name; ${hint`card show NAME`} shows one card`);
  const status = flagValue(flags, 'status');
  if (status !== undefined && !STATUSES.includes(status)) throw usage(`--status is ${STATUSES.join(', ')}`);
  return withPlatform(flags, io, async (platform) => {
    const views = (await listAgents(platform))
      .map(viewCard)
      .filter((view) => status === undefined || view.status === status);
    if (isOn(flags, 'json')) await printJson(io, { cards: views });
    else if (views.length === 0)
      await io.out(told(io, `No cards. Hand one in with: ${hint`card submit NAME`}\n`));
    else
      for (const view of views)
        await io.out(`${view.agent}  version ${view.cardVersion}  ${statusText(view)}  ${view.admission}\n`);
    return 0;
  });
};

/** `cuebook card show NAME`: the live view and base prompt. */
export const show: CommandHandler = async (call) => {
  const { flags, io } = call;
  const name = oneArgument(call, `the card: ${hint`card show NAME`}`);
  return withPlatform(flags, io, async (platform) => {
    const record = await findAgent(platform, name);
    if (record === undefined)
      throw new Failure('E_REVIEW', `No card is called "${name}"; ${hint`card list`} shows all`, {
        exit: 1,
      });
    const view = viewCard(record);
    if (isOn(flags, 'json')) await printJson(io, view);
    else await io.out(cardText(view, io));
    return 0;
  });
};
