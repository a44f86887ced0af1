import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { KEYS } from '../ids.js';
import { readCheckpoint } from '../log/checkpoint.js';
import { checkLog } from '../log/log.js';
import type { HashAt } from '../log/merkle.js';
import type { Objects } from '../objects/contract.js';
import { type Accepted, acceptSet, delegatedKeys, findListed, type TrustRoles } from './accept.js';
import { type Chain, openChain, ROLE_NAMES, type RoleName } from './chain.js';
import { CLOCK_SKEW, issuedIn } from './clock.js';
import type { TrustError } from './error.js';
import { digestOf } from './metadata.js';
import { hashesOf, PARCEL_LIMIT, type Parcel, readParcel, withParcel } from './parcel.js';
import { metadataProblem, objectProblem } from './problem.js';
import type { TrustState } from './state.js';
import { endOf } from './stored-set.js';

/** What an agent needs to tell true from false. */
export interface TrustAnchor {
  readonly agent: string;
  /** A root that came with the agent, over a way that is trusted. Later roots are followed from it. */
  readonly root: Uint8Array;
  /** The name of the transparency log. */
  readonly log: string;
}

export interface SyncOptions extends TrustAnchor {
  readonly objects: Pick<Objects, 'get'>;
  readonly state?: TrustState | undefined;
  readonly now: number;
  /** The least version of the timestamp, told on admission: a new agent has nothing to compare with. */
  readonly floor?: number | undefined;
}

export interface Synced {
  readonly state: TrustState;
  readonly accepted: Accepted;
  /** Whether there is anything to save. */
  readonly changed: boolean;
}

/**
 * Fetches what is new and checks it whole. Nothing is stored here: an answer that is not an error is a state to be
 * saved, and until then the one before it stands. With nothing new it reads two objects.
 */
export async function syncTrust(options: SyncOptions): Promise<Result<Synced, TrustError>> {
  const { agent, state, now, floor } = options;
  const opened = openRoots(options, now, state);
  if (!opened.ok) return opened;
  const chain = opened.value;
  const roots = await followRoots(chain, options);
  if (!roots.ok) return roots;
  if (chain.rootEnds() <= now) return expired('root');
  const timestamp = await loadTimestamp(chain, options);
  if (!timestamp.ok) return timestamp;
  if (hasEnded(timestamp.value, now)) return expired('timestamp');
  const issued = issuedIn(timestamp.value);
  // A clock that is behind what was just verified would take old timestamps for fresh ones.
  if (guard('trust.clock', issued > now + CLOCK_SKEW))
    return fail({ code: 'E_TRUST', reason: 'clock', at: 'timestamp' });
  const version = chain.versions()?.timestamp ?? 0;
  if (guard('trust.floor', floor !== undefined && version < floor)) return rollback('timestamp');
  const parcel = await loadParcel(chain, options);
  const near = parcel === undefined ? options : { ...options, objects: withParcel(options.objects, parcel) };
  const metadata = await loadRest(chain, near);
  if (!metadata.ok) return metadata;
  const { roles, parts, fetched } = metadata.value;
  const before = acceptedBefore(options, roles);
  const card = await loadObject(options, roles, { kind: 'agent_card', own: state?.card, issued });
  if (!card.ok) return card;
  const bundle = await loadObject(options, roles, { kind: 'prompt_bundle', own: state?.bundle, issued });
  if (!bundle.ok) return bundle;
  const isSame = state?.card.equals(card.value) === true && state.bundle.equals(bundle.value);
  const set = { agent, roles, card: card.value, bundle: bundle.value, before };
  // What was taken while it was valid stays; only what is new must be valid now.
  const accepted = acceptSet(isSame ? set : { ...set, now });
  if (!accepted.ok) return accepted;
  const checkpoint = fetched || !isSame ? await followLog(near, roles, set, parcel) : ok(state.checkpoint);
  if (!checkpoint.ok) return checkpoint;
  const next: TrustState = {
    roots: [...(state?.roots ?? []), ...roots.value],
    timestamp: timestamp.value,
    ...parts,
    card: card.value,
    bundle: bundle.value,
    checkpoint: checkpoint.value,
  };
  const changed = roots.value.length > 0 || fetched || !isSame || !next.timestamp.equals(state.timestamp);
  return ok({ state: next, accepted: accepted.value, changed });
}

/** A saved state that was checked again. */
export interface VerifiedState {
  readonly accepted: Accepted;
  /** When its timestamp ends. */
  readonly ends: number;
  /** The same, if that time has come. */
  readonly staleSince: number | undefined;
}

/**
 * Checks a saved state again, from the pinned root on: an edit of the file is found. It may be older than its
 * timestamp allows; `staleSince` tells, and whether to go on with it is for the caller to say.
 */
export function verifyState(
  anchor: TrustAnchor,
  state: TrustState,
  now: number,
): Result<VerifiedState, TrustError> {
  const opened = openRoots(anchor, 0, state);
  if (!opened.ok) return opened;
  const chain = opened.value;
  const steps = [
    () => chain.timestamp(state.timestamp),
    () => chain.snapshot(state.snapshot),
    ...ROLE_NAMES.map((name) => () => chain.role(state[name], name)),
  ];
  for (const step of steps) {
    const done = step();
    if (!done.ok) return done;
  }
  const roles = chain.roles();
  if (roles === undefined) return fail({ code: 'E_TRUST', reason: 'malformed', at: 'roles' });
  const checkpoint = readCheckpoint(state.checkpoint, anchor.log, delegatedKeys(roles.targets, 'log'));
  if (!checkpoint.ok) return checkpoint;
  const accepted = acceptSet({ agent: anchor.agent, roles, card: state.card, bundle: state.bundle });
  if (!accepted.ok) return accepted;
  const expires = Date.parse(JSON.parse(state.timestamp.toString('utf8')).signed.expires);
  return ok({ accepted: accepted.value, ends: expires, staleSince: now < expires ? undefined : expires });
}

/** The pinned root and those that were followed before. */
function openRoots(
  { root }: Pick<TrustAnchor, 'root'>,
  now: number,
  state: TrustState | undefined,
): Result<Chain, TrustError> {
  const chain = openChain(root, now);
  if (!chain.ok) return chain;
  for (const bytes of state?.roots ?? []) {
    const taken = chain.value.root(bytes);
    if (!taken.ok) return taken;
  }
  return chain;
}

/** Roots come one after the other, each signed by the one before it. One that is not there ends the walk. */
async function followRoots(
  chain: Chain,
  { objects }: SyncOptions,
): Promise<Result<readonly Buffer[], TrustError>> {
  const roots: Buffer[] = [];
  while (roots.length < MAX_ROTATIONS) {
    const bytes = await objects.get(KEYS.root(chain.rootVersion() + 1), { limit: ROOT_LIMIT });
    if (!bytes.ok && (bytes.error.reason === 'not-found' || bytes.error.reason === 'denied'))
      return ok(roots);
    if (!bytes.ok) return bytes;
    const taken = chain.root(bytes.value);
    if (!taken.ok) return taken;
    roots.push(Buffer.from(bytes.value));
  }
  return ok(roots);
}

async function loadTimestamp(
  chain: Chain,
  { objects, agent, state }: SyncOptions,
): Promise<Result<Buffer, TrustError>> {
  // The old one is the floor for the new one, though it may have expired or its key may have been replaced.
  if (state !== undefined) chain.timestamp(state.timestamp);
  const known = chain.versions();
  const bytes = await objects.get(KEYS.timestamp(agent), { limit: TIMESTAMP_LIMIT });
  if (!bytes.ok) return bytes;
  if (state !== undefined && known !== undefined && state.timestamp.equals(bytes.value))
    return ok(state.timestamp);
  const taken = chain.timestamp(bytes.value);
  if (!taken.ok) return taken;
  const isOther = subjectOf(bytes.value) !== agent;
  return guard('trust.timestamp-subject', isOther)
    ? fail({ code: 'E_TRUST', reason: 'wrong-subject', at: 'timestamp' })
    : ok(Buffer.from(bytes.value));
}

/** The agent that a verified timestamp is for. */
const subjectOf = (bytes: Uint8Array): unknown =>
  (JSON.parse(Buffer.from(bytes).toString('utf8')) as { signed: { agent_id?: unknown } }).signed.agent_id;

/** What comes with a new snapshot. Where there is none, everything is fetched by itself. */
async function loadParcel(chain: Chain, options: SyncOptions): Promise<Parcel | undefined> {
  const { agent, state, objects } = options;
  const version = chain.pinned('snapshot')?.version;
  if (version === undefined || (state !== undefined && bodyVersion(state.snapshot) === version))
    return undefined;
  const bytes = await objects.get(KEYS.own(agent, 'update', version), { limit: PARCEL_LIMIT });
  return bytes.ok ? readParcel(bytes.value) : undefined;
}

const bodyVersion = (bytes: Buffer): number =>
  (JSON.parse(bytes.toString('utf8')) as { signed: { version: number } }).signed.version;

interface Loaded {
  readonly roles: TrustRoles;
  readonly parts: Pick<TrustState, 'snapshot' | RoleName>;
  /** Whether any of it is new. */
  readonly fetched: boolean;
}

/** The snapshot and the roles: what is known if it still is what is pinned, else fetched. */
async function loadRest(chain: Chain, options: SyncOptions): Promise<Result<Loaded, TrustError>> {
  const { state } = options;
  const parts: Partial<Record<'snapshot' | RoleName, Buffer>> = {};
  let fetched = false;
  for (const name of ['snapshot', ...ROLE_NAMES] as const) {
    const take = (bytes: Uint8Array, trusted: boolean) =>
      name === 'snapshot' ? chain.snapshot(bytes, trusted) : chain.role(bytes, name);
    const own = state?.[name];
    if (own !== undefined && take(own, true).ok) {
      // The framework says so too, but of the role that it looks at next.
      if (name === 'snapshot' && hasEnded(own, options.now)) return expired('snapshot');
      parts[name] = own;
      continue;
    }
    fetched = true;
    const pinned = chain.pinned(name);
    if (pinned === undefined) return fail({ code: 'E_TRUST', reason: 'malformed', at: name });
    const key = keyOf(options.agent, name, pinned.version);
    const bytes = await options.objects.get(key, { limit: METADATA_LIMIT });
    if (!bytes.ok) return bytes;
    const taken = take(bytes.value, false);
    if (!taken.ok)
      return fail(named(taken.error, () => metadataProblem(bytes.value, name, { ...options, ...pinned })));
    if (name === 'snapshot' && hasEnded(bytes.value, options.now)) return expired('snapshot');
    parts[name] = Buffer.from(bytes.value);
  }
  const roles = chain.roles();
  if (roles === undefined) return fail({ code: 'E_TRUST', reason: 'malformed', at: 'roles' });
  return ok({ roles, parts: parts as Loaded['parts'], fetched });
}

const keyOf = (agent: string, name: 'snapshot' | RoleName, version: number): string =>
  name === 'targets' || name === 'library' ? KEYS.shared(name, version) : KEYS.own(agent, name, version);

/** What the framework says of bytes that are not those that it pins is that; here it is told what they are. */
const named = (error: TrustError, problem: () => TrustError): TrustError =>
  error.code === 'E_TRUST' && error.reason === 'mixed' ? problem() : error;

async function loadObject(
  { objects, agent, now }: SyncOptions,
  roles: TrustRoles,
  of: {
    readonly kind: 'agent_card' | 'prompt_bundle';
    readonly own: Buffer | undefined;
    readonly issued: number;
  },
): Promise<Result<Buffer, TrustError>> {
  const { kind, own, issued } = of;
  const key = kind === 'agent_card' ? KEYS.card(agent) : KEYS.bundle(agent);
  const listed = findListed(roles, 'assignment', key);
  if (listed === undefined) return fail({ code: 'E_TRUST', reason: 'not-listed', at: key });
  if (own !== undefined && isListed(own, listed)) return ok(own);
  const bytes = await objects.get(key, { limit: OBJECT_LIMIT });
  if (!bytes.ok) return bytes;
  const found = Buffer.from(bytes.value);
  if (isListed(found, listed)) return ok(found);
  const keys = delegatedKeys(roles.targets, 'assignment');
  return fail(objectProblem(found, { keys, kind, agent, key, issued, now }));
}

const isListed = (
  bytes: Buffer,
  listed: { readonly length: number; readonly hashes: Record<string, string> },
) => bytes.length === listed.length && digestOf(bytes).hashes.sha256 === listed.hashes.sha256;

/**
 * The versions that stand, from objects that were verified when they were saved. Those of a key that was replaced
 * bind nobody: a thief could have counted as far as numbers go.
 */
function acceptedBefore(
  { state }: SyncOptions,
  roles: TrustRoles,
): { readonly card: number; readonly bundle: number } | undefined {
  if (state === undefined) return undefined;
  const keys = delegatedKeys(roles.targets, 'assignment');
  const floor = (bytes: Buffer): number => {
    const { version, key_id } = JSON.parse(bytes.toString('utf8')).cert;
    return guard('trust.replaced-key', !keys.has(key_id)) ? 0 : version;
  };
  return { card: floor(state.card), bundle: floor(state.bundle) };
}

async function followLog(
  { objects, log, agent, state }: SyncOptions,
  roles: TrustRoles,
  set: { readonly card: Buffer; readonly bundle: Buffer },
  parcel: Parcel | undefined,
): Promise<Result<Buffer, TrustError>> {
  const keys = delegatedKeys(roles.targets, 'log');
  const bytes = await objects.get(KEYS.checkpoint, { limit: TIMESTAMP_LIMIT });
  if (!bytes.ok) return bytes;
  const now = readCheckpoint(bytes.value, log, keys);
  if (!now.ok) return now;
  const seen = state === undefined ? undefined : seenCheckpoint(state.checkpoint);
  const entries = (['card', 'bundle'] as const).map((name) => ({
    object: set[name],
    index: indexOf(findListed(roles, 'assignment', KEYS[name](agent))?.custom),
  }));
  const near = parcel === undefined ? {} : { hashes: (hashAt: HashAt) => hashesOf(parcel, hashAt) };
  const checked = await checkLog({ objects, seen, now: now.value, entries, ...near });
  return checked.ok ? ok(Buffer.from(bytes.value)) : checked;
}

/** An index that is missing is one that no log has. */
const indexOf = (custom: Record<string, unknown> | undefined): number => {
  const index = custom?.log_index;
  return Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) : Number.MAX_SAFE_INTEGER;
};

/** The checkpoint of a saved state; its key may have been replaced since, the log goes on. */
function seenCheckpoint(bytes: Buffer) {
  const { origin, size, root } = JSON.parse(bytes.toString('utf8'));
  return { origin, size, root: Buffer.from(root, 'hex') };
}

/** Whether verified metadata has ended. */
const hasEnded = (bytes: Uint8Array, now: number): boolean => (endOf(bytes) ?? 0) <= now;

const expired = (at: string) => fail<TrustError>({ code: 'E_TRUST', reason: 'expired', at });
const rollback = (at: string) => fail<TrustError>({ code: 'E_TRUST', reason: 'rollback', at });

const MAX_ROTATIONS = 256;
const ROOT_LIMIT = 512 * 1024;
const TIMESTAMP_LIMIT = 16 * 1024;
const METADATA_LIMIT = 4 * 1024 * 1024;
const OBJECT_LIMIT = 1024 * 1024;
