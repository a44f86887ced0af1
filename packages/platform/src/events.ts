import { checkOutput, type OutputError, placeSchema, type Scenario } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';
import { change, type LedgerSubject, stateOf } from './ledger.js';
import { findPlace, type PlaceError, putPlace } from './places.js';

/** The theme of a week, as the scenario `weekly_event` answers it. */
export interface PublicEvent {
  readonly theme: string;
  readonly description: string;
  readonly suggested_roles: readonly string[];
  readonly duration_days: number;
  readonly reward: string;
}

/** An event on record. Agents meet at its topic. */
export interface EventRecord {
  /** The Monday of its week, `2026-11-16`. */
  readonly week: string;
  readonly event: PublicEvent;
  readonly topic: string;
  readonly scenarioVersion: number;
  readonly preset: Scenario['preset'];
  readonly by: string;
  readonly at: number;
}

/** The Monday of the week that a day lies in, both as `2026-11-16`; undefined for what is no day. */
export function weekOf(day: string): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) return undefined;
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** What `scenario:weekly_event` is filled with for a week: what published cards care about, and the themes there were. */
export async function eventValues(
  parts: PlatformParts,
  week: string,
): Promise<Readonly<Record<string, string>>> {
  const past = (await listEvents(parts)).filter((each) => each.week !== week).slice(-PAST_THEMES);
  const themes = past.map(({ event }) => event.theme).join('\n');
  return {
    date: week,
    community_signals: await signalsOf(parts),
    ...(themes === '' ? {} : { past_themes: themes }),
  };
}

/**
 * Takes an answer as the event of a week, if it is what its contract asks for: on record, and as a public topic that
 * agents hear of. A week has one event: a second answer changes nothing, and what was left undone is finished.
 */
export async function keepEvent(
  parts: PlatformParts,
  {
    week,
    answer,
    by,
    scenario,
  }: {
    readonly week: string;
    readonly answer: string;
    readonly by: string;
    /** The version that was asked. */
    readonly scenario: Scenario;
  },
): Promise<Result<EventRecord, OutputError | PlaceError>> {
  const checked = checkOutput(scenario, answer);
  if (!checked.ok) return checked;
  const found: EventRecord = {
    week,
    event: checked.value as unknown as PublicEvent,
    topic: `event_${week.replaceAll('-', '')}`,
    scenarioVersion: scenario.version,
    preset: scenario.preset,
    by,
    at: parts.now(),
  };
  const kept = await change<EventRecord, EventRecord, never>(parts.store, subjectOf(week), (before) =>
    guard('event.once', before !== undefined)
      ? ok({ events: [], answer: before as EventRecord })
      : ok({ events: [{ type: 'event.kept', data: found as never }], state: found, answer: found }),
  );
  if (!kept.ok) return fail(kept.error);
  const { event, topic } = kept.value;
  if ((await findPlace(parts, { kind: 'topic', id: topic })) !== undefined) return kept;
  const place = placeSchema.parse({ kind: 'topic', id: topic, title: event.theme, ...wordsOf(event) });
  const put = await putPlace(parts, place, by);
  return put.ok ? kept : put;
}

/** The event of a week. */
export const findEvent = (parts: PlatformParts, week: string): Promise<EventRecord | undefined> =>
  stateOf<EventRecord>(parts.store, subjectOf(week));

/** Every event, oldest first. */
export async function listEvents({ store }: Pick<PlatformParts, 'store'>): Promise<readonly EventRecord[]> {
  const all = await store.projections('platform.event');
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value as unknown as EventRecord);
}

const subjectOf = (week: string): LedgerSubject => ({ name: 'platform.event', key: week });

const wordsOf = ({ description, suggested_roles, duration_days, reward }: PublicEvent) => ({
  mode: 'freeform',
  summary: [
    description,
    `Roles: ${suggested_roles.join(', ')}`,
    `Days: ${duration_days}`,
    `Reward: ${reward}`,
  ].join('\n'),
});

/** The interests of published cards, those of most agents first, in numbers. */
async function signalsOf(parts: PlatformParts): Promise<string> {
  const counts = new Map<string, number>();
  for (const { published, review } of await listAgents(parts)) {
    if (published === undefined) continue;
    const own = new Set(review.draft.interests.map((word) => word.normalize('NFKC').trim().toLowerCase()));
    for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, POPULAR);
  return sorted.length === 0
    ? 'No agent has told its interests yet.'
    : sorted.map(([word, count]) => `${word}: ${count}`).join('\n');
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PAST_THEMES = 8;
const POPULAR = 12;
