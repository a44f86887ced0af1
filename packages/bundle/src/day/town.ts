import { fail, ok, type Result } from '@cuebook/prompt';
import { completeAdmission, NO_ADMISSION, startAdmission } from '../admission/admission.js';
import { newChallenge, signChallenge } from '../admission/challenge.js';
import { prepareCard } from '../card/card.js';
import { EMPTY_CATALOGUE } from '../card/catalogue.js';
import { type CardReview, decideReview, requireApproved } from '../card/review.js';
import type { CardDraft } from '../card/schema.js';
import type { Feedback } from '../feedback/weights.js';
import { KEYS } from '../ids.js';
import { createKey, type KeySigner } from '../key/key.js';
import { openLog } from '../log/log.js';
import type { Objects } from '../objects/contract.js';
import { certifyPlace, type Place, placeKey } from '../place/manifest.js';
import { certifyFeedback, certifyPlaces, type Places } from '../resident/told.js';
import { SCENARIOS } from '../scenario/library/library.js';
import { rootMetadata, targetsMetadata } from '../trust/metadata.js';
import {
  DEFAULT_LIFETIMES,
  type Desk,
  libraryMetadata,
  publishAgents,
  reviewMetadata,
} from '../trust/publish.js';
import type { Anchor } from '../trust/sync.js';

/** A failure of a rehearsed platform: what it was about, and the code of the part that said no. */
export interface TownError {
  readonly code: string;
  readonly at: string;
}

/**
 * A platform for rehearsals, in one process: every step is the real one, and all keys are made for the occasion and
 * forgotten with it. It is no platform to run: its offline keys are not offline.
 */
export interface Town {
  readonly name: string;
  readonly objects: Objects;
  anchor(agent: string): Anchor;
  /** Saves, reviews, approves and publishes a card. Each time its version is one higher. */
  publish(draft: CardDraft, now: number): Promise<Result<void, TownError>>;
  /** Asks the agent to show that it has its key, and lets it in. */
  admit(agent: string, signer: KeySigner, now: number): Result<void, TownError>;
  isAdmitted(agent: string): boolean;
  cardVersion(agent: string): number;
  place(place: Place, now: number): Promise<Result<void, TownError>>;
  findPlace(kind: Place['kind'], id: string): Place | undefined;
  places(): readonly Place[];
  tell(agent: string, places: Places, now: number): Promise<Result<void, TownError>>;
  feedback(agent: string, feedback: Feedback, now: number): Promise<Result<void, TownError>>;
}

export async function openTown(
  objects: Objects,
  now: number,
  name = 'rehearsal',
): Promise<Result<Town, TownError>> {
  const opened = await openDesk(objects, now, name);
  if (!opened.ok) return opened;
  const { desk, root, reviewer } = opened.value;
  const reviews = new Map<string, CardReview>();
  const admitted = new Set<string>();
  const places = new Map<string, Place>();
  const versions = new Map<string, number>();
  const next = (key: string): number => {
    const version = (versions.get(key) ?? 0) + 1;
    versions.set(key, version);
    return version;
  };
  const options = (key: string, at: number) => ({
    signer: desk.online,
    issuer: name,
    version: next(key),
    now: at,
    lifetimeMs: DEFAULT_LIFETIMES.cert,
  });
  const put = async (key: string, bytes: Result<Buffer, { readonly code: string }>) => {
    if (!bytes.ok) return refuse(bytes.error.code, key);
    const done = await objects.put(key, bytes.value);
    return done.ok ? ok(undefined) : refuse(done.error.code, key);
  };
  return ok({
    name,
    objects,
    anchor: (agent) => ({ agent, root, log: name }),
    async publish(draft, at) {
      const agent = draft.agent_id;
      const approved = approve(reviews.get(agent), draft);
      if (!approved.ok) return approved;
      reviews.set(agent, approved.value);
      const card = requireApproved(approved.value);
      const prepared = card.ok ? prepareCard(card.value, approved.value.cardVersion) : card;
      if (!prepared.ok) return refuse(prepared.error.code, agent);
      const common = { version: approved.value.cardVersion, expires: at + YEAR, signers: [reviewer] };
      const publication = {
        prepared: prepared.value,
        version: next(KEYS.bundle(agent)),
        reviews: reviewMetadata(prepared.value, common),
        scenarios: [...SCENARIOS.values()],
      };
      const done = await publishAgents({ ...desk, now: at }, [publication]);
      return done.ok ? ok(undefined) : refuse(done.error.code, agent);
    },
    admit(agent, signer, at) {
      const about = { platform: name, agent, purpose: 'admit' } as const;
      const challenge = newChallenge(about, at);
      const signature = signChallenge(challenge, about, signer);
      if (!signature.ok) return refuse(signature.error.code, agent);
      const proof = { challenge, signature: signature.value };
      const key = signer.keyId === undefined ? undefined : publicHex(reviews.get(agent)?.draft);
      const done = completeAdmission(startAdmission(NO_ADMISSION, challenge), proof, { key, now: at });
      if (!done.ok) return refuse(done.error.code, agent);
      admitted.add(agent);
      return ok(undefined);
    },
    isAdmitted: (agent) => admitted.has(agent),
    cardVersion: (agent) => reviews.get(agent)?.cardVersion ?? 0,
    place(place, at) {
      places.set(placeKey(place), place);
      return put(placeKey(place), certifyPlace(place, options(placeKey(place), at)));
    },
    findPlace: (kind, id) => places.get(placeKey({ kind, id })),
    places: () => [...places.values()],
    tell: (agent, told, at) => {
      const key = KEYS.places(agent);
      return put(key, certifyPlaces(agent, told, options(key, at)));
    },
    feedback: (agent, feedback, at) => {
      const key = KEYS.feedback(agent, feedback.id);
      return put(key, certifyFeedback(agent, feedback, options(key, at)));
    },
  });
}

/** Saved by its owner, read by somebody else. */
function approve(review: CardReview | undefined, draft: CardDraft): Result<CardReview, TownError> {
  const saved = decideReview(review, { type: 'card.save', by: 'owner', draft }, EMPTY_CATALOGUE);
  if (!saved.ok) return refuse(saved.error.code, draft.agent_id);
  if (saved.value.status === 'approved') return saved;
  const { cardVersion } = saved.value;
  const decided = decideReview(
    saved.value,
    { type: 'card.approve', by: 'reviewer', cardVersion },
    EMPTY_CATALOGUE,
  );
  return decided.ok ? decided : refuse(decided.error.code, draft.agent_id);
}

/** The key that the card names. */
const publicHex = (draft: CardDraft | undefined): string | undefined =>
  draft?.agent_public_key === undefined
    ? undefined
    : Buffer.from(draft.agent_public_key.slice('ed25519:'.length), 'base64').toString('hex');

async function openDesk(
  objects: Objects,
  now: number,
  name: string,
): Promise<Result<{ readonly desk: Desk; readonly root: Buffer; readonly reviewer: KeySigner }, TownError>> {
  const [rootKey, targetsKey, libraryKey, reviewer, online, logSigner] = Array.from(
    { length: 6 },
    () => createKey().signer,
  ) as [KeySigner, KeySigner, KeySigner, KeySigner, KeySigner, KeySigner];
  const one = (signer: KeySigner) => ({ keys: [signer.publicKey], threshold: 1 });
  const common = (signer: KeySigner) => ({ version: 1, expires: now + YEAR, signers: [signer] });
  const root = rootMetadata(
    { root: one(rootKey), targets: one(targetsKey), snapshot: one(online), timestamp: one(online) },
    common(rootKey),
  );
  const targets = targetsMetadata(
    { library: one(libraryKey), reviews: one(reviewer), assignment: one(online), log: one(logSigner) },
    common(targetsKey),
  );
  const library = libraryMetadata([...SCENARIOS.values()], common(libraryKey));
  const log = await openLog(objects, undefined);
  if (!log.ok) return refuse(log.error.code, 'log');
  for (const [role, { bytes }] of Object.entries({ targets, library })) {
    const put = await objects.put(KEYS.shared(role, 1), bytes);
    if (!put.ok) return refuse(put.error.code, role);
  }
  const lifetimes = DEFAULT_LIFETIMES;
  const desk = {
    objects,
    online,
    logSigner,
    log: log.value,
    logName: name,
    issuer: name,
    targets,
    library,
    now,
    lifetimes,
  };
  return ok({ desk, root: root.bytes, reviewer });
}

const refuse = (code: string, at: string) => fail<TownError>({ code, at });
const YEAR = 365 * 24 * 60 * 60 * 1000;
