import {
  KEYS,
  knownOf,
  type LogError,
  openLog,
  type Publication,
  type PublishError,
  type PublishingDesk,
  prepareCard,
  publishAgents,
  readCheckpoint,
  readJson,
  requireApproved,
  reviewRole,
  type SignedMetadata,
  type SignerKeys,
  type StoredSet,
} from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';
import { assignCohorts, type Experiment, type ExperimentError } from './experiment/cohort.js';
import { listExperiments } from './experiments.js';
import { type HoldingError, holding } from './holding.js';
import { change, changeMany, type LedgerSubject, type RecordError, stateOf } from './ledger.js';
import { findLibrary, type TemplateLibrary } from './library/library.js';
import { keepStored } from './library/publish.js';
import {
  type AgentRecord,
  PUBLISHED,
  type PublicationRecord,
  type Published,
  type SignedReview,
} from './record.js';

/** What became of a publication. */
export interface PublishReport {
  readonly published: readonly { readonly agent: string; readonly version: number }[];
  /** Nothing changed for these. */
  readonly unchanged: readonly string[];
  /** Why others were left out. */
  readonly left: readonly { readonly agent: string; readonly reason: 'pending' | 'rejected' | 'unsigned' }[];
}

export type PublishingError = PublishError | RecordError | ExperimentError | HoldingError;

/**
 * Publishes every approved card that is not published as it is, or those that are named. One publication at a time,
 * held by a lease. The version of each is on record before the first byte is written, so that one that was cut off is
 * never used again; the next call goes on from there.
 */
export async function publishApproved(
  parts: PlatformParts,
  {
    by,
    agents,
    again = false,
  }: { readonly by: string; readonly agents?: readonly string[]; readonly again?: boolean },
): Promise<Result<PublishReport, PublishingError>> {
  return holding(parts, async () => {
    const asked = (await listAgents(parts)).filter(({ agent }) => agents?.includes(agent) ?? true);
    const experiments = await listExperiments(parts);
    const library = await findLibrary(parts);
    const planned: PlannedPublication[] = [];
    const unchanged: string[] = [];
    const left: { agent: string; reason: 'pending' | 'rejected' | 'unsigned' }[] = [];
    for (const record of asked) {
      const plan = planOf(parts, record, { library, experiments });
      if (!plan.ok) return plan;
      if (typeof plan.value === 'string') left.push({ agent: record.agent, reason: plan.value });
      else if (!again && isPublished(record, plan.value, library)) unchanged.push(record.agent);
      else planned.push(plan.value);
    }
    const stored = await keepStored(parts, library);
    if (!stored.ok) return stored;
    if (planned.length === 0) return ok({ published: [], unchanged, left });
    const desk = await openDesk(parts, library);
    if (!desk.ok) return desk;
    const begun = planned.map((plan) => {
      const version = plan.record.lastVersion + 1;
      const before = keptOf(parts, plan, version - 1);
      return { ...plan, publication: { ...plan.publication, version, before } };
    });
    const noted = await noteVersions(parts, begun.map(versionOf), { type: 'publication.begun', by });
    if (!noted.ok) return noted;
    const done = await publishAgents(
      desk.value,
      begun.map(({ publication }) => publication),
    );
    if (!done.ok) return done;
    const logged = await noteLog(parts, desk.value.log);
    if (!logged.ok) return logged;
    const finished = await noteDone(parts, begun, done.value, by);
    if (!finished.ok) return finished;
    const published = begun.map(({ record, publication }) => ({
      agent: record.agent,
      version: publication.version,
    }));
    return ok({ published, unchanged, left });
  });
}

/** What of an agent is in the store as it should be, and is not written again. */
function keptOf(
  { online, lifetimes, now }: PlatformParts,
  { record: { published }, publication: { prepared, reviews } }: PlannedPublication,
  version: number,
): NonNullable<Publication['before']> {
  const stored = published?.stored;
  const { card } = prepared;
  const isSame =
    stored !== undefined &&
    stored.key === online.keyId &&
    published?.cardVersion === card.card_version &&
    stored.isPublic === card.discovery.public &&
    stored.card.expires - now() > lifetimes.cert / 2;
  return {
    version,
    ...(stored === undefined ? {} : { had: knownOf(stored) }),
    ...(isSame ? { card: stored.card } : {}),
    ...(stored?.reviews.version === reviews.version ? { reviews: stored.reviews } : {}),
  };
}

/** An agent and what it is to be given. */
export interface PlannedPublication {
  readonly record: AgentRecord;
  readonly publication: Publication;
}

/** What an agent would be given now, or why nothing. */
export function planOf(
  { trust }: Pick<PlatformParts, 'trust'>,
  record: AgentRecord,
  {
    library: { active, library },
    experiments,
  }: { readonly library: TemplateLibrary; readonly experiments: readonly Experiment[] },
): Result<PlannedPublication | 'pending' | 'rejected' | 'unsigned', PublishingError> {
  const { review, signedReview, agent } = record;
  const draft = requireApproved(review);
  if (!draft.ok) return ok(review.status === 'rejected' ? 'rejected' : 'pending');
  if (signedReview?.cardVersion !== review.cardVersion || !isReviewed(trust.targets, signedReview))
    return ok('unsigned');
  const prepared = prepareCard(draft.value, review.cardVersion);
  // It was measured when it was saved.
  if (!prepared.ok) return ok('pending');
  const assigned = assignCohorts(agent, experiments, { active, library });
  if (!assigned.ok) return assigned;
  const reviews = reviewsOf(signedReview);
  return ok({ record, publication: { prepared: prepared.value, version: 0, reviews, ...assigned.value } });
}

/** A review as it is published. */
export const reviewsOf = ({ version, cardVersion, metadata }: SignedReview): SignedMetadata => ({
  version: version ?? cardVersion,
  bytes: Buffer.from(metadata),
});

/** Whether as many of those who count now have signed a review as must: its signatures were checked when it was taken. */
export function isReviewed(targets: SignedMetadata, { keys, metadata }: SignedReview): boolean {
  const role = ROLES.get(targets) ?? reviewRole(targets);
  ROLES.set(targets, role);
  const signed = keys ?? signersOf(metadata);
  return signed.filter((key) => role.keys.has(key)).length >= role.threshold;
}

const ROLES = new WeakMap<SignedMetadata, ReturnType<typeof reviewRole>>();

const signersOf = (metadata: string): readonly string[] =>
  (JSON.parse(metadata) as { readonly signatures: readonly { readonly keyid: string }[] }).signatures.map(
    ({ keyid }) => keyid,
  );

const scenariosOf = ({ publication }: PlannedPublication): Readonly<Record<string, number>> =>
  Object.fromEntries(
    publication.scenarios.filter(({ side }) => side === 'agent').map(({ id, version }) => [id, version]),
  );

function isPublished(
  { published }: AgentRecord,
  plan: PlannedPublication,
  { record }: TemplateLibrary,
): boolean {
  // An agent whose list is older than a retirement could still be given what was retired.
  if (published === undefined || (published.library ?? 1) < record.floor) return false;
  const { prepared, cohorts = {} } = plan.publication;
  const same = (a: object, b: object) =>
    JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
  return (
    published.cardVersion === prepared.card.card_version &&
    same(published.scenarios, scenariosOf(plan)) &&
    same(published.cohorts, cohorts)
  );
}

/** A version that is about to be used. */
export interface UsedVersion {
  readonly record: AgentRecord;
  readonly version: number;
}

const versionOf = ({ record, publication }: PlannedPublication): UsedVersion => ({
  record,
  version: publication.version,
});

/** Puts versions on record before anything is made with them: one that was cut off is never used again. */
export const noteVersions = (
  { store }: PlatformParts,
  used: readonly UsedVersion[],
  { type, by }: { readonly type: string; readonly by: string },
): Promise<Result<void, RecordError>> =>
  changeMany(
    store,
    PUBLISHED,
    used.map(({ record, version }) => ({
      key: record.agent,
      event: { type, data: { agent: record.agent, version, by } },
      state: publicationOf({ ...record, lastVersion: version }),
    })),
  );

const publicationOf = ({ lastVersion, published }: PublicationRecord): PublicationRecord => ({
  lastVersion,
  ...(published === undefined ? {} : { published }),
});

/** Puts on record what the store holds now. */
export function noteDone(
  parts: PlatformParts,
  plans: readonly PlannedPublication[],
  sets: readonly StoredSet[],
  by: string,
): Promise<Result<void, RecordError>> {
  const changes = plans.map((plan, at) => {
    const { prepared, version, cohorts = {} } = plan.publication;
    const { agent } = plan.record;
    const stored = sets[at] as StoredSet;
    const told = {
      version,
      cardVersion: prepared.card.card_version,
      isPublic: prepared.card.discovery.public,
      at: parts.now(),
      library: stored.library.version,
      scenarios: scenariosOf(plan),
      cohorts,
    };
    const published: Published = { ...told, stored };
    return {
      key: agent,
      event: { type: 'publication.done', data: { agent, by, ...told } as never },
      state: publicationOf({ lastVersion: version, published }),
    };
  });
  return changeMany(parts.store, PUBLISHED, changes);
}

/**
 * Goes on with the log from where the record says that it stood: a checkpoint in the store counts only where there is
 * no such record, since its key may have been replaced or stolen.
 */
export async function openDesk(
  parts: PlatformParts,
  { metadata }: TemplateLibrary,
): Promise<Result<PublishingDesk, PublishingError>> {
  const { objects, online, log: logSigner, name, trust, lifetimes } = parts;
  const head = await stateOf<LogHead>(parts.store, LOG_HEAD);
  const stored = await objects.get(KEYS.checkpoint);
  if (!stored.ok && stored.error.reason !== 'not-found') return stored;
  const known = head === undefined ? await storedHead(parts, stored) : ok(head);
  if (!known.ok) return known;
  const from = known.value && { size: known.value.size, root: Buffer.from(known.value.root, 'hex') };
  const log = await openLog(objects, from);
  if (!log.ok) return log;
  return ok({
    ...{ objects, online, logSigner, lifetimes },
    log: log.value,
    logName: name,
    issuer: name,
    targets: trust.targets,
    library: metadata,
    now: parts.now(),
    resignLog: isCheckpointDue(parts, stored.ok ? stored.value : undefined),
  });
}

/** How far the log is, as this platform wrote it. */
interface LogHead {
  readonly size: number;
  /** In hexadecimal. */
  readonly root: string;
}

const LOG_HEAD: LedgerSubject = { name: 'platform.fact', key: 'log' };

async function storedHead(
  { name, log }: PlatformParts,
  stored: Result<Uint8Array, unknown>,
): Promise<Result<LogHead | undefined, LogError>> {
  if (!stored.ok) return ok(undefined);
  const keys: SignerKeys = new Map([[log.keyId, log.publicKey.object]]);
  const checkpoint = readCheckpoint(stored.value, name, keys);
  // A checkpoint that is not ours: going on from it would be going on with somebody else's log.
  if (!checkpoint.ok) return fail({ code: 'E_LOG', reason: 'forked' });
  return ok({ size: checkpoint.value.size, root: checkpoint.value.root.toString('hex') });
}

function isCheckpointDue({ log, now, lifetimes }: PlatformParts, bytes: Uint8Array | undefined): boolean {
  const read = bytes === undefined ? undefined : readJson(bytes);
  const { key_id: key, expires_at: end } = (read?.ok ? (read.value as { cert?: Ends }).cert : {}) ?? {};
  return key !== log.keyId || Date.parse(end ?? '') - now() <= lifetimes.cert / 2;
}

interface Ends {
  readonly key_id?: string;
  readonly expires_at?: string;
}

/** Puts on record how far the log is. */
export const noteLog = (
  { store }: PlatformParts,
  log: PublishingDesk['log'],
): Promise<Result<void, RecordError>> => {
  const head: LogHead = { size: log.size(), root: log.root().toString('hex') };
  return change<LogHead, void, never>(store, LOG_HEAD, (before) =>
    before?.size === head.size
      ? ok({ events: [], answer: undefined })
      : ok({ events: [{ type: 'log.grown', data: { ...head } }], state: head, answer: undefined }),
  );
};
