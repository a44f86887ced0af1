import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PreparedCard } from '../card/card.js';
import { isId, KEYS, TARGETS } from '../ids.js';
import { readCanonical } from '../json/read.js';
import type { KeySigner } from '../key/key.js';
import type { Scenario } from '../scenario/scenario.js';
import { buildBundle, reviewBytes, templateBytes } from './bundle.js';
import { delegatedMetadata, type PinnedMetadata, type SignedMetadata } from './metadata.js';
import type { StoredObject, StoredSet } from './stored-set.js';
import { type AgentWork, type PublishError, type PublishingDesk, writeWorks } from './write.js';

/** One agent's card and bundle, with the review that its reviewer signed. */
export interface Publication {
  readonly prepared: PreparedCard;
  /** Of the bundle and of the metadata about it; above every version before it. */
  readonly version: number;
  readonly reviews: SignedMetadata;
  readonly scenarios: readonly Scenario[];
  readonly cohorts?: Readonly<Record<string, string>>;
  /** What is in the store as it should be, and stays. Left out: the store is asked which version it has. */
  readonly before?: {
    /** The last version that was used. */
    readonly version: number;
    readonly card?: StoredObject;
    readonly reviews?: PinnedMetadata;
    /** What the agent knows if it is up to date. */
    readonly had?: NonNullable<AgentWork['had']>;
  };
}

/**
 * Publishes cards and bundles. Objects come first, then the log and its checkpoint, then the timestamps: an agent
 * that looks in between keeps what it has. A failure leaves every timestamp that was not yet written as it was. Answers
 * what the store holds now, in the order of the publications.
 */
export function publishAgents(
  desk: PublishingDesk,
  publications: readonly Publication[],
): Promise<Result<readonly StoredSet[], PublishError>> {
  return writeWorks(desk, publications, (publication) => workOf(desk, publication));
}

async function workOf(
  { objects, now }: PublishingDesk,
  publication: Publication,
): Promise<Result<AgentWork, PublishError>> {
  const { prepared, version, reviews, scenarios, cohorts = {}, before } = publication;
  const { card } = prepared;
  const agent = card.agent_id;
  if (!isId(agent)) return fail({ code: 'E_PUBLISH', reason: 'bad-id', agent: '(refused)' });
  const last = before === undefined ? await storedVersion(objects, agent) : ok(before.version);
  if (!last.ok) return last;
  if (guard('publish.version', last.value >= version))
    return fail({ code: 'E_PUBLISH', reason: 'version', agent });
  const bundle = buildBundle({ prepared, version, scenarios, cohorts, now });
  const isPublic = card.discovery.public;
  return ok({
    agent,
    version,
    isPublic,
    reviews: before?.reviews ?? reviews,
    card: before?.card ?? { object: card as unknown as Record<string, unknown>, version: card.card_version },
    bundle: { object: bundle as unknown as Record<string, unknown>, version },
    ...(before?.had === undefined ? {} : { had: before.had }),
  });
}

/** The version of the bundle in the store; one that cannot be read claims none. */
async function storedVersion(
  objects: PublishingDesk['objects'],
  agent: string,
): Promise<Result<number, PublishError>> {
  const current = await objects.get(KEYS.bundle(agent));
  if (!current.ok) return current.error.reason === 'not-found' ? ok(0) : current;
  const read = readCanonical(current.value);
  const version = read.ok ? (read.value.value as { cert?: { version?: unknown } }).cert?.version : undefined;
  return ok(typeof version === 'number' ? version : 0);
}

/** The offline list of templates that may ever be assigned. */
export const libraryMetadata = (
  scenarios: readonly Scenario[],
  common: { readonly version: number; readonly expires: number; readonly signers: readonly KeySigner[] },
): SignedMetadata =>
  delegatedMetadata(
    Object.fromEntries(
      scenarios.map((scenario) => [
        TARGETS.template(scenario.id, scenario.version),
        { bytes: templateBytes(scenario) },
      ]),
    ),
    common,
  );

/** A reviewer's word for one card: exactly these fields, this view, this base prompt. */
export const reviewMetadata = (
  { card, basePrompt }: PreparedCard,
  common: { readonly version: number; readonly expires: number; readonly signers: readonly KeySigner[] },
): SignedMetadata =>
  delegatedMetadata(
    {
      [TARGETS.review(card.agent_id, card.card_version)]: {
        bytes: reviewBytes(card as unknown as Record<string, unknown>, basePrompt),
      },
    },
    common,
  );
