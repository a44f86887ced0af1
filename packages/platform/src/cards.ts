import {
  addSignature,
  type CardDraft,
  type CardError,
  type CheckedReview,
  checkReview,
  decideReview,
  joinSignatures,
  type KeySigner,
  prepareCard,
  type ReviewCommand,
  type ReviewError,
  reviewMetadata,
  reviewRole,
  type SignedMetadata,
  type TrustError,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { NO_ADMISSION } from './admission/admission.js';
import type { PlatformParts } from './desk.js';
import { ENDS, readEnds } from './ends.js';
import { change, type RecordError, shelvedState, shelvedStates, stateOf } from './ledger.js';
import {
  type AgentRecord,
  agentSubject,
  PUBLISHED,
  type PublicationRecord,
  type SignedReview,
} from './record.js';

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
 * Approves a version of a card, or renews the review of one that is approved. `review` holds the signed words of
 * reviewers for it: without any that agents will accept, it is not taken. With fewer than must agree it is kept, and
 * the card waits for the others.
 */
export function approveCard(
  { store, catalogue, trust }: PlatformParts,
  command: Omit<Extract<ReviewCommand, { type: 'card.approve' }>, 'type'> & { readonly agent: string },
  review: Uint8Array,
): Promise<Result<AgentRecord, CardsError>> {
  const { agent, by, cardVersion } = command;
  return change<AgentRecord, AgentRecord, CardsError>(store, agentSubject(agent), (record) => {
    if (record === undefined) return fail({ code: 'E_REVIEW', reason: 'no-card' });
    const decided = decisionOf(record, command, catalogue);
    if (!decided.ok) return decided;
    const prepared = prepareCard(decided.value.draft, cardVersion);
    if (!prepared.ok) return prepared;
    const given = checkReview(trust.targets, prepared.value, review);
    if (!given.ok) return given;
    const joined = joinedReview(record, given.value.metadata);
    const checked = joined === undefined ? given : checkReview(trust.targets, prepared.value, joined.bytes);
    if (!checked.ok) return checked;
    const isOld = checked.value.metadata.version <= lastReview(record);
    if (guard('review.rollback', isOld))
      return fail({ code: 'E_TRUST', reason: 'rollback', at: `review of ${agent}` });
    const signed = signedReviewOf(cardVersion, checked.value);
    const { openReview: _, ...rest } = record;
    const isEnough = checked.value.keys.length >= checked.value.threshold;
    const state: AgentRecord = guard('review.threshold', !isEnough)
      ? { ...rest, openReview: signed }
      : { ...rest, review: decided.value, signedReview: signed };
    const type = isEnough ? 'card.approved' : 'card.signed';
    const data = { by, cardVersion, keys: checked.value.keys } as never;
    return ok({ events: [{ type, data }], state, answer: state });
  });
}

/**
 * A reviewer's words for the card as it is now, to hand to `approveCard`: a signature more where others have begun, else
 * a new review above the last one.
 */
export function signReview(
  record: AgentRecord,
  { signer, expires }: { readonly signer: KeySigner; readonly expires: number },
): Result<SignedMetadata, CardError> {
  const { review, openReview } = record;
  const { draft, cardVersion } = review;
  if (openReview?.cardVersion === cardVersion)
    return ok(
      addSignature({ version: openReview.version ?? 0, bytes: Buffer.from(openReview.metadata) }, signer),
    );
  const prepared = prepareCard(draft, cardVersion);
  if (!prepared.ok) return prepared;
  const version = Math.max(cardVersion, lastReview(record) + 1);
  return ok(reviewMetadata(prepared.value, { version, expires, signers: [signer] }));
}

/** A card that is approved can be signed again: its review ends, or its reviewer's key does. */
function decisionOf(
  { review }: AgentRecord,
  { by, cardVersion }: { readonly by: string; readonly cardVersion: number },
  catalogue: PlatformParts['catalogue'],
): Result<AgentRecord['review'], ReviewError> {
  const isSame = review.cardVersion === cardVersion && review.status === 'approved';
  if (!isSame) return decideReview(review, { type: 'card.approve', by, cardVersion }, catalogue);
  return guard('review.self-again', review.decidedBy !== 'catalogue' && by === review.owner)
    ? fail({ code: 'E_REVIEW', reason: 'own-card' })
    : ok(review);
}

/** The signatures so far with those that come, where they are about the same. */
function joinedReview({ openReview }: AgentRecord, given: SignedMetadata): SignedMetadata | undefined {
  if (openReview === undefined) return undefined;
  return joinSignatures({ version: openReview.version ?? 0, bytes: Buffer.from(openReview.metadata) }, given);
}

/** The version of the last review that was taken. */
const lastReview = ({ signedReview }: AgentRecord): number =>
  signedReview === undefined ? 0 : (signedReview.version ?? signedReview.cardVersion);

const signedReviewOf = (cardVersion: number, { metadata, expires, keys }: CheckedReview): SignedReview => ({
  ...{ cardVersion, expires, keys },
  version: metadata.version,
  metadata: metadata.bytes.toString('utf8'),
});

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

export async function findAgent(
  { store }: Pick<PlatformParts, 'store'>,
  agent: string,
): Promise<AgentRecord | undefined> {
  const record = await stateOf<AgentRecord>(store, agentSubject(agent));
  const published = await shelvedState<PublicationRecord>(store, { name: PUBLISHED, key: agent });
  return record && { ...record, ...published };
}

/** Every agent that has a card, by id. */
export async function listAgents({ store }: Pick<PlatformParts, 'store'>): Promise<readonly AgentRecord[]> {
  const published = await shelvedStates<PublicationRecord>(store, PUBLISHED);
  const all = [...(await store.projections('platform.agent')).values()].map((value): AgentRecord => {
    const record = value as unknown as AgentRecord;
    return { ...record, ...published.get(record.agent) };
  });
  return all.sort((a, b) => (a.agent < b.agent ? -1 : 1));
}

/** What a report on ends needs of an agent. */
export type EndingAgent = Pick<AgentRecord, 'agent' | 'signedReview' | 'told'> & PublicationRecord;

/** Every agent that is published, without the words of its card. */
export async function listEnding({
  store,
  trust,
  online,
}: Pick<PlatformParts, 'store' | 'trust' | 'online'>): Promise<readonly EndingAgent[]> {
  const known = [...reviewRole(trust.targets).keys, online.keyId];
  const rows = await store.projections(ENDS);
  const found: EndingAgent[] = [];
  for (const [agent, publication] of await shelvedStates<PublicationRecord>(store, PUBLISHED)) {
    const row = rows.get(agent);
    // An earlier Cuebook wrote no short row.
    const own =
      row === undefined ? await stateOf<AgentRecord>(store, agentSubject(agent)) : readEnds(row, known);
    if (own !== undefined) found.push({ agent, ...own, ...publication });
  }
  return found.sort((a, b) => (a.agent < b.agent ? -1 : 1));
}
