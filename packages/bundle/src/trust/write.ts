import { ok, type Result } from '@cuebook/prompt';
import { certify } from '../cert/certify.js';
import { KEYS } from '../ids.js';
import type { JsonProblem } from '../json/scan.js';
import type { KeySigner } from '../key/key.js';
import { signCheckpoint } from '../log/checkpoint.js';
import type { LogError, LogWriter } from '../log/log.js';
import type { HashAt } from '../log/merkle.js';
import { tileHashes } from '../log/tiles.js';
import type { NewObject, ObjectError, Objects } from '../objects/contract.js';
import {
  delegatedMetadata,
  digestOf,
  type PinnedMetadata,
  pinOf,
  type SignedMetadata,
  snapshotMetadata,
  timestampMetadata,
} from './metadata.js';
import { printParcel, proofHashes, remembering } from './parcel.js';
import { endOf, isSigned, type StoredObject, type StoredSet } from './stored-set.js';

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
  /** Signs the checkpoint again though the log has not grown: its key changed, or its certificate ends. */
  readonly resignLog?: boolean;
  readonly lifetimes: Lifetimes;
}

/** In milliseconds. The timestamp's is how long a frozen store goes unnoticed. */
export interface Lifetimes {
  readonly cert: number;
  readonly assignment: number;
  readonly snapshot: number;
  readonly timestamp: number;
  /** Of what is told once and never changes: feedback, results, proposals. */
  readonly fact: number;
}

const DAY = 24 * 60 * 60 * 1000;
export const DEFAULT_LIFETIMES: Lifetimes = {
  cert: 30 * DAY,
  assignment: 30 * DAY,
  snapshot: 7 * DAY,
  timestamp: DAY,
  fact: 730 * DAY,
};

/** `E_PUBLISH`: why nothing of a publication was made public. */
export type PublishError =
  | { readonly code: 'E_PUBLISH'; readonly reason: 'bad-id' | 'version'; readonly agent: string }
  | JsonProblem
  | ObjectError
  | LogError;

/** An object that is certified when it is written. */
export interface NewCertified {
  readonly object: Readonly<Record<string, unknown>>;
  readonly version: number;
}

/** What is to be in the store of one agent: parts that are made, and parts that are there and stay. */
export interface AgentWork {
  readonly agent: string;
  /** Of everything that is made here but the card. */
  readonly version: number;
  readonly isPublic: boolean;
  readonly card: NewCertified | StoredObject;
  readonly bundle: NewCertified | StoredObject;
  readonly reviews: SignedMetadata | PinnedMetadata;
  /** Stays, where neither the card nor the bundle is made. */
  readonly assignment?: PinnedMetadata;
  /** Stays, where nothing that it pins is made: only the timestamp is. */
  readonly snapshot?: PinnedMetadata;
  /** What was signed offline, where it is not the newest: that of the desk. */
  readonly offline?: OfflinePins;
  /** What the agent knows if it is up to date: versions of what was signed offline, and the size of the log. */
  readonly had?: {
    readonly targets: number;
    readonly library: number;
    readonly logSize?: number | undefined;
  };
}

/**
 * Does the work of many agents: their objects, then the log and its checkpoint, then the timestamps. Answers what the
 * store holds of each, in order.
 */
export async function writeWorks<Item>(
  desk: PublishingDesk,
  items: readonly Item[],
  workOf: (item: Item) => Promise<Result<AgentWork, PublishError>>,
): Promise<Result<readonly StoredSet[], PublishError>> {
  const offline = { targets: pinned(desk.targets), library: pinned(desk.library) };
  const before = desk.log.size();
  const made: Made[] = [];
  const stored = await inTurns(batchesOf([...items.entries()]), async (batch) => {
    const objects: NewObject[] = [];
    for (const [at, item] of batch) {
      const work = await workOf(item);
      if (!work.ok) return work;
      const done = make(desk, work.value, offline);
      if (!done.ok) return done;
      made[at] = done.value;
      objects.push(...done.value.objects);
    }
    return putAll(desk, objects);
  });
  if (!stored.ok) return stored;
  const isGrown = desk.resignLog === true || desk.log.size() > before;
  const logged = isGrown ? await publishLog(desk) : ok(undefined);
  if (!logged.ok) return logged;
  const checkpoint = logged.value;
  const hashAt = remembering(tileHashes(desk.objects, desk.log.size()));
  const packed = await inTurns(batchesOf(made), async (batch) => {
    const parcels: NewObject[] = [];
    for (const each of batch) parcels.push(...(await parcelOf(desk, each, { before, checkpoint, hashAt })));
    return putAll(desk, parcels);
  });
  if (!packed.ok) return packed;
  const told = await inTurns(batchesOf(made), (batch) =>
    putAll(
      desk,
      batch.map(({ timestamp }) => timestamp),
    ),
  );
  return told.ok ? ok(made.map(({ set }) => ({ ...set, logSize: desk.log.size() }))) : told;
}

/** The parcel of a new snapshot: what was made for it, and how its objects stand in the log. */
async function parcelOf(
  desk: PublishingDesk,
  { work, set, objects }: Made,
  log: { readonly before: number; readonly checkpoint: Buffer | undefined; readonly hashAt: HashAt },
): Promise<readonly NewObject[]> {
  const { agent, had } = work;
  if (work.snapshot !== undefined) return [];
  const own = objects.flatMap(({ key, bytes }): [string, Buffer][] =>
    key.startsWith('trust/') ? [[key, asBuffer(bytes)]] : [],
  );
  const isNewest = work.offline === undefined;
  const shared = (['targets', 'library'] as const).flatMap((role): [string, Buffer][] =>
    isNewest && had !== undefined && had[role] !== desk[role].version
      ? [[KEYS.shared(role, desk[role].version), desk[role].bytes]]
      : [],
  );
  const { checkpoint } = log;
  const hashes =
    checkpoint === undefined
      ? new Map<string, Buffer>()
      : await proofHashes(
          {
            leaves: [set.card.logIndex, set.bundle.logIndex],
            sizes: [log.before, ...(had?.logSize === undefined ? [] : [had.logSize])],
          },
          desk.log.size(),
          log.hashAt,
        );
  const parts = new Map([
    ...own,
    ...shared,
    ...(checkpoint === undefined ? [] : [[KEYS.checkpoint, checkpoint] as const]),
  ]);
  const bytes = printParcel({ objects: parts, hashes });
  return [{ key: KEYS.own(agent, 'update', set.snapshot.version), bytes }];
}

/** The same bytes, not copied. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

interface Made {
  readonly work: AgentWork;
  readonly objects: readonly NewObject[];
  readonly timestamp: NewObject;
  readonly set: StoredSet;
}

/** What a snapshot pins of what was signed offline. */
export interface OfflinePins {
  readonly targets: PinnedMetadata;
  readonly library: PinnedMetadata;
}

/** What is known of metadata, without its bytes. Computed once for each. */
export function pinned(metadata: SignedMetadata): PinnedMetadata {
  const known = PINS.get(metadata) ?? pinOf(metadata, endOf(metadata.bytes) ?? 0);
  PINS.set(metadata, known);
  return known;
}

const PINS = new WeakMap<SignedMetadata, PinnedMetadata>();

function make(desk: PublishingDesk, work: AgentWork, newest: OfflinePins): Result<Made, JsonProblem> {
  const { agent, version, isPublic } = work;
  const { targets, library } = work.offline ?? newest;
  const { online, now, lifetimes } = desk;
  const common = (lifetime: number) => ({ version, expires: now + lifetime, signers: [online] });
  const objects: NewObject[] = [];
  const card = certified(desk, agent, 'agent_card', work.card);
  if (!card.ok) return card;
  const bundle = certified(desk, agent, 'prompt_bundle', work.bundle);
  if (!bundle.ok) return bundle;
  if (card.value.bytes) objects.push({ key: KEYS.card(agent), bytes: card.value.bytes, isPublic });
  if (bundle.value.bytes) objects.push({ key: KEYS.bundle(agent), bytes: bundle.value.bytes });
  const own = (role: string, metadata: SignedMetadata, pin = pinned(metadata)): PinnedMetadata => {
    objects.push({ key: KEYS.own(agent, role, metadata.version), bytes: metadata.bytes });
    return pin;
  };
  const made = (role: string, metadata: SignedMetadata, lifetime: number): PinnedMetadata =>
    own(role, metadata, pinOf(metadata, wholeSeconds(now + lifetime)));
  const reviews = isSigned(work.reviews) ? own('reviews', work.reviews) : work.reviews;
  const assignment =
    work.assignment ??
    made(
      'assignment',
      delegatedMetadata(
        { [KEYS.card(agent)]: card.value.stored, [KEYS.bundle(agent)]: bundle.value.stored },
        common(lifetimes.assignment),
      ),
      lifetimes.assignment,
    );
  const pins = { targets, library, reviews, assignment };
  const snapshot =
    work.snapshot ?? made('snapshot', snapshotMetadata(pins, common(lifetimes.snapshot)), lifetimes.snapshot);
  const timestamp = timestampMetadata(snapshot, { ...common(lifetimes.timestamp), issued: now, agent });
  return ok({
    work,
    objects,
    timestamp: { key: KEYS.timestamp(agent), bytes: timestamp.bytes },
    set: {
      key: online.keyId,
      isPublic,
      card: card.value.stored,
      bundle: bundle.value.stored,
      reviews,
      assignment,
      snapshot,
      timestamp: pinOf(timestamp, wholeSeconds(now + lifetimes.timestamp)),
      targets,
      library,
    },
  });
}

/** As metadata and certificates write a time. */
const wholeSeconds = (time: number): number => Math.floor(time / 1000) * 1000;

interface Certified {
  readonly stored: StoredObject;
  /** Left out where it is in the store already. */
  readonly bytes?: Buffer;
}

function certified(
  { online, issuer, now, lifetimes, log }: PublishingDesk,
  agent: string,
  kind: 'agent_card' | 'prompt_bundle',
  part: NewCertified | StoredObject,
): Result<Certified, JsonProblem> {
  if (!('object' in part)) return ok({ stored: part });
  const objectKey = kind === 'agent_card' ? KEYS.card(agent) : KEYS.bundle(agent);
  const { object, version } = part;
  const bytes = certify(object, {
    ...{ signer: online, issuer, version, now, lifetimeMs: lifetimes.cert },
    binding: { kind, subject: agent, objectKey },
  });
  if (!bytes.ok) return bytes;
  const { length, hashes } = digestOf(bytes.value);
  const stored = {
    ...{ version, length, sha256: hashes.sha256 },
    logIndex: log.append(bytes.value),
    expires: wholeSeconds(now + lifetimes.cert),
  };
  return ok({ stored, bytes: bytes.value });
}

/** The checkpoint, when it is in the store. */
async function publishLog(desk: PublishingDesk): Promise<Result<Buffer | undefined, PublishError>> {
  const { log, logName, logSigner, issuer, now, lifetimes } = desk;
  if (log.size() === 0) return ok(undefined);
  const flushed = await log.flush();
  if (!flushed.ok) return flushed;
  const head = { origin: logName, size: log.size(), root: log.root() };
  const checkpoint = signCheckpoint(head, { signer: logSigner, issuer, now, lifetimeMs: lifetimes.cert });
  if (!checkpoint.ok) return checkpoint;
  const put = await desk.objects.put(KEYS.checkpoint, checkpoint.value);
  return put.ok ? checkpoint : put;
}

async function putAll(
  { objects }: PublishingDesk,
  stored: readonly NewObject[],
): Promise<Result<void, PublishError>> {
  if (stored.length === 0) return ok(undefined);
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
