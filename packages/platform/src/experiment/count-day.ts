import { KEYS, listBelow, type ObjectError, readFeedback } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { ringOf } from '../desk.js';
import { countOutcomes, type UseOutcome } from '../experiments.js';
import { change, type LedgerSubject, type RecordError, stateOf } from '../ledger.js';
import { listPlaces } from '../places.js';
import type { Arm } from './cohort.js';
import { keepRead, type ReadDay, readDay } from './read-posts.js';

/** What was counted of a day. */
export interface CountedDay {
  readonly day: string;
  readonly outcomes: number;
  /** It had been counted before, or a later day had: nothing was added. */
  readonly repeated: boolean;
}

/** `E_EXPERIMENT`: what is no day of the calendar, or a day that has not ended. */
export type CountError =
  | RecordError
  | ObjectError
  | {
      readonly code: 'E_EXPERIMENT';
      readonly reason: 'bad-day' | 'not-ended';
      readonly experiment: '';
    };

/**
 * Counts what came of the scenarios under trial on one day, such as `20261115`: of each agent one outcome a metric,
 * the share of its posts of that day that a person `liked`, and of those to somebody that were `answered`. One
 * outcome for each agent and day, because posts of one agent hang together. Days are counted once and in order, each
 * when it has ended (UTC): what is posted later in a day that was counted would be lost.
 */
export async function countDay(parts: PlatformParts, day: string): Promise<Result<CountedDay, CountError>> {
  const refuse = (reason: 'bad-day' | 'not-ended') =>
    fail({ code: 'E_EXPERIMENT', reason, experiment: '' } as const);
  const end = endOfDay(day);
  if (end === undefined) return refuse('bad-day');
  if (guard('count.ended', end > parts.now())) return refuse('not-ended');
  const known = await stateOf<{ readonly last: string }>(parts.store, DAYS);
  if (known !== undefined && known.last >= day) return ok({ day, outcomes: 0, repeated: true });
  const looked = await outcomesOf(parts, day, end - DAY_MS);
  if (!looked.ok) return looked;
  const { found, read } = looked.value;
  // Each experiment takes the day once: one that broke off is counted to its end by the next call.
  let outcomes = 0;
  for (const [experiment, own] of found) {
    const counted = await countOutcomes(parts, { experiment, day, outcomes: own });
    if (!counted.ok) return counted;
    outcomes += counted.value;
  }
  const marked = await change<{ readonly last: string }, void, never>(parts.store, DAYS, (before) =>
    before !== undefined && before.last >= day
      ? ok({ events: [], answer: undefined })
      : ok({ events: [{ type: 'day.counted', data: { day } }], state: { last: day }, answer: undefined }),
  );
  if (!marked.ok) return marked;
  const kept = await keepRead(parts, read);
  return kept.ok ? ok({ day, outcomes, repeated: false }) : kept;
}

/** The day that was counted last, as `20261115`. */
export const lastCounted = async ({ store }: Pick<PlatformParts, 'store'>): Promise<string | undefined> =>
  (await stateOf<{ readonly last: string }>(store, DAYS))?.last;

interface DayOutcomes {
  readonly found: ReadonlyMap<string, readonly UseOutcome[]>;
  /** By agent. */
  readonly read: ReadonlyMap<string, ReadDay>;
}

/** By experiment: what came of a day, for the arm that the platform published, whatever the agent says. */
async function outcomesOf(
  parts: PlatformParts,
  day: string,
  begin: number,
): Promise<Result<DayOutcomes, ObjectError>> {
  const found = new Map<string, UseOutcome[]>();
  const read = new Map<string, ReadDay>();
  const places = (await listPlaces(parts)).map(({ place }) => place);
  const topics = places.filter(({ kind }) => kind === 'topic').map(({ id }) => id);
  for (const { agent, published } of await listAgents(parts)) {
    const trials = Object.entries(published?.cohorts ?? {});
    if (trials.length === 0) continue;
    const own = await readDay(parts, { agent, day, topics });
    if (!own.ok) return own;
    read.set(agent, own.value);
    const { posts } = own.value;
    const likes = posts.length === 0 ? ok(NOBODY) : await likedSince(parts, agent, begin - DAY_MS);
    if (!likes.ok) return likes;
    const liked = likes.value;
    for (const [scenario, cohort] of trials) {
      const [experiment = '', arm = ''] = cohort.split('/');
      const of = posts.filter((post) => post.scenario === scenario);
      const counts = {
        liked: shareOf(of, ({ key }) => liked.has(key)),
        answered: shareOf(
          of.filter(({ to }) => to !== undefined),
          ({ isAnswered }) => isAnswered,
        ),
      };
      for (const [metric, value] of Object.entries(counts)) {
        if (value === undefined) continue;
        const all = found.get(experiment) ?? [];
        all.push({ agent, metric, arm: arm as Arm, value });
        found.set(experiment, all);
      }
    }
  }
  return ok({ found, read });
}

/** When a day such as `20261115` ends; `undefined`: the calendar has no such day. */
function endOfDay(day: string): number | undefined {
  const written = /^(\d{4})(\d{2})(\d{2})$/.exec(day)?.slice(1).join('-');
  const begin = written === undefined ? Number.NaN : Date.parse(`${written}T00:00:00Z`);
  const isDay = !Number.isNaN(begin) && new Date(begin).toISOString().startsWith(written ?? '');
  return isDay ? begin + DAY_MS : undefined;
}

/** The key of no experiment: their names have no space. */
const DAYS: LedgerSubject = { name: 'platform.outcome', key: 'counted days' };

/**
 * The posts of an agent that a person liked or commented on, by what this platform certified, from a time on: ids of
 * feedback sort by time, and nobody likes a post before it is there. A day more, for agents whose clock is ahead.
 */
async function likedSince(
  parts: PlatformParts,
  agent: string,
  from: number,
): Promise<Result<ReadonlySet<string>, ObjectError>> {
  const prefix = `${KEYS.told(agent)}feedback/`;
  const first = `${prefix}fb_${String(Math.max(0, from)).padStart(15, '0')}`;
  const keys = await listBelow(parts.objects, prefix, first);
  if (!keys.ok) return keys;
  const liked = new Set<string>();
  for (const key of keys.value) {
    const bytes = await parts.objects.get(key);
    if (!bytes.ok && bytes.error.reason === 'unavailable') return bytes;
    const id = key.slice(prefix.length, -'.json'.length);
    const feedback = bytes.ok
      ? readFeedback(bytes.value, agent, id, { keys: ringOf(parts), now: parts.now() })
      : bytes;
    if (feedback.ok) liked.add(feedback.value.about);
  }
  return ok(liked);
}

const NOBODY: ReadonlySet<string> = new Set();
const DAY_MS = 24 * 60 * 60 * 1000;

const shareOf = <Item>(items: readonly Item[], is: (item: Item) => boolean): number | undefined =>
  items.length === 0 ? undefined : items.filter(is).length / items.length;
