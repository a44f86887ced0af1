import { hint } from '@cuebook/prompt/hint';
import { LIMIT_FACTS, type QuotaLimitName } from './limits.js';
import type { QuotaReached } from './reserve.js';

/** The command that sets a limit. */
const RAISE = {
  usdPerDay: (subject) => hint`quota set ${subject} --usd-day NUMBER`,
  usdPerMonth: (subject) => hint`quota set ${subject} --usd-month NUMBER`,
  tokensPerDay: (subject) => hint`quota set ${subject} --tokens-day NUMBER`,
  tokensPerMonth: (subject) => hint`quota set ${subject} --tokens-month NUMBER`,
  runsPerDay: (subject) => hint`quota set ${subject} --runs-day NUMBER`,
  runsAtOnce: (subject) => hint`quota set ${subject} --runs-at-once NUMBER`,
} as const satisfies Record<QuotaLimitName, (subject: string) => string>;

/** What a limit is, in words: `5 USD a day`. */
export function limitText(limit: QuotaLimitName, max: number): string {
  const { unit, per } = LIMIT_FACTS[limit];
  const [one, many] = UNITS[unit];
  return `${max} ${max === 1 ? one : many} ${per === null ? 'at once' : `a ${per}`}`;
}

const UNITS = { usd: ['USD', 'USD'], tokens: ['token', 'tokens'], runs: ['run', 'runs'] } as const;

/** Which limit is reached, how far it is used, when it frees, and who can raise it. */
export function describeReached(reached: QuotaReached): string {
  const { subject, setFor, limit, max, spent, reserved, asked, frees } = reached;
  const { unit } = LIMIT_FACTS[limit];
  const from = setFor === subject ? '' : ` (the limit of ${setFor})`;
  const used =
    limit === 'runsAtOnce'
      ? `${reserved} under way`
      : unit === 'runs'
        ? `${spent} begun`
        : `${spent} spent, ${reserved} reserved by runs under way`;
  const wanted = asked === null || unit === 'runs' ? '' : `, ${asked} asked for`;
  const when =
    frees === null ? 'It frees when a run ends' : `It begins anew at ${new Date(frees).toISOString()}`;
  const also =
    unit === 'runs' || reserved === 0 ? '' : ', and what runs under way do not spend frees when they end';
  return `The limit of ${subject} is reached: ${limitText(limit, max)}${from}; ${used}${wanted}. ${when}${also}. An owner can raise it: ${RAISE[limit](setFor)}`;
}
