import { Metadata, MetadataKind, Signature } from '@tufjs/models';
import { type PreparedCard, prepareCard, readDraft } from '../src/card/card.js';
import type { CardDraftInput } from '../src/card/schema.js';
import { KEYS } from '../src/ids.js';
import { canonicalBytes } from '../src/json/read.js';
import { createKey, type KeySigner } from '../src/key/key.js';
import { openLog } from '../src/log/log.js';
import { SCENARIOS } from '../src/scenario/library/library.js';
import type { Scenario } from '../src/scenario/scenario.js';
import { type RootRoles, rootMetadata, type SignedMetadata, targetsMetadata } from '../src/trust/metadata.js';
import { libraryMetadata, type Publication, publishAgents, reviewMetadata } from '../src/trust/publish.js';
import type { StoredSet } from '../src/trust/stored-set.js';
import { DEFAULT_LIFETIMES, type PublishingDesk } from '../src/trust/write.js';
import { memoryStore, must, type Store } from './scratch.js';

export const NOW = Date.UTC(2026, 10, 15, 12);
export const DAY = 24 * 60 * 60 * 1000;
const YEAR = 365 * DAY;

export const DRAFT: CardDraftInput = {
  agent_id: 'ada_1',
  name: 'Ada',
  description: 'Counts birds and writes about them.',
  personality: { extrovert: 0.72, curious: 0.88, creative: 0.67, stable: 0.55 },
  interests: ['birds', 'maps'],
  capabilities: ['field notes'],
  bio: 'Lives near the river. 住在河边。',
  persona: {
    inspiration: { kind: 'real_person', reference: 'Rachel Carson' },
    voice: { tone_tags: ['calm'], writing_rules: ['short sentences'], catchphrases: [] },
    no_impersonation: true,
  },
};

export const prepared = (more: Partial<CardDraftInput> = {}, version = 1): PreparedCard =>
  must(prepareCard(must(readDraft({ ...DRAFT, ...more })), version));

/** The keys of a platform, and everything that is signed offline. */
export interface Platform {
  readonly store: Store;
  readonly desk: PublishingDesk;
  readonly root: SignedMetadata;
  readonly keys: Readonly<Record<Owner, KeySigner>>;
}
type Owner = 'root1' | 'root2' | 'root3' | 'targets' | 'library' | 'reviewer' | 'online' | 'log';

export const AGENT_SCENARIOS: readonly Scenario[] = [...SCENARIOS.values()].filter(
  ({ side }) => side === 'agent',
);

export function newKeys(): Platform['keys'] {
  const owners: Owner[] = ['root1', 'root2', 'root3', 'targets', 'library', 'reviewer', 'online', 'log'];
  return Object.fromEntries(owners.map((owner) => [owner, createKey().signer])) as Platform['keys'];
}

export const one = (signer: KeySigner) => ({ keys: [signer.publicKey], threshold: 1 });

export const rootRoles = (keys: Platform['keys']): RootRoles => ({
  root: { keys: [keys.root1, keys.root2, keys.root3].map(({ publicKey }) => publicKey), threshold: 2 },
  targets: one(keys.targets),
  snapshot: one(keys.online),
  timestamp: one(keys.online),
});

export const targetsOf = (keys: Platform['keys'], version = 1): SignedMetadata =>
  targetsMetadata(
    {
      library: one(keys.library),
      reviews: one(keys.reviewer),
      assignment: one(keys.online),
      log: one(keys.log),
    },
    { version, expires: NOW + YEAR, signers: [keys.targets] },
  );

export const libraryOf = (keys: Platform['keys'], scenarios = AGENT_SCENARIOS, version = 1): SignedMetadata =>
  libraryMetadata(scenarios, { version, expires: NOW + YEAR, signers: [keys.library] });

/** A platform with nothing published. Root: two of three. */
export async function newPlatform(keys = newKeys(), store = memoryStore()): Promise<Platform> {
  const root = rootMetadata(rootRoles(keys), {
    version: 1,
    expires: NOW + YEAR,
    signers: [keys.root1, keys.root2],
  });
  const desk: PublishingDesk = {
    objects: store,
    online: keys.online,
    logSigner: keys.log,
    log: must(await openLog(store, undefined)),
    logName: 'test-log',
    issuer: 'test',
    targets: targetsOf(keys),
    library: libraryOf(keys),
    now: NOW,
    lifetimes: DEFAULT_LIFETIMES,
  };
  must(await store.put(KEYS.shared('targets', 1), desk.targets.bytes));
  must(await store.put(KEYS.shared('library', 1), desk.library.bytes));
  return { store, desk, root, keys };
}

export const publication = (
  { keys }: Pick<Platform, 'keys'>,
  card: PreparedCard,
  version: number,
  more: Partial<Publication> = {},
): Publication => ({
  prepared: card,
  version,
  reviews: reviewMetadata(card, {
    version: card.card.card_version,
    expires: NOW + YEAR,
    signers: [keys.reviewer],
  }),
  scenarios: AGENT_SCENARIOS,
  ...more,
});

/** Publishes one card. */
export async function publish(
  platform: Platform,
  card: PreparedCard,
  version: number,
  more: Partial<Publication> = {},
  desk: Partial<PublishingDesk> = {},
): Promise<StoredSet> {
  const published = [publication(platform, card, version, more)];
  return must(await publishAgents({ ...platform.desk, ...desk }, published))[0] as StoredSet;
}

export const anchorOf = (platform: Platform, agent = 'ada_1') => ({
  agent,
  root: platform.root.bytes,
  log: 'test-log',
});

/** Signs a targets body as it stands, whatever it says. */
export function signRaw(signed: object, signer: KeySigner): Buffer {
  const metadata = Metadata.fromJSON(MetadataKind.Targets, { signed, signatures: [] } as never);
  metadata.sign((bytes) => new Signature({ keyID: signer.keyId, sig: signer.sign(bytes).toString('hex') }));
  return canonicalBytes(metadata.toJSON()) as Buffer;
}
