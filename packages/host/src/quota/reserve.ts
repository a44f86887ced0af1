import { guard } from '@cuebook/guard';
import type { NewEvent, StoredEvent } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PersonRole } from '../people/person.js';
import {
  minus,
  NOTHING,
  projectQuotas,
  type QuotaAmount,
  type QuotaState,
  type Reservation,
  runsUnderWay,
  usedOf,
} from './account.js';
import {
  endOf,
  LIMIT_FACTS,
  periodOf,
  personSubject,
  QUOTA_LIMITS,
  type QuotaLimitName,
  type QuotaSubject,
} from './limits.js';

/** Whose limits something counts for. */
export interface Payer {
  readonly person: string;
  readonly role: PersonRole;
}

/** A wish to reserve. */
export interface ReservationAsk
  extends Payer,
    Pick<Reservation, 'id' | 'run' | 'day' | 'base' | 'seq' | 'at'> {
  /** The run begins with it, and counts as one. */
  readonly begins: boolean;
  /** What was asked for in so many words: it fits, or nothing is reserved. */
  readonly asked: Partial<QuotaAmount>;
  /** What it gets of the rest, if there is so much. */
  readonly rest: QuotaAmount;
  /** All that the run has spent: what of it came after its reservation of before is counted. */
  readonly spent?: QuotaAmount;
}

/** What a run gets, of units that are limited. Units that are left out are not limited. */
export type Granted = { readonly tokens?: number; readonly usd?: number };

/** One limit that counts for somebody, and how much of it is used. */
export interface LimitUse {
  /** Whose use it counts, and where it was set. */
  readonly subject: QuotaSubject;
  readonly setFor: QuotaSubject;
  readonly limit: QuotaLimitName;
  readonly max: number;
  readonly spent: number;
  readonly reserved: number;
  /** When it begins anew; null: when a run ends. */
  readonly frees: number | null;
}

/** What there is no room for. */
export interface QuotaReached extends LimitUse {
  readonly asked: number | null;
}

/** Every limit that counts for a person: those of the project, their own, and what their role has beside. */
export function limitsFor(state: QuotaState, { person, role }: Payer, day: string): readonly LimitUse[] {
  const own = state.limits.get(personSubject(person)) ?? {};
  const usual = state.limits.get(`role:${role}`) ?? {};
  return [
    ...usesOf(state, '', day, () => 'project', state.limits.get('project') ?? {}),
    ...usesOf(
      state,
      person,
      day,
      (name) => (own[name] === undefined ? `role:${role}` : personSubject(person)),
      { ...usual, ...own },
    ),
  ];
}

function usesOf(
  state: QuotaState,
  person: string,
  day: string,
  setFor: (name: QuotaLimitName) => QuotaSubject,
  limits: { readonly [name in QuotaLimitName]?: number },
): readonly LimitUse[] {
  return QUOTA_LIMITS.flatMap((limit): readonly LimitUse[] => {
    const max = limits[limit];
    if (max === undefined) return [];
    const { unit, per } = LIMIT_FACTS[limit];
    const subject = person === '' ? 'project' : personSubject(person);
    const facts = { subject, setFor: setFor(limit), limit, max } as const;
    if (per === null) return [{ ...facts, spent: 0, reserved: runsUnderWay(state, person), frees: null }];
    const used = usedOf(state, person, periodOf(day, per));
    const reserved = unit === 'runs' ? 0 : used.reserved[unit];
    return [{ ...facts, spent: used.spent[unit], reserved, frees: endOf(day, per) }];
  });
}

/**
 * Reserves for a run, instead of what it had before: all of what it asks for, and of the rest as much as every limit has
 * left. The answer is what it may spend of the units that are limited.
 */
export function decideReserve(
  state: QuotaState,
  asking: ReservationAsk,
): Result<{ readonly events: readonly NewEvent[]; readonly answer: Granted }, QuotaReached> {
  const { id, run, person, day, at, begins, asked, rest, spent = NOTHING } = asking;
  const before = state.open.get(run);
  // The same run again: another process begins it at the same moment.
  if (begins && before !== undefined) return ok({ events: [], answer: grantedOf(before, state, asking) });
  const settled = before === undefined ? [] : [settledEvent(run, minus(spent, before.base))];
  const others = settled.reduce((next, event) => projectQuotas(next, event as StoredEvent), state);
  const uses = limitsFor(others, asking, day);
  const full = uses.find(({ limit, max, spent: gone, reserved }) => {
    const isRun = LIMIT_FACTS[limit].unit === 'runs' && (begins || limit === 'runsAtOnce');
    return isRun && gone + reserved + 1 > max;
  });
  if (guard('quota.runs', full !== undefined) && full) return fail({ ...full, asked: 1 });
  const amount: { tokens: number; usd: number } = { tokens: 0, usd: 0 };
  for (const unit of ['tokens', 'usd'] as const) {
    const limits = uses.filter(({ limit }) => LIMIT_FACTS[limit].unit === unit);
    const tightest = limits.reduce<LimitUse | undefined>(
      (least, each) => (least === undefined || leftOf(each) < leftOf(least) ? each : least),
      undefined,
    );
    const wanted = asked[unit];
    const left = tightest === undefined ? Number.POSITIVE_INFINITY : leftOf(tightest);
    const isShort = wanted === undefined ? rest[unit] > 0 && left <= 0 : wanted > left;
    if (guard('quota.amount', isShort) && tightest) return fail({ ...tightest, asked: wanted ?? null });
    amount[unit] = Math.max(0, Math.min(wanted ?? rest[unit], left));
  }
  // What was read of the run may be older than what it was read for before: a run spends, and never gets anything back.
  const base = before === undefined ? asking.base : most(asking.base, before.base);
  const seq = Math.max(asking.seq, before?.seq ?? 0);
  const entry: Reservation = { ...(id !== undefined && { id }), run, person, day, ...amount, base, seq, at };
  const data = asJson({ ...entry, begins });
  return ok({
    events: [...settled, { type: 'quota.reserved', data }],
    answer: grantedOf(entry, state, asking),
  });
}

export const settledEvent = (run: string, spent: QuotaAmount): NewEvent => ({
  type: 'quota.settled',
  data: { run, tokens: spent.tokens, usd: spent.usd },
});

const most = (a: QuotaAmount, b: QuotaAmount): QuotaAmount => ({
  tokens: Math.max(a.tokens, b.tokens),
  usd: Math.max(a.usd, b.usd),
});

/** What is left of a limit. */
export const leftOf = ({ limit, max, spent, reserved }: LimitUse): number => {
  const used = { tokens: spent + reserved, usd: spent + reserved };
  return minus({ tokens: max, usd: max }, used)[LIMIT_FACTS[limit].unit === 'usd' ? 'usd' : 'tokens'];
};

/** The units of a reservation that a limit counts. */
function grantedOf(
  { tokens, usd }: QuotaAmount,
  state: QuotaState,
  { day, ...payer }: ReservationAsk,
): Granted {
  const units = limitsFor(state, payer, day).map(({ limit }) => LIMIT_FACTS[limit].unit);
  return { ...(units.includes('tokens') && { tokens }), ...(units.includes('usd') && { usd }) };
}
