import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { Metadata, MetadataKind, type Targets } from '@tufjs/models';
import type { PreparedCard } from '../card/card.js';
import { TARGETS } from '../ids.js';
import { canonicalBytes } from '../json/read.js';
import type { KeySigner } from '../key/key.js';
import { reviewBytes } from './bundle.js';
import { type TrustError, trustError } from './error.js';
import { digestOf, type SignedMetadata } from './metadata.js';
import { readMetadata } from './spelling.js';

/** The words of reviewers for a card: who of those that count now has signed, and how many must. */
export interface CheckedReview {
  readonly metadata: SignedMetadata;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** The keys that signed. */
  readonly keys: readonly string[];
  readonly threshold: number;
}

/**
 * Reviewers' signed words for a card, checked as an agent will check them: every signature is one of the role
 * `reviews`, and they are about exactly these fields, this view and this base prompt. There may be too few of them.
 */
export function checkReview(
  targets: SignedMetadata,
  { card, basePrompt }: PreparedCard,
  bytes: Uint8Array,
): Result<CheckedReview, TrustError> {
  const at = TARGETS.review(card.agent_id, card.card_version);
  const stored = Buffer.from(bytes);
  const read = readMetadata(stored, at);
  if (!read.ok) return read;
  try {
    const offline = Metadata.fromJSON(MetadataKind.Targets, JSON.parse(targets.bytes.toString('utf8')));
    const metadata = Metadata.fromJSON(MetadataKind.Targets, JSON.parse(read.value.toString('utf8')));
    const { keys, threshold } = reviewersOf(offline);
    const signed = Object.keys(metadata.signatures);
    const isAllTheirs = signed.every((id) => keys.has(id) && isSignature(offline, metadata, id));
    if (guard('review.signature', !isAllTheirs)) return fail({ code: 'E_TRUST', reason: 'unsigned', at });
    const listed = Object.hasOwn(metadata.signed.targets, at) ? metadata.signed.targets[at] : undefined;
    const { length, hashes } = digestOf(reviewBytes(card as unknown as Record<string, unknown>, basePrompt));
    if (listed?.length !== length || listed.hashes.sha256 !== hashes.sha256)
      return fail({ code: 'E_TRUST', reason: 'not-reviewed', at });
    return ok({
      metadata: { version: metadata.signed.version, bytes: stored },
      expires: Date.parse(metadata.signed.expires),
      keys: signed,
      threshold,
    });
  } catch (error) {
    return fail(trustError(error, at));
  }
}

/** The keys whose reviews count, and how many of them must agree, as signed offline. */
export function reviewRole(targets: SignedMetadata): {
  readonly keys: ReadonlySet<string>;
  readonly threshold: number;
} {
  return reviewersOf(Metadata.fromJSON(MetadataKind.Targets, JSON.parse(targets.bytes.toString('utf8'))));
}

/** The same review with one more signature. */
export function addSignature(metadata: SignedMetadata, signer: KeySigner): SignedMetadata {
  const { signatures, signed } = JSON.parse(metadata.bytes.toString('utf8')) as Signatures;
  const sig = signer.sign(canonicalBytes(signed) as Buffer).toString('hex');
  return withSignatures(metadata.version, signed, [...signatures, { keyid: signer.keyId, sig }]);
}

/** Two reviews of the same words with the signatures of both; undefined when they are not about the same. */
export function joinSignatures(one: SignedMetadata, other: SignedMetadata): SignedMetadata | undefined {
  const [a, b] = [one, other].map(({ bytes }) => JSON.parse(bytes.toString('utf8')) as Signatures);
  if (a === undefined || b === undefined) return undefined;
  const isSame = canonicalBytes(a.signed)?.equals(canonicalBytes(b.signed) ?? Buffer.alloc(0)) === true;
  return isSame ? withSignatures(one.version, a.signed, [...a.signatures, ...b.signatures]) : undefined;
}

interface Signatures {
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
  readonly signed: object;
}

/** A key counts once. In the order of the keys, so that it does not matter who came first. */
function withSignatures(
  version: number,
  signed: object,
  signatures: Signatures['signatures'],
): SignedMetadata {
  const unique = [...new Map(signatures.map((each) => [each.keyid, each])).values()].sort((a, b) =>
    a.keyid < b.keyid ? -1 : 1,
  );
  return { version, bytes: canonicalBytes({ signatures: unique, signed }) as Buffer };
}

function reviewersOf(offline: Metadata<Targets>) {
  const role = offline.signed.delegations?.roles?.reviews;
  return { keys: new Set(role?.keyIDs ?? []), threshold: role?.threshold ?? 1 };
}

function isSignature(offline: Metadata<Targets>, metadata: Metadata<Targets>, id: string): boolean {
  try {
    offline.signed.delegations?.keys[id]?.verifySignature(metadata);
    return offline.signed.delegations?.keys[id] !== undefined;
  } catch {
    // The library says no by throwing.
    return false;
  }
}
