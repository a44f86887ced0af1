import type { CardReview, StoredSet } from '@cuebook/bundle';
import type { Admission } from './admission/admission.js';
import type { LedgerSubject } from './ledger.js';

/** What the platform knows of one agent, as it stands now. Plain JSON. */
export interface AgentRecord {
  readonly agent: string;
  readonly review: CardReview;
  /** The reviewers' signed words for a version of the card, as stored metadata. */
  readonly signedReview?: SignedReview;
  /** Signed by some reviewers, and not yet by as many as must agree. */
  readonly openReview?: SignedReview;
  readonly published?: Published;
  /** The last version that a publication or a renewal was begun with, finished or not. Versions only grow. */
  readonly lastVersion: number;
  readonly admission: Admission;
  /** The token that the agent has now, by its hash. */
  readonly session?: { readonly hash: string; readonly expiresAt: number };
  /** How often it was let in or asked, and how often refused, in the hour that is counted: nobody fills the journal. */
  readonly counted?: Counted;
  /** What the agent was last told of where it may go, to tell it only what changed. */
  readonly told?: { readonly version: number; readonly places: string } & Partial<SealedBy>;
}

/** A review with its signatures. */
export interface SignedReview {
  readonly cardVersion: number;
  readonly metadata: string;
  /** Of the metadata; the card's own for the first review of a version. */
  readonly version?: number;
  readonly expires?: number;
  /** The keys that signed. */
  readonly keys?: readonly string[];
}

/** Until when a certificate holds, and which key made it. */
export interface SealedBy {
  readonly expires: number;
  readonly key: string;
}

/** Counts of one hour. */
export interface Counted {
  readonly hour: number;
  readonly asked: number;
  readonly refused: number;
}

/** The counts with one more. */
export function countOne(counted: Counted | undefined, what: 'asked' | 'refused', now: number): Counted {
  const hour = Math.floor(now / 3_600_000);
  const before = counted?.hour === hour ? counted : { hour, asked: 0, refused: 0 };
  return { ...before, [what]: before[what] + 1 };
}

/** In an hour: refusals that are put on record, and credentials that an agent is given. */
export const HOURLY = { refused: 20, asked: 600 } as const;

/** What the store holds of an agent. */
export interface Published {
  readonly version: number;
  readonly cardVersion: number;
  readonly isPublic: boolean;
  readonly at: number;
  /** The version of the signed library that its snapshot names. */
  readonly library?: number;
  /** The version of each scenario that was assigned. */
  readonly scenarios: Readonly<Record<string, number>>;
  /** The arm of each scenario under trial. */
  readonly cohorts: Readonly<Record<string, string>>;
  /** What the store holds of it, byte for byte known. */
  readonly stored?: StoredSet;
}

/** What is published of an agent, beside its record: one writer at a time, who publishes. */
export type PublicationRecord = Pick<AgentRecord, 'lastVersion' | 'published'>;

/** Where it is kept. */
export const PUBLISHED = 'platform.published';

export const agentSubject = (agent: string): LedgerSubject => ({ name: 'platform.agent', key: agent });

/** Every admitted agent may read the card: it was published so, and its owner has not taken that back since. */
export const isPublicCard = ({ published, review }: AgentRecord): boolean =>
  published?.isPublic === true && review.draft.discovery.public;
