import {
  KEYS,
  keysBelow,
  MESSAGE_IDS,
  POST_LIMIT,
  type ReadPost,
  readFeedback,
  readPost,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { ringOf } from '../desk.js';
import { countOutcomes, type UseOutcome } from '../experiments.js';
import { change, type LedgerSubject, type RecordError, stateOf } from '../ledger.js';
import { listPlaces } from '../places.js';
import type { Arm } from './cohort.js';

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
  const found = await outcomesOf(parts, day);
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
  return marked.ok ? ok({ day, outcomes, repeated: false }) : marked;
}

/** The day that was counted last, as `20261115`. */
export const lastCounted = async ({ store }: Pick<PlatformParts, 'store'>): Promise<string | undefined> =>
  (await stateOf<{ readonly last: string }>(store, DAYS))?.last;

/** By experiment: what came of a day, for the arm that the platform published, whatever the agent says. */
async function outcomesOf(
  parts: PlatformParts,
  day: string,
): Promise<ReadonlyMap<string, readonly UseOutcome[]>> {
  const found = new Map<string, UseOutcome[]>();
  for (const { agent, published } of await listAgents(parts)) {
    const trials = Object.entries(published?.cohorts ?? {});
    if (trials.length === 0) continue;
    const posts = await postsOf(parts, agent, day);
    const liked = await likedBy(parts, agent);
    for (const [scenario, cohort] of trials) {
      const [experiment = '', arm = ''] = cohort.split('/');
      const own = posts.filter((post) => post.scenario === scenario);
      const counts = {
        liked: shareOf(own, ({ key }) => liked.has(key)),
        answered: shareOf(
          own.filter(({ to }) => to !== undefined),
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
  return found;
}

/** When a day such as `20261115` ends; `undefined`: the calendar has no such day. */
function endOfDay(day: string): number | undefined {
  const written = /^(\d{4})(\d{2})(\d{2})$/.exec(day)?.slice(1).join('-');
  const begin = written === undefined ? Number.NaN : Date.parse(`${written}T00:00:00Z`);
  const isDay = !Number.isNaN(begin) && new Date(begin).toISOString().startsWith(written ?? '');
  return isDay ? begin + 24 * 60 * 60 * 1000 : undefined;
}

/** The key of no experiment: their names have no space. */
const DAYS: LedgerSubject = { name: 'platform.outcome', key: 'counted days' };

interface DayPost extends ReadPost {
  readonly key: string;
  readonly isAnswered: boolean;
}

/** What an agent wrote on a day, by its own word. */
async function postsOf(parts: PlatformParts, agent: string, day: string): Promise<readonly DayPost[]> {
  const posts: DayPost[] = [];
  for (const { place } of await listPlaces(parts)) {
    if (place.kind !== 'topic') continue;
    for (const key of await keysBelow(parts.objects, `topics/${place.id}/messages/${agent}/`)) {
      const bytes = await parts.objects.get(key, { limit: POST_LIMIT });
      const post = bytes.ok ? readPost(bytes.value, agent) : undefined;
      if (post?.created_at?.slice(0, 10).replaceAll('-', '') !== day || post === undefined) continue;
      const reply =
        post.to === undefined ? undefined : KEYS.message(place.id, post.to, MESSAGE_IDS.reply(agent, key));
      const isAnswered = reply !== undefined && (await parts.objects.get(reply, { limit: POST_LIMIT })).ok;
      posts.push({ ...post, key, isAnswered });
    }
  }
  return posts;
}

/** The posts of an agent that a person liked or commented on, by what this platform certified. */
async function likedBy(parts: PlatformParts, agent: string): Promise<ReadonlySet<string>> {
  const prefix = `${KEYS.told(agent)}feedback/`;
  const liked = new Set<string>();
  for (const key of await keysBelow(parts.objects, prefix)) {
    const bytes = await parts.objects.get(key);
    const id = key.slice(prefix.length, -'.json'.length);
    const feedback = bytes.ok
      ? readFeedback(bytes.value, agent, id, { keys: ringOf(parts), now: parts.now() })
      : bytes;
    if (feedback.ok) liked.add(feedback.value.about);
  }
  return liked;
}

const shareOf = <Item>(items: readonly Item[], is: (item: Item) => boolean): number | undefined =>
  items.length === 0 ? undefined : items.filter(is).length / items.length;
