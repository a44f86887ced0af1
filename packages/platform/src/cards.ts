import {
  type CardDraft,
  type CardError,
  decideReview,
  prepareCard,
  type ReviewCommand,
  type ReviewError,
  readReview,
  type TrustError,
} from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import { NO_ADMISSION } from './admission/admission.js';
import type { PlatformParts } from './desk.js';
import { change, type RecordError, stateOf } from './ledger.js';
import { type AgentRecord, agentSubject } from './record.js';

export type CardsError = ReviewError | CardError | TrustError | RecordError;

/** Saves a draft. A change raises the version of the card and asks for a review; a card whose view is too long is refused. */
export function saveCard(
  { store, catalogue }: PlatformParts,
  by: string,
  draft: CardDraft,
): Promise<Result<AgentRecord, CardsError>> {
  const subject = agentSubject(draft.agent_id);
  return change<AgentRecord, AgentRecord, CardsError>(store, subject, (record) => {
    const fits = prepareCard(draft, 1);
    if (!fits.ok) return fits;
    const review = decideReview(record?.review, { type: 'card.save', by, draft }, catalogue);
    if (!review.ok) return review;
    if (record !== undefined && review.value === record.review) return ok({ events: [], answer: record });
    const { cardVersion, status } = review.value;
    const state: AgentRecord = {
      agent: draft.agent_id,
      lastVersion: 0,
      admission: NO_ADMISSION,
      ...record,
      review: review.value,
    };
    const data = { by, cardVersion, status, draft } as never;
    return ok({ events: [{ type: 'card.saved', data }], state, answer: state });
  });
}

/**
 * Approves a version of a card. `review` is the reviewer's signed word for it: without one that agents will accept,
 * the approval is not taken.
 */
export function approveCard(
  { store, catalogue, trust }: PlatformParts,
  command: Omit<Extract<ReviewCommand, { type: 'card.approve' }>, 'type'> & { readonly agent: string },
  review: Uint8Array,
): Promise<Result<AgentRecord, CardsError>> {
  const { agent, by, cardVersion } = command;
  return change<AgentRecord, AgentRecord, CardsError>(store, agentSubject(agent), (record) => {
    if (record === undefined) return fail({ code: 'E_REVIEW', reason: 'no-card' });
    // A card of catalogue words alone is approved already; what it lacks is the signature.
    const isPassed = record.review.decidedBy === 'catalogue' && record.review.cardVersion === cardVersion;
    const decided = isPassed
      ? ok(record.review)
      : decideReview(record.review, { type: 'card.approve', by, cardVersion }, catalogue);
    if (!decided.ok) return decided;
    const prepared = prepareCard(decided.value.draft, cardVersion);
    if (!prepared.ok) return prepared;
    const signed = readReview(trust.targets, prepared.value, review);
    if (!signed.ok) return signed;
    const metadata = signed.value.bytes.toString('utf8');
    const state: AgentRecord = { ...record, review: decided.value, signedReview: { cardVersion, metadata } };
    const data = { by, cardVersion } as never;
    return ok({ events: [{ type: 'card.approved', data }], state, answer: state });
  });
}

/** Rejects a version of a card, with the reason that its owner is told. */
export function rejectCard(
  { store, catalogue }: PlatformParts,
  command: Omit<Extract<ReviewCommand, { type: 'card.reject' }>, 'type'> & { readonly agent: string },
): Promise<Result<AgentRecord, CardsError>> {
  const { agent, by, cardVersion, reason } = command;
  return change<AgentRecord, AgentRecord, CardsError>(store, agentSubject(agent), (record) => {
    const decided = decideReview(record?.review, { type: 'card.reject', by, cardVersion, reason }, catalogue);
    if (!decided.ok) return decided;
    const state = { ...(record as AgentRecord), review: decided.value };
    const data = { by, cardVersion, reason: decided.value.reason ?? '' } as never;
    return ok({ events: [{ type: 'card.rejected', data }], state, answer: state });
  });
}

export const findAgent = (
  { store }: Pick<PlatformParts, 'store'>,
  agent: string,
): Promise<AgentRecord | undefined> => stateOf<AgentRecord>(store, agentSubject(agent));

/** Every agent that has a card, by id. */
export async function listAgents({ store }: Pick<PlatformParts, 'store'>): Promise<readonly AgentRecord[]> {
  const all = [...(await store.projections('platform.agent')).values()] as unknown as AgentRecord[];
  return all.sort((a, b) => (a.agent < b.agent ? -1 : 1));
}
