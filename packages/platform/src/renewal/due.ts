import { endOf, type RenewalDepth, type SignedMetadata, type StoredSet, TARGETS } from '@cuebook/bundle';
import type { PlatformParts } from '../desk.js';
import { isReviewed, reviewsOf } from '../publishing.js';
import type { AgentRecord, Published, SignedReview } from '../record.js';

/** What an agent's set needs now. */
export interface Due {
  readonly depth: RenewalDepth;
  /** A newer review of the same card. */
  readonly reviews?: SignedMetadata;
  /** What it cannot follow: it goes on with the one that it has. */
  readonly stays: { readonly targets: boolean; readonly library: boolean };
}

/** Why an agent cannot follow what was signed offline, and so who must act. */
export type Hindrance = 'unsigned' | 'not-in-library';

export interface SetLook {
  /** Undefined: nothing ends before long. */
  readonly due: Due | undefined;
  readonly hindrance: Hindrance | undefined;
}

/** What sets are looked at with. */
export interface SetView {
  readonly now: number;
  /** The signed list as it stands. */
  readonly library: SignedMetadata;
  /** The templates in it, by path: `listedIn`. */
  readonly listed: ReadonlySet<string>;
}

/**
 * What of an agent's set must be signed again: half of its time is over (a quarter for timestamps), another key signed
 * it, or there is newer metadata to pin. Pure.
 */
export function lookAtSet(
  parts: Pick<PlatformParts, 'online' | 'trust' | 'lifetimes'>,
  { signedReview }: Pick<AgentRecord, 'signedReview'>,
  published: Published & { readonly stored: StoredSet },
  { now, library, listed }: SetView,
): SetLook {
  const { stored: set } = published;
  const { online, trust, lifetimes } = parts;
  const isOwn = signedReview?.cardVersion === published.cardVersion;
  const isGood = isOwn && isReviewed(trust.targets, signedReview);
  const isListed = Object.entries(published.scenarios).every(([id, version]) =>
    listed.has(TARGETS.template(id, version)),
  );
  const stays = {
    targets: !isGood && set.targets.version !== trust.targets.version,
    library: !isListed && set.library.version !== library.version,
  };
  const hindrance = !isGood ? 'unsigned' : isListed ? undefined : 'not-in-library';
  const isNewer = isGood && (signedReview.version ?? signedReview.cardVersion) > set.reviews.version;
  const reviews = isNewer ? reviewsOf(signedReview) : undefined;
  const isMoved =
    (!stays.targets && set.targets.version !== trust.targets.version) ||
    (!stays.library && set.library.version !== library.version) ||
    reviews !== undefined;
  const ends = (part: { readonly expires: number }, lifetime: number, share: number) =>
    part.expires - now <= lifetime * share;
  const depth: RenewalDepth | undefined =
    set.key !== online.keyId ||
    ends(set.card, lifetimes.cert, 1 / 2) ||
    ends(set.bundle, lifetimes.cert, 1 / 2) ||
    ends(set.assignment, lifetimes.assignment, 1 / 2)
      ? 'objects'
      : isMoved || ends(set.snapshot, lifetimes.snapshot, 1 / 2)
        ? 'snapshot'
        : ends(set.timestamp, lifetimes.timestamp, 3 / 4)
          ? 'timestamp'
          : undefined;
  const due = depth && { depth, stays, ...(reviews === undefined ? {} : { reviews }) };
  return { due, hindrance };
}

/** The templates that a library lists, by path. */
export function listedIn({ bytes }: SignedMetadata): ReadonlySet<string> {
  const { signed } = JSON.parse(bytes.toString('utf8')) as { readonly signed: { readonly targets: object } };
  return new Set(Object.keys(signed.targets));
}

/** Approved cards whose review ends before long, or is not signed by those who count now. */
export const dueReviews = (
  { trust, now }: Pick<PlatformParts, 'trust' | 'now'>,
  records: readonly AgentRecord[],
): readonly AgentRecord[] =>
  records.filter(({ review, signedReview: signed }) => {
    if (review.status !== 'approved' || signed?.cardVersion !== review.cardVersion) return false;
    return !isReviewed(trust.targets, signed) || endOfReview(signed) - now() <= REVIEW_DUE_MS;
  });

const endOfReview = ({ expires, metadata }: SignedReview): number =>
  expires ?? endOf(Buffer.from(metadata)) ?? 0;

/** Two months. */
export const REVIEW_DUE_MS = 60 * 24 * 60 * 60 * 1000;
