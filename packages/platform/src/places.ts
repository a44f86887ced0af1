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
import { type AgentRecord, agentSubject, type SealedBy } from './record.js';

/** A place as the platform keeps it. */
export interface PlaceRecord {
  readonly place: MeetingPlace;
  /** Of the manifest. */
  readonly version: number;
  readonly by: string;
  /** The certificate of the manifest in the store; left out until it is there. */
  readonly sealed?: SealedBy;
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
  const stored = await storePlace(parts, kept.value);
  return stored.ok ? kept : stored;
}

/** Writes the manifest as it is on record, until what was written is what is on record: somebody may change it meanwhile. */
async function storePlace(parts: PlatformParts, record: PlaceRecord): Promise<Result<void, PlaceError>> {
  for (let now: PlaceRecord | undefined = record; now !== undefined; ) {
    const written: PlaceRecord = now;
    const bytes = certifyPlace(written.place, manifestOptions(parts, written.version));
    if (!bytes.ok) return bytes;
    const put = await parts.objects.put(placeKey(written.place), bytes.value);
    if (!put.ok) return put;
    const sealed = sealedNow(parts);
    const noted: Result<PlaceRecord | undefined, RecordError> = await change<
      PlaceRecord,
      PlaceRecord | undefined,
      never
    >(parts.store, subjectOf(written.place), (latest) => {
      if (latest !== undefined && latest.version !== written.version)
        return ok({ events: [], answer: latest });
      const data = { version: written.version, ...sealed } as never;
      return ok({
        events: [{ type: 'place.certified', data }],
        state: { ...written, sealed },
        answer: undefined,
      });
    });
    if (!noted.ok) return noted;
    now = noted.value;
  }
  return ok(undefined);
}

/** Certifies again every manifest whose certificate ends before long, or is that of another key. Answers which. */
export async function renewPlaces(parts: PlatformParts): Promise<Result<readonly string[], PlaceError>> {
  const renewed: string[] = [];
  for (const record of await listPlaces(parts)) {
    if (!isDue(parts, record.sealed)) continue;
    const stored = await storePlace(parts, record);
    if (!stored.ok) return stored;
    renewed.push(placeKey(record.place));
  }
  return ok(renewed);
}

/** Whether a certificate of the server should be made again: half its time is over, or another key made it. */
export const isDue = (
  { now, lifetimes, online }: Pick<PlatformParts, 'now' | 'lifetimes' | 'online'>,
  sealed: Partial<SealedBy> | undefined,
): boolean => sealed?.key !== online.keyId || (sealed.expires ?? 0) - now() <= lifetimes.cert / 2;

const sealedNow = ({ now, lifetimes, online }: PlatformParts): SealedBy => ({
  expires: now() + lifetimes.cert,
  key: online.keyId,
});

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
  return circlesIn(
    (await listPlaces(parts)).map(({ place }) => place),
    agent,
  );
}

const circlesIn = (places: readonly MeetingPlace[], agent: string): ReadonlySet<string> =>
  new Set(
    places.flatMap((place) => (place.kind === 'circle' && place.members.includes(agent) ? [place.id] : [])),
  );

/** Tells an agent which topics and tasks it may see now, if that changed since it was told last, or the word ends soon. */
export async function tellPlaces(
  parts: PlatformParts,
  agent: string,
  known?: readonly PlaceRecord[],
): Promise<Result<boolean, PlaceError>> {
  const all = (known ?? (await listPlaces(parts))).map(({ place }) => place);
  const seen = all.filter((place) => isVisible(place, { agent, circles: circlesIn(all, agent) }));
  const of = (kind: MeetingPlace['kind']) => seen.filter((place) => place.kind === kind).map(({ id }) => id);
  // The newest names sort last in no order that matters; the bound is what an agent takes.
  const places = { topics: of('topic').slice(0, MAX_TOLD), tasks: of('task').slice(0, MAX_TOLD) };
  const text = JSON.stringify(places);
  const told = await change<AgentRecord, number | undefined, never>(
    parts.store,
    agentSubject(agent),
    (record) => {
      const isSame = record?.told?.places === text;
      if (record === undefined || (isSame && !isDue(parts, record.told)))
        return ok({ events: [], answer: undefined });
      if (isSame) return ok({ events: [], answer: record.told?.version ?? 1 });
      const version = (record.told?.version ?? 0) + 1;
      const events = [{ type: 'places.told', data: { version, ...places } as never }];
      return ok({ events, state: { ...record, told: { version, places: text } }, answer: version });
    },
  );
  if (!told.ok || told.value === undefined) return told.ok ? ok(false) : told;
  const version = told.value;
  const bytes = certifyPlaces(agent, places, manifestOptions(parts, version));
  if (!bytes.ok) return bytes;
  const put = await parts.objects.put(KEYS.places(agent), bytes.value);
  if (!put.ok) return put;
  const sealed = sealedNow(parts);
  const noted = await change<AgentRecord, boolean, never>(parts.store, agentSubject(agent), (record) =>
    // Somebody told it something newer meanwhile, and notes that.
    record?.told?.version !== version
      ? ok({ events: [], answer: true })
      : ok({
          events: [{ type: 'places.certified', data: { version, ...sealed } as never }],
          state: { ...record, told: { ...record.told, ...sealed } },
          answer: true,
        }),
  );
  return noted;
}

const MAX_TOLD = 100;
