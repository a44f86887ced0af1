import type { StoredEvent } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';
import { periodOf, QUOTA_LIMITS, type QuotaLimits, readSubject } from './limits.js';

/** Tokens and money. Money is counted to a billionth of a dollar. */
export type QuotaAmount = { readonly tokens: number; readonly usd: number };

/** What a run may still spend, set aside from the limits of a person and of the project. */
export interface Reservation extends QuotaAmount {
  /** Tells it apart from every other one; an older Cuebook gave none. */
  readonly id?: string;
  readonly run: string;
  /** Whose limits it counts for. */
  readonly person: string;
  /** The day that it counts for. */
  readonly day: string;
  /** What the run had spent before. */
  readonly base: QuotaAmount;
  /** The last event of the run when it was made: until the run has moved on, nobody takes it for over. */
  readonly seq: number;
  readonly at: number;
}

/** What was spent, and how many runs were begun. */
export type QuotaSum = QuotaAmount & { readonly runs: number };

/** Limits, what is reserved, and what was spent, of a project. */
export interface QuotaState {
  readonly limits: ReadonlyMap<string, QuotaLimits>;
  /** By run. */
  readonly open: ReadonlyMap<string, Reservation>;
  /** By person and day or month; those of the project have an empty name. */
  readonly spent: ReadonlyMap<string, QuotaSum>;
  /**
   * By run: all of its spending that is counted. Whoever looked at a run before it was counted and reserves afterwards says
   * less, and that would be counted twice.
   */
  readonly counted: ReadonlyMap<string, QuotaAmount>;
  /** The last day on which something was reserved. */
  readonly day: string;
  /** Who set and removed limits, the newest last: a record for people that outlives the volume it was written in. */
  readonly acts: readonly QuotaAct[];
}

/** A change of limits; without limits, their removal. */
export interface QuotaAct {
  readonly at: number;
  readonly by: string;
  readonly subject: string;
  readonly limits?: QuotaLimits;
}

export const NO_QUOTAS: QuotaState = {
  ...{ limits: new Map(), open: new Map(), spent: new Map(), counted: new Map(), day: '', acts: [] },
};

/** The state as the beginning of a volume: what runs wrote before it is not needed any more. */
export const QUOTA_FOLD = {
  write: ({ limits, open, spent, counted, day, acts }: QuotaState): JsonValue =>
    asJson({
      limits: [...limits],
      open: [...open.values()],
      spent: [...spent],
      counted: [...counted],
      day,
      acts,
    }),
  read(data: JsonValue): QuotaState {
    const { limits, open, spent, counted = [], day, acts } = data as unknown as FoldedQuotas;
    return {
      limits: new Map(limits),
      open: new Map(open.map((entry) => [entry.run, entry])),
      spent: new Map(spent),
      counted: new Map(counted),
      day,
      acts,
    };
  },
} as const;

interface FoldedQuotas {
  readonly limits: readonly (readonly [string, QuotaLimits])[];
  readonly open: readonly Reservation[];
  readonly spent: readonly (readonly [string, QuotaSum])[];
  /** An older version wrote none. */
  readonly counted?: readonly (readonly [string, QuotaAmount])[];
  readonly day: string;
  readonly acts: readonly QuotaAct[];
}

/** What is used of a day or a month, by one person or by all (an empty name). */
export function usedOf(
  { open, spent }: Pick<QuotaState, 'open' | 'spent'>,
  person: string,
  period: string,
): { readonly spent: QuotaSum; readonly reserved: QuotaAmount } {
  let reserved: QuotaAmount = NOTHING;
  for (const each of open.values())
    if ((person === '' || each.person === person) && each.day.startsWith(period))
      reserved = plus(reserved, each);
  return { spent: spent.get(keyOf(person, period)) ?? NO_SUM, reserved };
}

/** How many runs of a person, or of all, are under way. */
export const runsUnderWay = ({ open }: Pick<QuotaState, 'open'>, person: string): number =>
  [...open.values()].filter((each) => person === '' || each.person === person).length;

/** The state after an event. Events that are not known change nothing. */
export function projectQuotas(state: QuotaState, { type, data, at }: StoredEvent): QuotaState {
  const fields = data as unknown as Fields;
  switch (type) {
    case 'quota.set': {
      const { subject, limits, by } = fields;
      const acts = acted(state, { at, by, subject, limits });
      return { ...state, acts, limits: new Map(state.limits).set(subject, limits) };
    }
    case 'quota.removed': {
      const { subject, by } = fields;
      return { ...state, acts: acted(state, { at, by, subject }), limits: without(state.limits, subject) };
    }
    case 'quota.reserved': {
      const { begins, by: _by, subject: _subject, limits: _limits, ...said } = fields;
      const entry = { ...said, base: greater(said.base, state.counted.get(said.run) ?? NOTHING) };
      const after = onDay(state, entry.day);
      const open = new Map(after.open).set(entry.run, entry);
      return { ...after, open, spent: begins === true ? count(after.spent, entry, RUN) : after.spent };
    }
    case 'quota.settled': {
      const entry = state.open.get(fields.run);
      if (entry === undefined) return state;
      const { tokens, usd } = fields;
      const spent = count(state.spent, entry, { tokens, usd, runs: 0 });
      const total = plus(entry.base, { tokens, usd });
      return {
        ...state,
        open: without(state.open, fields.run),
        spent,
        counted: noted(state, entry.run, total),
      };
    }
    case 'quota.released': {
      const entry = state.open.get(fields.run);
      if (entry === undefined) return state;
      return {
        ...state,
        open: without(state.open, fields.run),
        spent: count(state.spent, entry, { ...NO_SUM, runs: -1 }),
      };
    }
    default:
      return state;
  }
}

/** Whether this version knows what an event says: it would grant more than a newer one has set. */
export function knowsQuotas({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  const { limits, subject } = data as unknown as Partial<Fields>;
  const isStray = Object.keys(limits ?? {}).some((name) => !QUOTA_LIMITS.some((known) => known === name));
  return TYPES.has(type) && !isStray && (subject === undefined || readSubject(subject) !== undefined);
}

const TYPES = new Set(['set', 'removed', 'reserved', 'settled', 'released'].map((each) => `quota.${each}`));

type Fields = Reservation & {
  readonly subject: string;
  readonly limits: QuotaLimits;
  readonly by: string;
  readonly begins?: boolean;
};

const acted = ({ acts }: QuotaState, act: QuotaAct): readonly QuotaAct[] => [...acts, act].slice(-MAX_ACTS);

/** The newest last. Only so many are kept: no process takes so long to reserve that as many other runs are settled meanwhile. */
function noted({ counted }: QuotaState, run: string, total: QuotaAmount): QuotaState['counted'] {
  const next = new Map(counted);
  next.delete(run);
  next.set(run, total);
  const [oldest] = next.keys();
  if (next.size > MAX_COUNTED && oldest !== undefined) next.delete(oldest);
  return next;
}

const MAX_COUNTED = 500;

/** Changes of limits that a volume hands on. */
const MAX_ACTS = 200;

/** Sums of days and months that are over are not needed any more. */
function onDay(state: QuotaState, day: string): QuotaState {
  if (day <= state.day) return state;
  const periods = [day, periodOf(day, 'month')];
  const spent = new Map(
    [...state.spent].filter(([key]) => periods.some((each) => key.startsWith(`${each} `))),
  );
  return { ...state, day, spent };
}

function count(
  spent: QuotaState['spent'],
  { person, day }: Pick<Reservation, 'person' | 'day'>,
  more: QuotaSum,
): QuotaState['spent'] {
  const next = new Map(spent);
  for (const name of ['', person])
    for (const period of [day, periodOf(day, 'month')]) {
      const key = keyOf(name, period);
      const before = next.get(key) ?? NO_SUM;
      next.set(key, { ...plus(before, more), runs: before.runs + more.runs });
    }
  return next;
}

const keyOf = (person: string, period: string): string => `${period} ${person}`;

const without = <Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> => {
  const next = new Map(map);
  next.delete(key);
  return next;
};

export const NOTHING: QuotaAmount = { tokens: 0, usd: 0 };
const NO_SUM: QuotaSum = { tokens: 0, usd: 0, runs: 0 };
const RUN: QuotaSum = { ...NO_SUM, runs: 1 };

/** Sums to a billionth of a dollar, so that many small amounts do not drift. */
export const plus = (a: QuotaAmount, b: QuotaAmount): QuotaAmount => ({
  tokens: a.tokens + b.tokens,
  usd: billionths(a.usd + b.usd),
});

/** What is left of an amount; never less than nothing. */
export const minus = (a: QuotaAmount, b: QuotaAmount): QuotaAmount => ({
  tokens: Math.max(0, a.tokens - b.tokens),
  usd: Math.max(0, billionths(a.usd - b.usd)),
});

const greater = (a: QuotaAmount, b: QuotaAmount): QuotaAmount => ({
  tokens: Math.max(a.tokens, b.tokens),
  usd: Math.max(a.usd, b.usd),
});

const billionths = (usd: number): number => Math.round(usd * 1e9) / 1e9;
