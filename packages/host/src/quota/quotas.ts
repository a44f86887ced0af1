import { randomUUID } from 'node:crypto';
import {
  describeJournalError,
  type JournalError,
  type NewEvent,
  openRollingRegister,
  type RegisterStore,
  type RollingStore,
  timeOf,
} from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError } from '../contract.js';
import { refuse } from '../errors.js';
import { openPeople } from '../people/people.js';
import {
  knowsQuotas,
  NO_QUOTAS,
  projectQuotas,
  QUOTA_FOLD,
  type QuotaAmount,
  type QuotaState,
  type Reservation,
} from './account.js';
import { describeReached } from './describe.js';
import { dayOf, limitsProblem, type QuotaLimits, type QuotaSubject, readSubject } from './limits.js';
import {
  decideReserve,
  type Granted,
  type LimitUse,
  limitsFor,
  type QuotaReached,
  type ReservationAsk,
  settledEvent,
} from './reserve.js';

/** The limits of a project and of its people, and what is used of them, kept in its journal. */
export interface Quotas {
  /** The limits that were set, by whom they are for. */
  list(): Promise<readonly QuotaRow[]>;
  /** Sets limits beside those that are there; one that is null is taken away. */
  set(
    subject: string,
    limits: { readonly [name in keyof QuotaLimits]?: number | null },
    by: string,
  ): Promise<Result<QuotaRow, HostError>>;
  /** Takes all limits of a subject away. */
  remove(subject: string, by: string): Promise<Result<{ readonly subject: QuotaSubject }, HostError>>;
  /** Every limit that counts for a person, with what is used of it. */
  usesOf(person: string): Promise<readonly LimitUse[]>;
  /** The same of the project, and of everybody who is known, has limits or has runs under way. */
  uses(): Promise<readonly LimitUse[]>;
  /** The state of now. */
  read(): Promise<QuotaState>;
  /** Reserves for a run in one step: processes that do so at once never have more than there is. */
  reserve(asking: Omit<ReservationAsk, 'id' | 'role' | 'day' | 'at'>): Promise<Result<Granted, HostError>>;
  /** Writes down that a run reserves no more than this, if it has the reservation still. */
  lower(entry: Reservation, to: QuotaAmount): Promise<Result<true, HostError>>;
  /** Replaces a reservation by what was spent of it, if it is the run's still. */
  settle(entry: Reservation, spent: QuotaAmount): Promise<Result<true, HostError>>;
  /** Takes a reservation back: the run did not begin. */
  release(entry: Reservation): Promise<Result<true, HostError>>;
}

/** Limits, and whom they are for. */
export interface QuotaRow {
  readonly subject: QuotaSubject;
  readonly limits: QuotaLimits;
}

export function openQuotas(store: RegisterStore & RollingStore, now = timeOf(store)): Quotas {
  const register = openRollingRegister<QuotaState>(store, 'quotas', {
    ...{ initial: NO_QUOTAS, project: projectQuotas, knows: knowsQuotas, fold: QUOTA_FOLD },
  });
  const people = openPeople(store, now);
  let last: Promise<unknown> = Promise.resolve();
  /** One of this process at a time: they would only get in each other's way. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const change = <Answer extends JsonValue, Refusal extends HostError | QuotaReached>(
    decide: (
      state: QuotaState,
    ) => Result<{ readonly events: readonly NewEvent[]; readonly answer: Answer }, Refusal>,
  ): Promise<Result<Answer, HostError>> =>
    inTurn(async () => {
      const done = await register.change<Answer, Refusal>(decide);
      if (done.ok) return done;
      const error = done.error as HostError | QuotaReached | JournalError;
      if ('max' in error) return refuse('conflict', 'E_QUOTA_REACHED', describeReached(error));
      if ('kind' in error) return { ok: false, error };
      return refuse('unavailable', error.code, describeJournalError(error));
    });
  /** Writes about a reservation that is still the one that was looked at. */
  const about = (entry: Reservation, event: NewEvent): Promise<Result<true, HostError>> =>
    change<true, HostError>(({ open }) => {
      const found = open.get(entry.run);
      const isSame = found?.id === entry.id && found?.at === entry.at && found.seq === entry.seq;
      return ok({ events: isSame ? [event] : [], answer: true });
    });
  const roleOf = async (person: string) =>
    (await people.list()).find(({ name }) => name === person)?.role ?? 'owner';
  const rowsOf = ({ limits }: QuotaState): readonly QuotaRow[] =>
    [...limits].map(([subject, each]) => ({ subject: subject as QuotaSubject, limits: each }));

  return {
    list: async () => rowsOf(await register.read()),
    async set(text, limits, by) {
      const subject = readSubject(text);
      if (subject === undefined) return noSubject(text);
      const given = Object.entries(limits).filter(([, value]) => value !== undefined);
      const numbers = Object.fromEntries(given.map(([name, value]) => [name, value ?? 0]));
      const problem = limitsProblem(numbers);
      if (problem !== undefined) return refuse('invalid', 'E_QUOTA_LIMIT', problem);
      const done = await change<JsonValue, HostError>((state) => {
        const merged = { ...state.limits.get(subject), ...Object.fromEntries(given) };
        const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
        if (Object.keys(kept).length === 0)
          return ok({ events: [{ type: 'quota.removed', data: { subject, by } }], answer: {} });
        return ok({ events: [{ type: 'quota.set', data: { subject, limits: kept, by } }], answer: kept });
      });
      return done.ok ? ok({ subject, limits: done.value as QuotaLimits }) : done;
    },
    async remove(text, by) {
      const subject = readSubject(text);
      if (subject === undefined) return noSubject(text);
      const done = await change<true, HostError>((state) =>
        state.limits.has(subject)
          ? ok({ events: [{ type: 'quota.removed', data: { subject, by } }], answer: true })
          : refuse('notFound', 'E_QUOTA_UNKNOWN', `There are no limits for ${subject}.`),
      );
      return done.ok ? ok({ subject }) : done;
    },
    usesOf: async (person) =>
      limitsFor(await register.read(), { person, role: await roleOf(person) }, dayOf(now())),
    async uses() {
      const state = await register.read();
      const day = dayOf(now());
      const roles = new Map((await people.list()).map(({ name, role }) => [name, role]));
      const own = [...state.limits.keys()].flatMap((each) => /^person:(.+)$/.exec(each)?.[1] ?? []);
      const atWork = [...state.open.values()].map(({ person }) => person);
      const names = [...new Set([...roles.keys(), ...own, ...atWork])].sort();
      const uses = names.flatMap((person) =>
        limitsFor(state, { person, role: roles.get(person) ?? 'owner' }, day),
      );
      const project = limitsFor(state, { person: '', role: 'owner' }, day);
      return [
        ...project.filter(({ subject }) => subject === 'project'),
        ...uses.filter(({ subject }) => subject !== 'project'),
      ];
    },
    read: () => register.read(),
    async reserve(asking) {
      const role = await roleOf(asking.person);
      const id = randomUUID();
      return change<Granted, QuotaReached>((state) => {
        const at = now();
        return decideReserve(state, { ...asking, id, role, at, day: dayOf(at) });
      });
    },
    lower: (entry, to) => about(entry, { type: 'quota.reserved', data: asJson({ ...entry, ...to }) }),
    settle: (entry, spent) => about(entry, settledEvent(entry.run, spent)),
    release: (entry) => about(entry, { type: 'quota.released', data: { run: entry.run } }),
  };
}

const noSubject = (text: string): Result<never, HostError> =>
  refuse(
    'invalid',
    'E_QUOTA_SUBJECT',
    `${JSON.stringify(text.slice(0, 120))} has no limits. They are for project, role:ROLE or person:NAME.`,
  );
