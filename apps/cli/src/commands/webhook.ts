import {
  openWebhooks,
  type ProjectWebhook,
  type ScheduledCall,
  type ToldWebhook,
  WEBHOOK_ANSWERS,
  type WebhookAct,
} from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText } from '../output/style.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/by-whom.js';
import { timeText } from '../record/event-text.js';
import { changed, idIn, listing, withRegister } from '../register/open.js';
import { keptCall } from '../run/kept-call.js';
import { warnOfUnfit } from '../run/unfit-call.js';

/** `cuebook webhook [ACTION]`: addresses at which an outside program may do one thing. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const add: CommandHandler = async (call) => {
  const { flags } = call;
  const target = oneArgument(call, `what to run: ${hint`webhook add KIND:TARGET`}`);
  const does = await actOf(call, target);
  return withRegister(call, openWebhooks, async (webhooks) => {
    const added = changed(await webhooks.add(does, byWhom(flags, call.io)));
    if (does.act === 'start') await warnOfUnfit(call, deliveredTo(does), { isStranger: true });
    return tell(call, added);
  });
};

/** The call as a delivery makes it, with a word for each value that the body brings. */
function deliveredTo({ call, takes }: Extract<WebhookAct, { readonly act: 'start' }>): ScheduledCall {
  const names = Object.keys(takes);
  if (!call.target.startsWith('sheet:')) return names.length === 0 ? call : { ...call, input: 'A delivery.' };
  const { set } = (call.options ?? {}) as { readonly set?: Readonly<Record<string, string>> };
  const taken = Object.fromEntries(names.map((name) => [name, 'A delivery.']));
  return { ...call, options: { ...call.options, set: { ...set, ...taken } } };
}

const rotate: CommandHandler = async (call) => {
  const id = oneArgument(call, `the webhook: ${hint`webhook rotate ID`}`);
  const hours = flagValue(call.flags, 'hours') ?? '24';
  if (!/^\d{1,3}$/.test(hours) || Number(hours) > 720)
    throw usage(`--hours takes a number from 0 to 720, not ${hours}`);
  return withRegister(call, openWebhooks, async (webhooks, now) => {
    const endsAt = now() + Number(hours) * 60 * 60_000;
    const by = byWhom(call.flags, call.io);
    return tell(call, changed(await webhooks.rotate(await idIn(webhooks, id), by, { endsAt })));
  });
};

const remove: CommandHandler = async (call) => {
  const text = oneArgument(call, `the webhook: ${hint`webhook remove ID`}`);
  return withRegister(call, openWebhooks, async (webhooks) => {
    const { id } = changed(await webhooks.remove(await idIn(webhooks, text), byWhom(call.flags, call.io)));
    if (isOn(call.flags, 'json')) await printJson(call.io, { id, removed: true });
    else await call.io.out(`Removed ${id}. Runs that it started continue.\n`);
    return 0;
  });
};

/** How it is listed. */
const list = listing({
  key: 'webhooks',
  open: openWebhooks,
  shown: (each) => shown(each),
  line: (each, call) => line(each, call),
  none: `No webhooks. Add one: ${hint`webhook add KIND:TARGET`}`,
  called: hint`webhook`,
});

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['add', add],
  ['rotate', rotate],
  ['remove', remove],
]);

/** What the flags say that it does. */
async function actOf(call: Call, target: string): Promise<WebhookAct> {
  const answers = flagValue(call.flags, 'answers');
  const takes = flagValues(call.flags, 'take').map((text): readonly [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw usage('--take is the name of an input and a JSON pointer: --take change=/diff');
    return [text.slice(0, at), text.slice(at + 1)];
  });
  if (answers === undefined)
    return { act: 'start', call: await keptCall(call, target), takes: Object.fromEntries(takes) };
  const named = answers.split(',').map((each) => {
    const known = WEBHOOK_ANSWERS.find((one) => one === each.trim());
    if (known === undefined)
      throw usage(`--answers takes ${WEBHOOK_ANSWERS.join(' and ')}, with a comma between`);
    return known;
  });
  const stray = STARTING.find((name) => call.flags[name] !== undefined);
  if (stray !== undefined) throw usage(`--${stray} belongs to a webhook that starts runs, without --answers`);
  return { act: 'answer', target, answers: [...new Set(named)] };
}

/** Flags of a webhook that starts runs. */
const STARTING = ['take', 'input', 'set', 'provider', 'model', 'script', 'turns', 'tokens', 'usd'];

/** The secret is told once. */
async function tell(call: Call, { webhook, secret }: ToldWebhook): Promise<number> {
  const { flags, io } = call;
  if (isOn(flags, 'json')) await printJson(io, { ...shown(webhook), secret }, { exact: true });
  else {
    await io.exact(`${secret}\n`);
    await io.out(line(webhook, call));
    await io.out(
      told(
        io,
        `The secret is shown once. Deliveries are sent to ${pathOf(webhook.id)} of a server of the project: ${hint`up`}\n`,
      ),
    );
  }
  return 0;
}

const pathOf = (id: string): string => `/api/v1/hooks/${id}`;

const shown = ({ id, does, by, addedAt, secrets }: ProjectWebhook) => ({
  ...{ id, path: pathOf(id), act: does.act },
  target: does.act === 'start' ? does.call.target : does.target,
  takes: does.act === 'start' ? does.takes : {},
  answers: does.act === 'answer' ? does.answers : [],
  ...{ by, addedAt: timeText(addedAt) },
  secrets: secrets.map((each) => ({
    addedAt: timeText(each.addedAt),
    expiresAt: each.expiresAt === undefined ? null : timeText(each.expiresAt),
  })),
});

const line = (webhook: ProjectWebhook, { io }: Call): string => {
  const { id, act, target, takes, answers, secrets } = shown(webhook);
  const names = Object.keys(takes);
  const what =
    act === 'answer'
      ? `answers ${answers.join(', ')}`
      : `starts${names.length === 0 ? '' : `, takes ${names.join(', ')}`}`;
  const count = secrets.length === 1 ? '1 secret' : `${secrets.length} secrets`;
  return `${id}  ${screenText(target, io.terminal.out)}  ${screenText(what, io.terminal.out)}  ${count}\n`;
};
