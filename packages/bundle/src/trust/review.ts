import { fail, ok, type Result } from '@cuebook/prompt';
import { Metadata, MetadataKind } from '@tufjs/models';
import type { PreparedCard } from '../card/card.js';
import { TARGETS } from '../ids.js';
import { reviewBytes } from './bundle.js';
import { type TrustError, trustError } from './error.js';
import { digestOf, type SignedMetadata } from './metadata.js';
import { readMetadata } from './spelling.js';

/**
 * A reviewer's signed word for a card, checked as an agent will check it: signed by the keys of the role `reviews`,
 * and about exactly these fields, this view and this base prompt.
 */
export function readReview(
  targets: SignedMetadata,
  { card, basePrompt }: PreparedCard,
  bytes: Uint8Array,
): Result<SignedMetadata, TrustError> {
  const at = TARGETS.review(card.agent_id, card.card_version);
  const stored = Buffer.from(bytes);
  const read = readMetadata(stored, at);
  if (!read.ok) return read;
  try {
    const offline = Metadata.fromJSON(MetadataKind.Targets, JSON.parse(targets.bytes.toString('utf8')));
    const metadata = Metadata.fromJSON(MetadataKind.Targets, JSON.parse(read.value.toString('utf8')));
    offline.verifyDelegate('reviews', metadata);
    const listed = Object.hasOwn(metadata.signed.targets, at) ? metadata.signed.targets[at] : undefined;
    const { length, hashes } = digestOf(reviewBytes(card as unknown as Record<string, unknown>, basePrompt));
    if (listed?.length !== length || listed.hashes.sha256 !== hashes.sha256)
      return fail({ code: 'E_TRUST', reason: 'not-reviewed', at });
    return ok({ version: metadata.signed.version, bytes: stored });
  } catch (error) {
    return fail(trustError(error, at));
  }
}
