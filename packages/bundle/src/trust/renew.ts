import { fail, ok, type Result } from '@cuebook/prompt';
import { printTime } from '../cert/cert.js';
import { KEYS } from '../ids.js';
import { readCanonical } from '../json/read.js';
import type { ObjectError, Objects } from '../objects/contract.js';
import { digestOf, type SignedMetadata } from './metadata.js';
import { knownOf, type StoredObject, type StoredSet } from './stored-set.js';
import { type AgentWork, type PublishError, type PublishingDesk, pinned, writeWorks } from './write.js';

/** What of an agent's set is made again. Each includes those after it. */
export type RenewalDepth = 'objects' | 'snapshot' | 'timestamp';

/** One agent whose set goes on as it is, with new signatures. */
export interface Renewal {
  readonly agent: string;
  /** Above every version before it. */
  readonly version: number;
  readonly set: StoredSet;
  readonly depth: RenewalDepth;
  /** A review that takes the place of the one in the store: of the same card, with another end or other keys. */
  readonly reviews?: SignedMetadata;
  /** Pins what was signed offline as the set does, and not the newest of it. */
  readonly stays?: Partial<Record<'targets' | 'library', boolean>>;
  /** With `objects`: the card and the bundle as `readStored` read them. */
  readonly objects?: StoredBytes;
}

export interface StoredBytes {
  readonly card: Uint8Array;
  readonly bundle: Uint8Array;
}

/** New signatures and new ends for what agents have already. No word changes. */
export function renewAgents(
  desk: PublishingDesk,
  renewals: readonly Renewal[],
): Promise<Result<readonly StoredSet[], PublishError>> {
  return writeWorks(desk, renewals, async (renewal) => workOf(desk, renewal));
}

/**
 * The card and the bundle of a set, if they are the very bytes that were written: what is signed again is known by its
 * hash, and not by a signature that a thief could have made.
 */
export async function readStored(
  objects: Pick<Objects, 'get'>,
  agent: string,
  { card, bundle }: StoredSet,
): Promise<Result<StoredBytes, ObjectError | PublishError>> {
  const read = async (key: string, { sha256 }: StoredObject): Promise<Result<Uint8Array, ObjectError>> => {
    const bytes = await objects.get(key);
    if (!bytes.ok) return bytes;
    return digestOf(bytes.value).hashes.sha256 === sha256
      ? bytes
      : fail({ code: 'E_OBJECT', reason: 'unavailable', key, detail: 'changed' });
  };
  const own = await read(KEYS.card(agent), card);
  if (!own.ok) return own;
  const told = await read(KEYS.bundle(agent), bundle);
  return told.ok ? ok({ card: own.value, bundle: told.value }) : told;
}

function workOf(desk: PublishingDesk, renewal: Renewal): Result<AgentWork, PublishError> {
  const { agent, version, set, depth, reviews, objects, stays = {} } = renewal;
  const { isPublic, card: own, bundle: told, assignment, snapshot } = set;
  const offline = {
    targets: stays.targets ? set.targets : pinned(desk.targets),
    library: stays.library ? set.library : pinned(desk.library),
  };
  const base = {
    ...{ agent, version, isPublic, card: own, bundle: told },
    reviews: reviews ?? set.reviews,
    had: knownOf(set),
    // Left out where it is the newest.
    ...(stays.targets || stays.library ? { offline } : {}),
  };
  if (depth === 'timestamp') return ok({ ...base, reviews: set.reviews, assignment, snapshot, offline: set });
  if (depth === 'snapshot') return ok({ ...base, assignment });
  const card = bodyOf(objects?.card);
  const bundle = bodyOf(objects?.bundle);
  if (card === undefined || bundle === undefined) return fail({ code: 'E_PUBLISH', reason: 'bad-id', agent });
  return ok({
    ...base,
    card: { object: card, version: set.card.version },
    bundle: { object: { ...bundle, bundle_version: version, issued_at: printTime(desk.now) }, version },
  });
}

/** An object without its certificate. */
function bodyOf(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> | undefined {
  const read = bytes === undefined ? undefined : readCanonical(bytes);
  if (!read?.ok) return undefined;
  const { cert: _, ...body } = read.value.value as Readonly<Record<string, unknown>>;
  return body;
}
