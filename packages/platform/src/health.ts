import { endOf, KEYS, readJson } from '@cuebook/bundle';
import { commandLine } from '@cuebook/prompt/hint';
import { type EndingAgent, listEnding } from './cards.js';
import type { PlatformParts } from './desk.js';
import { rolesOf } from './keys/roles.js';
import { offlineTrust } from './library/library.js';
import { listPlaces } from './places.js';
import { isReviewed } from './publishing.js';
import { listedIn, lookAtSet, REVIEW_DUE_MS, type SetView } from './renewal/due.js';

/** Which keys speak for a role. */
export interface RoleHealth {
  readonly role: string;
  /** Public keys, in hexadecimal. */
  readonly keys: readonly string[];
  /** How many of them must agree. */
  readonly threshold: number;
}

/** Something that stops counting at a time, and who keeps it going. */
export interface Expiry {
  /** `root`, `targets`, `library`, an agent's `review`, `card`, `bundle`, … or the key of an object. */
  readonly what: string;
  readonly agent?: string;
  /** Null: it is not there, or cannot be read. */
  readonly expires: number | null;
  readonly state: 'good' | 'soon' | 'expired';
  /** Why it does not count though its time has not come: other keys count now, or the library lists it no more. */
  readonly why?: 'unsigned' | 'not-in-library' | 'key';
  /** Who must act: the server does by itself, the others are people with a key. */
  readonly who: 'server' | 'root' | 'library' | 'reviewer';
  /** By which command. */
  readonly command: string;
}

/** The keys of every role, and what expires when, the first first. */
export interface PlatformHealth {
  readonly roles: readonly RoleHealth[];
  readonly expiries: readonly Expiry[];
}

/** Every key, certificate and object with its end, from the platform's record: it reads two objects of the store. */
export async function viewHealth(parts: PlatformParts): Promise<PlatformHealth> {
  const { objects } = parts;
  const trust = await offlineTrust(parts);
  const { library } = trust;
  const look: Look = { parts, now: parts.now(), library, listed: listedIn(library) };
  const shared = (['root', 'targets', 'library'] as const).map((what) =>
    expiry(look, endOf(trust[what].bytes), {
      what,
      warn: PEOPLE_MS,
      ...(what === 'library' ? LIBRARY : ROOT),
    }),
  );
  const own = (await listEnding(parts)).flatMap((record) => agentExpiries(look, record));
  const checkpoint = await objects.get(KEYS.checkpoint, { limit: 16 * 1024 });
  const places = (await listPlaces(parts)).map(({ place, sealed }) =>
    sealedExpiry(look, KEYS[place.kind](place.id), sealed),
  );
  const log = own.length === 0 ? [] : [checkpointExpiry(look, checkpoint.ok ? checkpoint.value : undefined)];
  const expiries = [...shared, ...log, ...places, ...own].sort((a, b) => (a.expires ?? 0) - (b.expires ?? 0));
  return { roles: Object.entries(rolesOf(trust)).map(([role, of]) => ({ role, ...of })), expiries };
}

interface Look extends SetView {
  readonly parts: PlatformParts;
}

function agentExpiries(look: Look, record: EndingAgent): readonly Expiry[] {
  const { parts } = look;
  const { agent, published, signedReview, told } = record;
  if (published === undefined) return [];
  const places = told === undefined ? [] : [{ ...sealedExpiry(look, KEYS.places(agent), told), agent }];
  const { stored } = published;
  const { lifetimes, online, trust } = parts;
  const server = { agent, ...SERVER };
  // An older record: nothing is known until it is renewed.
  if (stored === undefined)
    return [expiry(look, undefined, { what: 'bundle', warn: 0, ...server }), ...places];
  const { hindrance } = lookAtSet(parts, record, { ...published, stored }, look);
  const isOther = stored.key !== online.keyId ? ({ why: 'key' } as const) : {};
  const isVoid = signedReview === undefined || !isReviewed(trust.targets, signedReview);
  const lives = {
    ...{ card: lifetimes.cert, bundle: lifetimes.cert, assignment: lifetimes.assignment },
    ...{ snapshot: lifetimes.snapshot, timestamp: lifetimes.timestamp },
  } as const;
  const parted = (Object.keys(lives) as (keyof typeof lives)[]).map((what) =>
    expiry(look, stored[what].expires, { what, warn: lives[what] / 4, ...server, ...isOther }),
  );
  const review = expiry(look, stored.reviews.expires, {
    ...{ what: 'review', warn: PEOPLE_MS, agent, who: 'reviewer' },
    command: commandLine`card renew ${agent}`,
    ...(isVoid ? { why: 'unsigned' } : {}),
  });
  const library =
    hindrance === 'not-in-library'
      ? [
          expiry(look, stored.library.expires, {
            ...{ what: 'templates', warn: PEOPLE_MS, agent, who: 'server', why: hindrance },
            command: commandLine`bundle publish ${agent}`,
          }),
        ]
      : [];
  return [...parted, review, ...library, ...places];
}

function sealedExpiry(
  look: Look,
  what: string,
  sealed: { readonly expires?: number; readonly key?: string } | undefined,
): Expiry {
  const { lifetimes, online } = look.parts;
  const isOther = sealed?.key !== online.keyId ? ({ why: 'key' } as const) : {};
  return expiry(look, sealed?.expires, { what, warn: lifetimes.cert / 4, ...SERVER, ...isOther });
}

function checkpointExpiry(look: Look, bytes: Uint8Array | undefined): Expiry {
  const read = bytes === undefined ? undefined : readJson(bytes);
  const cert = read?.ok
    ? (read.value as { cert?: { expires_at?: string; key_id?: string } }).cert
    : undefined;
  const end = Date.parse(cert?.expires_at ?? '');
  const isOther = cert?.key_id !== look.parts.log.keyId ? ({ why: 'key' } as const) : {};
  const warn = look.parts.lifetimes.cert / 4;
  return expiry(look, Number.isNaN(end) ? undefined : end, {
    ...{ what: KEYS.checkpoint, warn, ...SERVER },
    ...isOther,
  });
}

function expiry(
  { now }: Look,
  end: number | undefined,
  { warn, ...of }: Omit<Expiry, 'expires' | 'state'> & { readonly warn: number },
): Expiry {
  const left = (end ?? 0) - now;
  const state = left <= 0 ? 'expired' : left <= warn || of.why !== undefined ? 'soon' : 'good';
  return { ...of, expires: end ?? null, state };
}

/** People are told this long before: holders of keys must come together. */
const PEOPLE_MS = REVIEW_DUE_MS;
const SERVER = { who: 'server', command: commandLine`platform renew` } as const;
const ROOT = { who: 'root', command: commandLine`platform extend root --out FILE` } as const;
const LIBRARY = { who: 'library', command: commandLine`platform extend library --out FILE` } as const;
