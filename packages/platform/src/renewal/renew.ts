import {
  type PublishingDesk,
  publishAgents,
  type Renewal,
  type RenewalDepth,
  readStored,
  renewAgents,
  type StoredSet,
} from '@cuebook/bundle';
import { ok, type Result } from '@cuebook/prompt';
import { listAgents } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { listExperiments } from '../experiments.js';
import { renewFacts } from '../facts.js';
import { sweepHeartbeats } from '../feed.js';
import { holding } from '../holding.js';
import { changeMany } from '../ledger.js';
import { findLibrary, type TemplateLibrary } from '../library/library.js';
import { keepStored } from '../library/publish.js';
import { isDue, listPlaces, renewPlaces, tellPlaces } from '../places.js';
import {
  noteDone,
  noteLog,
  noteVersions,
  openDesk,
  type PlannedPublication,
  type PublishingError,
  planOf,
} from '../publishing.js';
import { type AgentRecord, PUBLISHED, type Published } from '../record.js';
import { renewTopics } from '../topic-state.js';
import { type Due, type Hindrance, listedIn, lookAtSet } from './due.js';

/** What was renewed, and what only a person can. */
export interface RenewalReport {
  /** By what was made again for them; each includes those that follow from it. */
  readonly agents: Readonly<Record<RenewalDepth, readonly string[]>>;
  /** Manifests of topics, tasks and circles. */
  readonly places: readonly string[];
  /** Topics whose state was certified again. */
  readonly topics: readonly string[];
  /** Agents that were told their places again. */
  readonly told: readonly string[];
  /** Feedback, results and proposals. */
  readonly facts: number;
  /** Agents whose heartbeats were too old. */
  readonly swept: readonly string[];
  readonly left: readonly {
    readonly agent: string;
    readonly reason: Hindrance | 'changed' | 'pending' | 'rejected';
  }[];
}

/**
 * Makes again whatever the keys of the server may make and ends before long: timestamps, snapshots, assignments,
 * certificates of cards, bundles, places and facts, the checkpoint of the log. After a change of keys or of what was
 * signed offline that is everything. No word changes. Run again, it does what is left.
 */
export async function renewPlatform(
  parts: PlatformParts,
  by: string,
): Promise<Result<RenewalReport, PublishingError>> {
  return holding(parts, async () => {
    const library = await findLibrary(parts);
    const stored = await keepStored(parts, library);
    if (!stored.ok) return stored;
    const desk = await openDesk(parts, library);
    if (!desk.ok) return desk;
    const agents = await renewSets(parts, { desk: desk.value, library, by });
    if (!agents.ok) return agents;
    const places = await renewPlaces(parts);
    if (!places.ok) return places;
    const topics = await renewTopics(parts);
    if (!topics.ok) return topics;
    const told = await tellAgain(parts);
    if (!told.ok) return told;
    const facts = await renewFacts(parts);
    if (!facts.ok) return facts;
    const swept = await sweepHeartbeats(parts);
    if (!swept.ok) return swept;
    return ok({
      ...agents.value,
      places: places.value,
      topics: topics.value,
      told: told.value,
      facts: facts.value,
      swept: swept.value,
    });
  });
}

interface Renewing {
  readonly desk: PublishingDesk;
  readonly library: TemplateLibrary;
  readonly by: string;
}

interface Task {
  readonly record: AgentRecord;
  readonly published: Published & { readonly stored: StoredSet };
  readonly due: Due;
}

async function renewSets(
  parts: PlatformParts,
  { desk, library, by }: Renewing,
): Promise<Result<Pick<RenewalReport, 'agents' | 'left'>, PublishingError>> {
  const { metadata } = library;
  const view = { now: parts.now(), library: metadata, listed: listedIn(metadata) };
  const left: RenewalReport['left'][number][] = [];
  const tasks: Task[] = [];
  const unknown: AgentRecord[] = [];
  for (const record of await listAgents(parts)) {
    const { published, agent } = record;
    if (published === undefined) continue;
    const { stored } = published;
    if (stored === undefined) {
      unknown.push(record);
      continue;
    }
    const { due, hindrance } = lookAtSet(parts, record, { ...published, stored }, view);
    if (hindrance !== undefined) left.push({ agent, reason: hindrance });
    // With another key of the server nothing that was signed before counts, and a review that does not count either
    // leaves nothing to sign.
    const isShut = hindrance === 'unsigned' && stored.key !== parts.online.keyId;
    if (due !== undefined && !isShut) tasks.push({ record, published: { ...published, stored }, due });
  }
  const again = await publishUnknown(parts, unknown, { desk, library, by, left });
  if (!again.ok) return again;
  const ready: { readonly task: Task; readonly renewal: Renewal }[] = [];
  for (const task of tasks) {
    const renewal = await renewalOf(parts, task);
    if (!renewal.ok) return renewal;
    if (renewal.value === undefined) left.push({ agent: task.record.agent, reason: 'changed' });
    else ready.push({ task, renewal: renewal.value });
  }
  const begun = await noteVersions(
    parts,
    ready.map(({ task, renewal }) => ({ record: task.record, version: renewal.version })),
    { type: 'renewal.begun', by },
  );
  if (!begun.ok) return begun;
  const done = await renewAgents(
    desk,
    ready.map(({ renewal }) => renewal),
  );
  if (!done.ok) return done;
  const logged = await noteLog(parts, desk.log);
  if (!logged.ok) return logged;
  const noted = await noteRenewed(parts, ready, done.value);
  if (!noted.ok) return noted;
  const of = (depth: RenewalDepth) =>
    ready.filter(({ renewal }) => renewal.depth === depth).map(({ renewal }) => renewal.agent);
  return ok({
    agents: {
      objects: [...again.value, ...of('objects')],
      snapshot: of('snapshot'),
      timestamp: of('timestamp'),
    },
    left,
  });
}

/** The renewal with the version that it will have. Undefined: the store does not hold what was written. */
async function renewalOf(
  parts: PlatformParts,
  { record: { agent, lastVersion }, published: { stored: set }, due }: Task,
): Promise<Result<Renewal | undefined, PublishingError>> {
  const objects = due.depth === 'objects' ? await readStored(parts.objects, agent, set) : undefined;
  if (objects?.ok === false) return isGone(objects.error) ? ok(undefined) : objects;
  const { depth, stays, reviews } = due;
  return ok({
    ...{ agent, version: lastVersion + 1, set, depth, stays },
    ...(reviews === undefined ? {} : { reviews }),
    ...(objects === undefined ? {} : { objects: objects.value }),
  });
}

const isGone = (error: { readonly reason?: string; readonly detail?: unknown }): boolean =>
  error.reason === 'not-found' || error.detail === 'changed';

/** Sets of an older record: made from the cards as they are approved now. */
async function publishUnknown(
  parts: PlatformParts,
  records: readonly AgentRecord[],
  { desk, library, by, left }: Renewing & { readonly left: RenewalReport['left'][number][] },
): Promise<Result<readonly string[], PublishingError>> {
  const experiments = await listExperiments(parts);
  const plans: PlannedPublication[] = [];
  for (const record of records) {
    const plan = planOf(parts, record, { library, experiments });
    if (!plan.ok) return plan;
    if (typeof plan.value === 'string') {
      left.push({ agent: record.agent, reason: plan.value });
      continue;
    }
    const version = record.lastVersion + 1;
    plans.push({ record, publication: { ...plan.value.publication, version } });
  }
  const used = plans.map(({ record, publication: { version } }) => ({ record, version }));
  const begun = await noteVersions(parts, used, { type: 'publication.begun', by });
  if (!begun.ok) return begun;
  const done = await publishAgents(
    desk,
    plans.map(({ publication }) => publication),
  );
  if (!done.ok) return done;
  const noted = await noteDone(parts, plans, done.value, by);
  return !noted.ok ? noted : ok(plans.map(({ record }) => record.agent));
}

/** Puts on record what the store holds now. */
function noteRenewed(
  { store }: PlatformParts,
  ready: readonly { readonly task: Task; readonly renewal: Renewal }[],
  sets: readonly StoredSet[],
): Promise<Result<void, PublishingError>> {
  const changes = ready.map(({ task: { published }, renewal: { agent, version, depth } }, at) => {
    const stored = sets[at] as StoredSet;
    const made = depth === 'objects' ? version : published.version;
    return {
      key: agent,
      event: { type: 'renewal.done', data: { agent, version, depth } },
      state: {
        lastVersion: version,
        published: { ...published, version: made, library: stored.library.version, stored },
      },
    };
  });
  return changeMany(store, PUBLISHED, changes);
}

async function tellAgain(parts: PlatformParts): Promise<Result<readonly string[], PublishingError>> {
  const told: string[] = [];
  const places = await listPlaces(parts);
  for (const { agent, told: before } of await listAgents(parts)) {
    if (before === undefined || !isDue(parts, before)) continue;
    const done = await tellPlaces(parts, agent, places);
    if (!done.ok) return done;
    if (done.value) told.push(agent);
  }
  return ok(told);
}
