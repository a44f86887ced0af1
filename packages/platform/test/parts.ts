import { join } from 'node:path';
import {
  type CardDraftInput,
  createKey,
  DEFAULT_LIFETIMES,
  EMPTY_CATALOGUE,
  type KeySigner,
  prepareCard,
  readDraft,
  reviewMetadata,
  tokenIssuer,
} from '@cuebook/bundle';
import { openStore } from '@cuebook/journal';
import { onTestFinished } from 'vitest';
import { AGENT_SCENARIOS, DRAFT, NOW, newPlatform, type Platform } from '../../bundle/test/platform.js';
import { must, scratch } from '../../bundle/test/scratch.js';
import { approveCard, findAgent, saveCard } from '../src/cards.js';
import type { PlatformParts } from '../src/desk.js';
import { publishApproved } from '../src/publishing.js';
import type { AgentRecord } from '../src/record.js';

/** A platform with its record in SQLite, its objects in memory, and a clock that stands still. */
export interface TestParts extends PlatformParts {
  readonly offline: Platform;
  readonly clock: { now: number };
  readonly agentKeys: ReadonlyMap<string, KeySigner>;
}

export async function newParts(more: Partial<PlatformParts> = {}): Promise<TestParts> {
  const { root } = await scratch();
  const clock = { now: NOW };
  const store = must(
    await openStore({ file: join(root, 'journal.db') }, { clock: { now: () => clock.now } }),
  );
  onTestFinished(() => store.close());
  const offline = await newPlatform();
  const secret = Buffer.alloc(32, 7);
  return {
    name: 'test',
    store,
    objects: offline.store,
    issuer: tokenIssuer({ url: 'http://127.0.0.1:1/objects', platform: 'test', secret }),
    online: offline.keys.online,
    log: offline.keys.log,
    trust: { root: offline.root, targets: offline.desk.targets, library: offline.desk.library },
    secret,
    catalogue: EMPTY_CATALOGUE,
    active: AGENT_SCENARIOS,
    library: AGENT_SCENARIOS,
    lifetimes: DEFAULT_LIFETIMES,
    now: () => clock.now,
    offline,
    clock,
    agentKeys: new Map(),
    ...more,
  };
}

/** The key of an agent, made when it is first asked for. */
export function agentKey({ agentKeys }: TestParts, agent: string): KeySigner {
  const known = agentKeys.get(agent) ?? createKey().signer;
  (agentKeys as Map<string, KeySigner>).set(agent, known);
  return known;
}

export const cardKey = (signer: KeySigner): string =>
  `ed25519:${Buffer.from(signer.publicKey.hex, 'hex').toString('base64')}`;

/** Saves a draft of `owner`, with the agent's key on it. */
export async function save(
  parts: TestParts,
  agent: string,
  more: Partial<CardDraftInput> = {},
): Promise<AgentRecord> {
  const agent_public_key = cardKey(agentKey(parts, agent));
  const draft = must(readDraft({ ...DRAFT, agent_id: agent, agent_public_key, ...more }));
  return must(await saveCard(parts, 'owner', draft));
}

/** The reviewer's word for the card as it is now. */
export async function signedReview(parts: TestParts, agent: string): Promise<Buffer> {
  const { review } = (await findAgent(parts, agent)) as AgentRecord;
  const prepared = must(prepareCard(review.draft, review.cardVersion));
  return reviewMetadata(prepared, {
    version: review.cardVersion,
    expires: NOW + 365 * 24 * 60 * 60 * 1000,
    signers: [parts.offline.keys.reviewer],
  }).bytes;
}

/** Saved, approved and published. */
export async function settle(
  parts: TestParts,
  agent: string,
  more: Partial<CardDraftInput> = {},
): Promise<AgentRecord> {
  const { review } = await save(parts, agent, more);
  const command = { agent, by: 'reviewer', cardVersion: review.cardVersion };
  must(await approveCard(parts, command, await signedReview(parts, agent)));
  must(await publishApproved(parts, { by: 'publisher', agents: [agent] }));
  return (await findAgent(parts, agent)) as AgentRecord;
}
