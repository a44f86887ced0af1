import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PreparedCard } from '../card/card.js';
import { certify } from '../cert/certify.js';
import { isId, KEYS, TARGETS } from '../ids.js';
import { readCanonical } from '../json/read.js';
import type { JsonProblem } from '../json/scan.js';
import type { KeySigner } from '../key/key.js';
import { signCheckpoint } from '../log/checkpoint.js';
import type { LogError, LogWriter } from '../log/log.js';
import type { NewObject, ObjectError, Objects } from '../objects/contract.js';
import type { Scenario } from '../scenario/scenario.js';
import { buildBundle, reviewBytes, templateBytes } from './bundle.js';
import { delegatedMetadata, type SignedMetadata, snapshotMetadata, timestampMetadata } from './metadata.js';

/** What the server publishes with. It holds the keys that assign, and none that write. */
export interface PublishingDesk {
  readonly objects: Objects;
  readonly online: KeySigner;
  readonly logSigner: KeySigner;
  readonly log: LogWriter;
  readonly logName: string;
  readonly issuer: string;
  /** Signed offline, the same for every agent. */
  readonly targets: SignedMetadata;
  readonly library: SignedMetadata;
  readonly now: number;
  readonly lifetimes: Lifetimes;
}

/** In milliseconds. The timestamp's is how long a frozen store goes unnoticed. */
export interface Lifetimes {
  readonly cert: number;
  readonly assignment: number;
  readonly snapshot: number;
  readonly timestamp: number;
}

const DAY = 24 * 60 * 60 * 1000;
export const DEFAULT_LIFETIMES: Lifetimes = {
  cert: 30 * DAY,
  assignment: 30 * DAY,
  snapshot: 7 * DAY,
  timestamp: DAY,
};

/** One agent's card and bundle, with the review that its reviewer signed. */
export interface Publication {
  readonly prepared: PreparedCard;
  /** Of the bundle and of the metadata about it; above every version before it. */
  readonly version: number;
  readonly reviews: SignedMetadata;
  readonly scenarios: readonly Scenario[];
  readonly cohorts?: Readonly<Record<string, string>>;
}

/** `E_PUBLISH`: why nothing of a publication was made public. */
export type PublishError =
  | { readonly code: 'E_PUBLISH'; readonly reason: 'bad-id' | 'version'; readonly agent: string }
  | JsonProblem
  | ObjectError
  | LogError;

/**
 * Publishes cards and bundles. Objects come first, then the log and its checkpoint, then the timestamps: an agent
 * that looks in between keeps what it has. A failure leaves every timestamp that was not yet written as it was.
 */
export async function publishAgents(
  desk: PublishingDesk,
  publications: readonly Publication[],
): Promise<Result<void, PublishError>> {
  const timestamps: Stored[] = [];
  const stored = await inTurns(batchesOf(publications), async (batch) => {
    const objects: Stored[] = [];
    for (const publication of batch) {
      const prepared = await prepare(desk, publication);
      if (!prepared.ok) return prepared;
      timestamps.push(prepared.value.timestamp);
      objects.push(...prepared.value.objects);
    }
    return putAll(desk, objects);
  });
  if (!stored.ok) return stored;
  const logged = await publishLog(desk);
  if (!logged.ok) return logged;
  return inTurns(batchesOf(timestamps), (batch) => putAll(desk, batch));
}

/** A new timestamp for an unchanged snapshot, so that agents see that the store is alive. */
export function renewTimestamp(
  desk: Pick<PublishingDesk, 'objects' | 'online' | 'now' | 'lifetimes'>,
  agent: string,
  snapshot: SignedMetadata,
  version: number,
): Promise<Result<void, ObjectError>> {
  const { bytes } = timestampMetadata(snapshot, {
    version,
    expires: desk.now + desk.lifetimes.timestamp,
    signers: [desk.online],
  });
  return desk.objects.put(KEYS.timestamp(agent), bytes);
}

/** The offline list of templates that may ever be assigned. */
export const libraryMetadata = (
  scenarios: readonly Scenario[],
  common: { readonly version: number; readonly expires: number; readonly signers: readonly KeySigner[] },
): SignedMetadata =>
  delegatedMetadata(
    Object.fromEntries(
      scenarios.map((scenario) => [
        TARGETS.template(scenario.id, scenario.version),
        { bytes: templateBytes(scenario) },
      ]),
    ),
    common,
  );

/** A reviewer's word for one card: exactly these fields, this view, this base prompt. */
export const reviewMetadata = (
  { card, basePrompt }: PreparedCard,
  common: { readonly version: number; readonly expires: number; readonly signers: readonly KeySigner[] },
): SignedMetadata =>
  delegatedMetadata(
    {
      [TARGETS.review(card.agent_id, card.card_version)]: {
        bytes: reviewBytes(card as unknown as Record<string, unknown>, basePrompt),
      },
    },
    common,
  );

type Stored = NewObject;

interface Prepared {
  readonly objects: readonly Stored[];
  readonly timestamp: Stored;
}

async function prepare(
  desk: PublishingDesk,
  publication: Publication,
): Promise<Result<Prepared, PublishError>> {
  const { prepared, version, reviews, scenarios, cohorts = {} } = publication;
  const { card } = prepared;
  const agent = card.agent_id;
  if (!isId(agent)) return fail({ code: 'E_PUBLISH', reason: 'bad-id', agent: '(refused)' });
  const current = await desk.objects.get(KEYS.bundle(agent));
  if (!current.ok && current.error.reason !== 'not-found') return current;
  const stale = current.ok && versionOf(current.value) >= version;
  if (guard('publish.version', stale)) return fail({ code: 'E_PUBLISH', reason: 'version', agent });
  const { online: signer, issuer, now, lifetimes } = desk;
  const sealed = (object: object, kind: string, objectKey: string, objectVersion: number) =>
    certify(object as Record<string, unknown>, {
      signer,
      issuer,
      binding: { kind, subject: agent, objectKey },
      version: objectVersion,
      now,
      lifetimeMs: lifetimes.cert,
    });
  const cardBytes = sealed(card, 'agent_card', KEYS.card(agent), card.card_version);
  if (!cardBytes.ok) return cardBytes;
  const bundle = buildBundle({ prepared, version, scenarios, cohorts, now });
  const bundleBytes = sealed(bundle, 'prompt_bundle', KEYS.bundle(agent), version);
  if (!bundleBytes.ok) return bundleBytes;
  const common = (lifetime: number) => ({ version, expires: now + lifetime, signers: [signer] });
  const assignment = delegatedMetadata(
    {
      [KEYS.card(agent)]: { bytes: cardBytes.value, logIndex: desk.log.append(cardBytes.value) },
      [KEYS.bundle(agent)]: { bytes: bundleBytes.value, logIndex: desk.log.append(bundleBytes.value) },
    },
    common(lifetimes.assignment),
  );
  const { targets, library } = desk;
  const snapshot = snapshotMetadata({ targets, library, reviews, assignment }, common(lifetimes.snapshot));
  const timestamp = timestampMetadata(snapshot, common(lifetimes.timestamp));
  return ok({
    objects: [
      { key: KEYS.card(agent), bytes: cardBytes.value, isPublic: card.discovery.public },
      { key: KEYS.bundle(agent), bytes: bundleBytes.value },
      { key: KEYS.own(agent, 'reviews', reviews.version), bytes: reviews.bytes },
      { key: KEYS.own(agent, 'assignment', version), bytes: assignment.bytes },
      { key: KEYS.own(agent, 'snapshot', version), bytes: snapshot.bytes },
    ],
    timestamp: { key: KEYS.timestamp(agent), bytes: timestamp.bytes },
  });
}

/** The version that a stored object claims; one that cannot be read claims none. */
function versionOf(bytes: Uint8Array): number {
  const read = readCanonical(bytes);
  const version = read.ok ? (read.value.value as { cert?: { version?: unknown } }).cert?.version : undefined;
  return typeof version === 'number' ? version : 0;
}

async function publishLog(desk: PublishingDesk): Promise<Result<void, PublishError>> {
  const { log, logName, logSigner, issuer, now, lifetimes } = desk;
  const flushed = await log.flush();
  if (!flushed.ok) return flushed;
  const head = { origin: logName, size: log.size(), root: log.root() };
  const checkpoint = signCheckpoint(head, { signer: logSigner, issuer, now, lifetimeMs: lifetimes.cert });
  return checkpoint.ok ? desk.objects.put(KEYS.checkpoint, checkpoint.value) : checkpoint;
}

async function putAll(
  { objects }: PublishingDesk,
  stored: readonly Stored[],
): Promise<Result<void, PublishError>> {
  if (objects.putAll !== undefined) return objects.putAll(stored);
  return inTurns(stored, ({ key, bytes, isPublic = false }) => objects.put(key, bytes, { isPublic }));
}

const batchesOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) =>
    items.slice(at * BATCH, (at + 1) * BATCH),
  );

/** Agents whose objects are written together: folders that they share are synced once for all of them. */
const BATCH = 64;

/** Sixteen at a time; the first failure is the answer, and what has begun is waited for. */
async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result<void, PublishError>>,
): Promise<Result<void, PublishError>> {
  let next = 0;
  let failure: Result<void, PublishError> | undefined;
  const hand = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const item = items[next++] as Item;
      const done = await work(item);
      if (!done.ok) failure ??= done;
    }
  };
  await Promise.all(Array.from({ length: Math.min(16, items.length) }, hand));
  return failure ?? ok(undefined);
}
