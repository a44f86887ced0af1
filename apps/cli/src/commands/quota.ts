import {
  type LimitUse,
  leftOf,
  limitText,
  openQuotas,
  QUOTA_LIMITS,
  type QuotaLimitName,
  type Quotas,
  settleQuotas,
} from '@cuebook/host';
import { type Store, timeOf } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { listedRuns } from '@cuebook/team';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText } from '../output/style.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/by-whom.js';
import { timeText } from '../record/event-text.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { isLife } from '../run/is-life.js';

/** `cuebook quota [ACTION]`: what the project and its people may spend. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const list: CommandHandler = async (call) => {
  if (call.args.length > 0) throw usage(`${hint`quota`} takes no more words`);
  return withQuotas(call, async (quotas) => {
    const [rows, uses] = [await quotas.list(), await quotas.uses()];
    const { flags, io } = call;
    if (isOn(flags, 'json'))
      await printJson(io, { quotas: rows, uses: uses.map((use) => ({ ...use, left: leftOf(use) })) });
    else if (rows.length === 0)
      await io.out(told(io, `No limits. Set one: ${hint`quota set project --usd-day NUMBER`}\n`));
    else {
      for (const { subject, limits } of rows)
        for (const [name, max] of Object.entries(limits))
          await io.out(`${subject}  ${limitText(name as QuotaLimitName, max)}\n`);
      for (const use of uses) await io.out(`  ${screenText(useText(use), io.terminal.out)}\n`);
    }
    return 0;
  });
};

const set: CommandHandler = async (call) => {
  const { flags, io } = call;
  const subject = oneArgument(call, `whom: ${hint`quota set SUBJECT --usd-day NUMBER`}`);
  const given = QUOTA_LIMITS.flatMap((name) => {
    const value = flagValue(flags, FLAGS[name]);
    return value === undefined ? [] : [[name, amountOf(value, FLAGS[name])] as const];
  });
  if (given.length === 0)
    throw usage(
      `Name a limit: ${Object.values(FLAGS)
        .map((flag) => `--${flag}`)
        .join(', ')}`,
    );
  return withQuotas(call, async (quotas) => {
    const row = done(await quotas.set(subject, Object.fromEntries(given), byWhom(flags, io)));
    const limits = Object.entries(row.limits).map(([name, max]) => limitText(name as QuotaLimitName, max));
    if (isOn(flags, 'json')) await printJson(io, row);
    else await io.out(`${row.subject}: ${limits.length === 0 ? 'no limits any more' : limits.join(', ')}\n`);
    return 0;
  });
};

const remove: CommandHandler = async (call) => {
  const { flags, io } = call;
  const subject = oneArgument(call, `whom: ${hint`quota remove SUBJECT`}`);
  return withQuotas(call, async (quotas) => {
    done(await quotas.remove(subject, byWhom(flags, io)));
    if (isOn(flags, 'json')) await printJson(io, { subject, removed: true });
    else await io.out(`${subject} has no limits any more\n`);
    return 0;
  });
};

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['set', set],
  ['remove', remove],
]);

const FLAGS = {
  usdPerDay: 'usd-day',
  usdPerMonth: 'usd-month',
  tokensPerDay: 'tokens-day',
  tokensPerMonth: 'tokens-month',
  runsPerDay: 'runs-day',
  runsAtOnce: 'runs-at-once',
} as const satisfies Record<QuotaLimitName, string>;

/** A number, or `none` to take the limit away. */
function amountOf(text: string, flag: string): number | null {
  if (text === 'none') return null;
  if (!/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) throw usage(`--${flag} takes a number or none, not ${text}`);
  return Number(text);
}

const useText = (use: LimitUse): string => {
  const { subject, limit, max, spent, reserved, frees } = use;
  const used = limit === 'runsAtOnce' ? `${reserved} under way` : `${spent} used, ${reserved} reserved`;
  const when = frees === null ? '' : `, begins anew ${timeText(frees)}`;
  return `${subject}  ${limitText(limit, max)}: ${used}, ${leftOf(use)} left${when}`;
};

/** Opens the limits of the project, wherever its records are, with what runs have spent until now. */
async function withQuotas(call: Call, work: (quotas: Quotas) => Promise<number>): Promise<number> {
  const where = await journalPlace(call.flags, call.io);
  return withOpened(where, async ({ store }) => {
    const quotas = openQuotas(store);
    await settle(store, quotas);
    return work(quotas);
  });
}

const settle = (store: Store, quotas: Quotas): Promise<void> =>
  settleQuotas({
    store,
    quotas,
    now: timeOf(store),
    active: async () => new Set((await listedRuns(store, { active: true })).map(({ run }) => run)),
    isDaily: isLife(store),
  });

function done<Value>(
  result:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } },
): Value {
  if (result.ok) return result.value;
  throw new Failure(result.error.code, result.error.message, { exit: 1 });
}
