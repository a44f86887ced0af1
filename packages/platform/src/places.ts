import {
  certifyPlace,
  certifyPlaces,
  isVisible,
  type JsonProblem,
  KEYS,
  type MeetingPlace,
  type ObjectError,
  placeKey,
} from '@cuebook/bundle';
import { ok, type Result } from '@cuebook/prompt';
import { manifestOptions, type PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';
import { type AgentRecord, agentSubject } from './record.js';

/** A place as the platform keeps it. */
export interface PlaceRecord {
  readonly place: MeetingPlace;
  /** Of the manifest. */
  readonly version: number;
  readonly by: string;
}

export type PlaceError = RecordError | ObjectError | JsonProblem;

const subjectOf = ({ kind, id }: Pick<MeetingPlace, 'kind' | 'id'>): LedgerSubject => ({
  name: 'platform.place',
  key: `${kind}/${id}`,
});

/** Makes or changes a place: on record first, then its certified manifest in the store. */
export async function putPlace(
  parts: PlatformParts,
  place: MeetingPlace,
  by: string,
): Promise<Result<PlaceRecord, PlaceError>> {
  const kept = await change<PlaceRecord, PlaceRecord, never>(parts.store, subjectOf(place), (before) => {
    const record = { place, version: (before?.version ?? 0) + 1, by };
    const data = { by, place, version: record.version } as never;
    return ok({ events: [{ type: 'place.changed', data }], state: record, answer: record });
  });
  if (!kept.ok) return kept;
  const bytes = certifyPlace(place, manifestOptions(parts, kept.value.version));
  if (!bytes.ok) return bytes;
  const put = await parts.objects.put(placeKey(place), bytes.value);
  return put.ok ? kept : put;
}

export const findPlace = async (
  { store }: Pick<PlatformParts, 'store'>,
  of: Pick<MeetingPlace, 'kind' | 'id'>,
): Promise<MeetingPlace | undefined> => (await stateOf<PlaceRecord>(store, subjectOf(of)))?.place;

/** Every place, by kind and id. */
export async function listPlaces({ store }: Pick<PlatformParts, 'store'>): Promise<readonly PlaceRecord[]> {
  const all = await store.projections('platform.place');
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value as unknown as PlaceRecord);
}

/** The circles that an agent belongs to. */
export async function circlesOf(
  parts: Pick<PlatformParts, 'store'>,
  agent: string,
): Promise<ReadonlySet<string>> {
  const circles = (await listPlaces(parts)).map(({ place }) => place);
  return new Set(
    circles.flatMap((place) => (place.kind === 'circle' && place.members.includes(agent) ? [place.id] : [])),
  );
}

/** Tells an agent which topics and tasks it may see now, if that changed since it was told last. */
export async function tellPlaces(parts: PlatformParts, agent: string): Promise<Result<void, PlaceError>> {
  const viewer = { agent, circles: await circlesOf(parts, agent) };
  const seen = (await listPlaces(parts))
    .map(({ place }) => place)
    .filter((place) => isVisible(place, viewer));
  const of = (kind: MeetingPlace['kind']) => seen.filter((place) => place.kind === kind).map(({ id }) => id);
  // The newest names sort last in no order that matters; the bound is what an agent takes.
  const places = { topics: of('topic').slice(0, MAX_TOLD), tasks: of('task').slice(0, MAX_TOLD) };
  const text = JSON.stringify(places);
  const told = await change<AgentRecord, number | undefined, never>(
    parts.store,
    agentSubject(agent),
    (record) => {
      if (record === undefined || record.told?.places === text) return ok({ events: [], answer: undefined });
      const version = (record.told?.version ?? 0) + 1;
      const events = [{ type: 'places.told', data: { version, ...places } as never }];
      return ok({ events, state: { ...record, told: { version, places: text } }, answer: version });
    },
  );
  if (!told.ok || told.value === undefined) return told.ok ? ok(undefined) : told;
  const bytes = certifyPlaces(agent, places, manifestOptions(parts, told.value));
  if (!bytes.ok) return bytes;
  return parts.objects.put(KEYS.places(agent), bytes.value);
}

const MAX_TOLD = 100;
