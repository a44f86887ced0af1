import { isPersonRole, type PersonRole } from '../people/person.js';

/** What can be limited. Days and months are those of UTC. */
export const QUOTA_LIMITS = [
  'usdPerDay',
  'usdPerMonth',
  'tokensPerDay',
  'tokensPerMonth',
  'runsPerDay',
  'runsAtOnce',
] as const;
export type QuotaLimitName = (typeof QUOTA_LIMITS)[number];

/** The limits of a subject. One that is left out does not count. */
export type QuotaLimits = { readonly [name in QuotaLimitName]?: number };

/** Whom limits are for. Those of a role are for each person of it who has none of their own. */
export type QuotaSubject = 'project' | `role:${PersonRole}` | `person:${string}`;

export const personSubject = (name: string): QuotaSubject => `person:${name}`;

/** The subject that a text names; undefined: none. */
export function readSubject(text: string): QuotaSubject | undefined {
  if (text === 'project') return text;
  const [, kind, name = ''] = /^(role|person):(.+)$/s.exec(text) ?? [];
  if (kind === 'role') return isPersonRole(name) ? `role:${name}` : undefined;
  return kind === 'person' && NAME.test(name) ? personSubject(name) : undefined;
}

/** Names of people, and of whoever starts runs without being one: the owner, a user of this machine. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$/;

/** What is wrong with limits; undefined: nothing. */
export function limitsProblem(limits: QuotaLimits): string | undefined {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  if (given.length === 0) return `Name at least one of ${QUOTA_LIMITS.join(', ')}.`;
  const stray = given.find(([name]) => !QUOTA_LIMITS.some((known) => known === name));
  if (stray !== undefined) return `There is no limit ${JSON.stringify(stray[0].slice(0, 80))}.`;
  const isRight = ([name, value]: readonly [string, number]): boolean =>
    Number.isFinite(value) &&
    value >= 0 &&
    value <= MOST &&
    (name.startsWith('usd') || Number.isInteger(value));
  const wrong = given.find((each) => !isRight(each));
  if (wrong === undefined) return undefined;
  return `${wrong[0]} is a number from 0 to ${MOST}${wrong[0].startsWith('usd') ? '' : ', without a fraction'}.`;
}

const MOST = 1e15;

/** The unit that a limit counts in, and the time after which it begins anew; null: it counts what is under way. */
export const LIMIT_FACTS = {
  usdPerDay: { unit: 'usd', per: 'day' },
  usdPerMonth: { unit: 'usd', per: 'month' },
  tokensPerDay: { unit: 'tokens', per: 'day' },
  tokensPerMonth: { unit: 'tokens', per: 'month' },
  runsPerDay: { unit: 'runs', per: 'day' },
  runsAtOnce: { unit: 'runs', per: null },
} as const satisfies Record<
  QuotaLimitName,
  { readonly unit: 'usd' | 'tokens' | 'runs'; readonly per: 'day' | 'month' | null }
>;

/** The day of a moment, as `2026-11-18`, in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The day or the month that a day is in. */
export const periodOf = (day: string, per: 'day' | 'month'): string =>
  per === 'day' ? day : day.slice(0, 7);

/** When the day or the month of a day is over. */
export function endOf(day: string, per: 'day' | 'month'): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return per === 'day' ? Date.UTC(year, month - 1, date + 1) : Date.UTC(year, month, 1);
}
