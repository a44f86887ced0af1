import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { canonicalBytes } from '../json/read.js';
import { type Catalogue, isCatalogueCard } from './catalogue.js';
import type { CardDraft } from './schema.js';

/** A card's place on the way to being published. Every change of the draft is a new version. */
export interface CardReview {
  readonly owner: string;
  readonly draft: CardDraft;
  readonly cardVersion: number;
  readonly status: 'pending' | 'approved' | 'rejected';
  /** Why it was rejected. */
  readonly reason?: string;
  /** Who decided; `catalogue` when every word is one that was reviewed before. */
  readonly decidedBy?: string;
}

export type ReviewCommand =
  | { readonly type: 'card.save'; readonly by: string; readonly draft: CardDraft }
  | { readonly type: 'card.approve'; readonly by: string; readonly cardVersion: number }
  | {
      readonly type: 'card.reject';
      readonly by: string;
      readonly cardVersion: number;
      readonly reason: string;
    };

/** `E_REVIEW`: why a card's review does not take a command. */
export interface ReviewError {
  readonly code: 'E_REVIEW';
  readonly reason:
    | 'no-card'
    | 'not-owner'
    | 'other-agent'
    | 'own-card'
    | 'other-version'
    | 'no-reason'
    | 'decided';
}

/** The review after a command. Pure; saving an unchanged draft changes nothing. */
export function decideReview(
  review: CardReview | undefined,
  command: ReviewCommand,
  catalogue: Catalogue,
): Result<CardReview, ReviewError> {
  if (command.type === 'card.save') return save(review, command.by, command.draft, catalogue);
  if (review === undefined) return refuse('no-card');
  // What was read is what is decided on: a verdict on an older version says nothing about this one.
  if (guard('review.version', command.cardVersion !== review.cardVersion)) return refuse('other-version');
  if (guard('review.self', command.by === review.owner)) return refuse('own-card');
  if (review.status !== 'pending') return refuse('decided');
  if (command.type === 'card.approve')
    return ok({ ...undecided(review), status: 'approved', decidedBy: command.by });
  const reason = command.reason.trim();
  if (reason === '') return refuse('no-reason');
  return ok({ ...undecided(review), status: 'rejected', reason, decidedBy: command.by });
}

/** The draft that may be published: approved, and nothing else. */
export function requireApproved(review: CardReview): Result<CardDraft, ReviewError> {
  return guard('review.gate', review.status !== 'approved') ? refuse('decided') : ok(review.draft);
}

function save(
  review: CardReview | undefined,
  by: string,
  draft: CardDraft,
  catalogue: Catalogue,
): Result<CardReview, ReviewError> {
  if (review !== undefined && review.owner !== by) return refuse('not-owner');
  if (review !== undefined && review.draft.agent_id !== draft.agent_id) return refuse('other-agent');
  if (review !== undefined && isSame(review.draft, draft)) return ok(review);
  const cardVersion = (review?.cardVersion ?? 0) + 1;
  return ok(
    isCatalogueCard(draft, catalogue)
      ? { owner: by, draft, cardVersion, status: 'approved', decidedBy: 'catalogue' }
      : { owner: by, draft, cardVersion, status: 'pending' },
  );
}

const undecided = ({ owner, draft, cardVersion }: CardReview) => ({ owner, draft, cardVersion });

const isSame = (a: CardDraft, b: CardDraft): boolean =>
  canonicalBytes(a)?.equals(canonicalBytes(b) ?? Buffer.alloc(0)) === true;

const refuse = (reason: ReviewError['reason']) => fail<ReviewError>({ code: 'E_REVIEW', reason });
