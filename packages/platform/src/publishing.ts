import { randomUUID } from 'node:crypto';
import {
  KEYS,
  type LogError,
  openLog,
  type Publication,
  type PublishError,
  type PublishingDesk,
  prepareCard,
  publishAgents,
  readCheckpoint,
  renewTimestamp,
  requireApproved,
  type SignerKeys,
} from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import { listAgents } from './cards.js';
import type { PlatformParts } from './desk.js';
import { assignCohorts, type Experiment, type ExperimentError } from './experiment/cohort.js';
import { listExperiments } from './experiments.js';
import { change, type RecordError } from './ledger.js';
import { findLibrary, type TemplateLibrary } from './library/library.js';
import { isStored, storeLibrary } from './library/publish.js';
import { type AgentRecord, agentSubject, type Published } from './record.js';

/** What became of a publication. */
export interface PublishReport {
  readonly published: readonly { readonly agent: string; readonly version: number }[];
  /** Nothing changed for these. */
  readonly unchanged: readonly string[];
  /** Why others were left out. */
  readonly left: readonly { readonly agent: string; readonly reason: 'pending' | 'rejected' | 'unsigned' }[];
}

export type PublishingError =
  | PublishError
  | RecordError
  | ExperimentError
  | { readonly code: 'E_PUBLISH'; readonly reason: 'busy'; readonly agent: string };

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
    const planned: Planned[] = [];
    const unchanged: string[] = [];
    const left: { agent: string; reason: 'pending' | 'rejected' | 'unsigned' }[] = [];
    for (const record of asked) {
      const plan = planOf(library, record, experiments);
      if (!plan.ok) return plan;
      if (typeof plan.value === 'string') left.push({ agent: record.agent, reason: plan.value });
      else if (!again && isPublished(record, plan.value, library)) unchanged.push(record.agent);
      else planned.push(plan.value);
    }
    if (planned.length === 0) return ok({ published: [], unchanged, left });
    // Agents must find the list that their snapshot pins.
    const stored = (await isStored(parts, library)) ? ok(undefined) : await storeLibrary(parts, library);
    if (!stored.ok) return stored;
    const desk = await openDesk(parts, library);
    if (!desk.ok) return desk;
    const begun = await inOrder(planned, async (plan) => {
      const version = await nextVersion(parts, plan.record.agent, { type: 'publication.begun', by });
      return version.ok
        ? ok({ ...plan, publication: { ...plan.publication, version: version.value } })
        : version;
    });
    if (!begun.ok) return begun;
    const done = await publishAgents(
      desk.value,
      begun.value.map(({ publication }) => publication),
    );
    if (!done.ok) return done;
    const noted = await inOrder(begun.value, (plan) => noteDone(parts, plan, library, by));
    if (!noted.ok) return noted;
    const published = begun.value.map(({ record, publication }) => ({
      agent: record.agent,
      version: publication.version,
    }));
    return ok({ published, unchanged, left });
  });
}

/** New timestamps for what is published and has not changed, so that agents see that the store is alive. */
export async function renewTimestamps(
  parts: PlatformParts,
  by: string,
): Promise<Result<readonly string[], PublishingError>> {
  return holding(parts, async () => {
    const { objects, online, lifetimes } = parts;
    const renewed: string[] = [];
    for (const { agent, published } of await listAgents(parts)) {
      if (published === undefined) continue;
      const key = KEYS.own(agent, 'snapshot', published.version);
      const snapshot = await objects.get(key);
      if (!snapshot.ok) return snapshot;
      const version = await nextVersion(parts, agent, { type: 'timestamp.renewed', by });
      if (!version.ok) return version;
      const desk = { objects, online, lifetimes, now: parts.now() };
      const metadata = { version: published.version, bytes: Buffer.from(snapshot.value) };
      const done = await renewTimestamp(desk, agent, metadata, version.value);
      if (!done.ok) return done;
      renewed.push(agent);
    }
    return ok(renewed);
  });
}

interface Planned {
  readonly record: AgentRecord;
  readonly publication: Publication;
}

function planOf(
  { active, library }: TemplateLibrary,
  record: AgentRecord,
  experiments: readonly Experiment[],
): Result<Planned | 'pending' | 'rejected' | 'unsigned', PublishingError> {
  const { review, signedReview, agent } = record;
  const draft = requireApproved(review);
  if (!draft.ok) return ok(review.status === 'rejected' ? 'rejected' : 'pending');
  if (signedReview?.cardVersion !== review.cardVersion) return ok('unsigned');
  const prepared = prepareCard(draft.value, review.cardVersion);
  // It was measured when it was saved.
  if (!prepared.ok) return ok('pending');
  const assigned = assignCohorts(agent, experiments, { active, library });
  if (!assigned.ok) return assigned;
  const reviews = { version: review.cardVersion, bytes: Buffer.from(signedReview.metadata) };
  return ok({ record, publication: { prepared: prepared.value, version: 0, reviews, ...assigned.value } });
}

const scenariosOf = ({ publication }: Planned): Readonly<Record<string, number>> =>
  Object.fromEntries(
    publication.scenarios.filter(({ side }) => side === 'agent').map(({ id, version }) => [id, version]),
  );

function isPublished({ published }: AgentRecord, plan: Planned, { record }: TemplateLibrary): boolean {
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

/** The next version of an agent, on record before anything is made with it. */
const nextVersion = (
  { store }: PlatformParts,
  agent: string,
  { type, by }: { readonly type: string; readonly by: string },
): Promise<Result<number, RecordError | PublishingError>> =>
  change<AgentRecord, number, PublishingError>(store, agentSubject(agent), (record) => {
    if (record === undefined) return fail({ code: 'E_PUBLISH', reason: 'bad-id', agent });
    const version = record.lastVersion + 1;
    const events = [{ type, data: { version, by } as never }];
    return ok({ events, state: { ...record, lastVersion: version }, answer: version });
  });

function noteDone(
  parts: PlatformParts,
  plan: Planned,
  { metadata }: TemplateLibrary,
  by: string,
): Promise<Result<void, PublishingError>> {
  const { prepared, version, cohorts = {} } = plan.publication;
  const published: Published = {
    version,
    cardVersion: prepared.card.card_version,
    isPublic: prepared.card.discovery.public,
    at: parts.now(),
    library: metadata.version,
    scenarios: scenariosOf(plan),
    cohorts,
  };
  return change<AgentRecord, void, PublishingError>(parts.store, agentSubject(plan.record.agent), (record) =>
    ok({
      events: [{ type: 'publication.done', data: { by, ...published } as never }],
      state: { ...(record ?? plan.record), published },
      answer: undefined,
    }),
  );
}

async function openDesk(
  parts: PlatformParts,
  { metadata }: TemplateLibrary,
): Promise<Result<PublishingDesk, PublishingError>> {
  const { objects, online, log: logSigner, name, trust, lifetimes } = parts;
  const keys: SignerKeys = new Map([[logSigner.keyId, logSigner.publicKey.object]]);
  const stored = await objects.get(KEYS.checkpoint);
  if (!stored.ok && stored.error.reason !== 'not-found') return stored;
  const checkpoint = stored.ok ? readCheckpoint(stored.value, name, keys) : undefined;
  // A checkpoint that is not ours: going on from it would be going on with somebody else's log.
  if (checkpoint !== undefined && !checkpoint.ok) return fail<LogError>({ code: 'E_LOG', reason: 'forked' });
  const log = await openLog(objects, checkpoint?.value);
  if (!log.ok) return log;
  return ok({
    objects,
    online,
    logSigner,
    log: log.value,
    logName: name,
    issuer: name,
    targets: trust.targets,
    library: metadata,
    now: parts.now(),
    lifetimes,
  });
}

/** Runs the work while nobody else publishes. */
async function holding<Value>(
  { store }: PlatformParts,
  work: () => Promise<Result<Value, PublishingError>>,
): Promise<Result<Value, PublishingError>> {
  const lease = await store.acquireLease('platform.publish', `publish ${randomUUID()}`, LEASE_MS);
  if (lease === undefined) return fail({ code: 'E_PUBLISH', reason: 'busy', agent: '' });
  try {
    return await work();
  } finally {
    await store.releaseLease(lease);
  }
}

/** Sixteen at a time, the answers in order; the first failure is the answer. */
async function inOrder<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result<Value, PublishingError>>,
): Promise<Result<readonly Value[], PublishingError>> {
  const values: Value[] = [];
  for (let at = 0; at < items.length; at += WIDTH) {
    for (const done of await Promise.all(items.slice(at, at + WIDTH).map(work))) {
      if (!done.ok) return done;
      values.push(done.value);
    }
  }
  return ok(values);
}

const WIDTH = 16;
const LEASE_MS = 10 * 60_000;
