import { randomBytes } from 'node:crypto';
import {
  type CardDraft,
  createKey,
  DEFAULT_LIFETIMES,
  EMPTY_CATALOGUE,
  type KeySigner,
  libraryMetadata,
  type Objects,
  prepareCard,
  reviewMetadata,
  rootMetadata,
  SCENARIOS,
  signChallenge,
  type TrustAnchor,
  targetsMetadata,
  tokenIssuer,
} from '@cuebook/bundle';
import type { Store } from '@cuebook/journal';
import {
  approveCard,
  beginAdmission,
  finishAdmission,
  type OfflineTrust,
  type PlatformParts,
  publishApproved,
  publishOffline,
  saveCard,
} from '@cuebook/platform';
import { fail, ok, type Result } from '@cuebook/prompt';

/** A step of a rehearsed platform that was refused: what it was about, and the code of the part that said no. */
export interface TownError {
  readonly code: string;
  readonly at: string;
}

/**
 * A platform for rehearsals, in one process. Every step is the platform's own, and on its record; all keys are made
 * for the occasion and forgotten with it. It is no platform to run: its offline keys are not offline.
 */
export interface Town {
  readonly parts: PlatformParts;
  readonly reviewer: KeySigner;
  readonly clock: { now: number };
}

export interface TownOptions {
  readonly objects: Objects;
  /** The platform's own journal. */
  readonly store: Store;
  readonly now: number;
}

export async function openTown({ objects, store, now }: TownOptions): Promise<Result<Town, TownError>> {
  const clock = { now };
  const [online, log, reviewer] = [newKey(), newKey(), newKey()];
  const trust = signOffline({ online, log, reviewer, now });
  const published = await publishOffline(objects, trust);
  if (!published.ok) return refuse(published.error.code, 'trust');
  const secret = randomBytes(32);
  const scenarios = [...SCENARIOS.values()];
  const parts: PlatformParts = {
    name: NAME,
    store,
    objects,
    // Agents of a rehearsal are in this process: what they may do is checked, and no address is called.
    issuer: tokenIssuer({ url: 'http://127.0.0.1', platform: NAME, secret }),
    online,
    log,
    trust,
    secret,
    catalogue: EMPTY_CATALOGUE,
    active: scenarios,
    library: scenarios,
    lifetimes: DEFAULT_LIFETIMES,
    now: () => clock.now,
  };
  return ok({ parts, reviewer, clock });
}

/** What the trust of an agent starts from. */
export const anchorOf = ({ parts }: Town, agent: string): TrustAnchor => ({
  agent,
  root: parts.trust.root.bytes,
  log: parts.name,
});

/** Saved by its owner, read and signed by a reviewer, published. */
export async function publishCard(
  { parts, reviewer }: Town,
  draft: CardDraft,
): Promise<Result<void, TownError>> {
  const agent = draft.agent_id;
  const saved = await saveCard(parts, OWNER, draft);
  if (!saved.ok) return refuse(saved.error.code, agent);
  const { cardVersion } = saved.value.review;
  const prepared = prepareCard(draft, cardVersion);
  if (!prepared.ok) return refuse(prepared.error.code, agent);
  const signed = reviewMetadata(prepared.value, {
    version: cardVersion,
    expires: parts.now() + YEAR,
    signers: [reviewer],
  });
  const approved = await approveCard(parts, { agent, by: 'reviewer', cardVersion }, signed.bytes);
  if (!approved.ok) return refuse(approved.error.code, agent);
  const published = await publishApproved(parts, { by: PUBLISHER, agents: [agent] });
  return published.ok ? ok(undefined) : refuse(published.error.code, agent);
}

/** The agent shows that it has its key, and is let in. */
export async function admitAgent(
  { parts }: Town,
  agent: string,
  signer: KeySigner,
): Promise<Result<void, TownError>> {
  const challenge = await beginAdmission(parts, { agent, by: OWNER });
  if (!challenge.ok) return refuse(challenge.error.code, agent);
  const expected = { platform: parts.name, agent, purpose: 'admit' } as const;
  const signature = signChallenge(challenge.value, expected, signer);
  if (!signature.ok) return refuse(signature.error.code, agent);
  const proof = { challenge: challenge.value, signature: signature.value };
  const session = await finishAdmission(parts, proof);
  return session.ok ? ok(undefined) : refuse(session.error.code, agent);
}

/** Who publishes in a rehearsal. */
export const PUBLISHER = 'publisher';
const OWNER = 'owner';
const NAME = 'rehearsal';
const YEAR = 365 * 24 * 60 * 60 * 1000;
const newKey = (): KeySigner => createKey().signer;

function signOffline({
  online,
  log,
  reviewer,
  now,
}: Readonly<Record<'online' | 'log' | 'reviewer', KeySigner>> & { readonly now: number }): OfflineTrust {
  const [root, library] = [newKey(), newKey()];
  const one = (signer: KeySigner) => ({ keys: [signer.publicKey], threshold: 1 });
  const common = (signer: KeySigner) => ({ version: 1, expires: now + YEAR, signers: [signer] });
  return {
    root: rootMetadata(
      { root: one(root), targets: one(root), snapshot: one(online), timestamp: one(online) },
      common(root),
    ),
    targets: targetsMetadata(
      { library: one(library), reviews: one(reviewer), assignment: one(online), log: one(log) },
      common(root),
    ),
    library: libraryMetadata([...SCENARIOS.values()], common(library)),
  };
}

export const refuse = (code: string, at: string) => fail<TownError>({ code, at });
