import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Accepted,
  type CardDraftInput,
  createKey,
  KEYS,
  type KeySigner,
  type Objects,
  placeSchema,
  prepareCard,
  printHeartbeat,
  readCard,
  readDraft,
  readFeedback,
  readPlace,
  readPlaces,
  readTopicState,
  type Scenario,
  signChallenge,
  updateTrust,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { expect, onTestFinished } from 'vitest';
import { must, scratch } from '../../bundle/test/scratch.js';
import { approveCard, findAgent, listAgents, saveCard, signReview } from '../src/cards.js';
import type { PlatformParts } from '../src/desk.js';
import { beginAdmission, finishAdmission } from '../src/entry/admit.js';
import { viewHealth } from '../src/health.js';
import { foundWith } from '../src/home/found.js';
import { type OpenPlatform, openPlatform } from '../src/home/home.js';
import { makeServerKey, rotateKeys } from '../src/home/rotate.js';
import type { KeyChange } from '../src/keys/roles.js';
import { findLibrary } from '../src/library/library.js';
import { decideVersion, proposeVersion } from '../src/library/propose.js';
import { publishLibrary } from '../src/library/publish.js';
import { changesOf, requestLibrary, signLibrary } from '../src/library/request.js';
import { putPlace, tellPlaces } from '../src/places.js';
import { publishApproved } from '../src/publishing.js';
import type { AgentRecord } from '../src/record.js';
import { dueReviews } from '../src/renewal/due.js';
import { renewPlatform } from '../src/renewal/renew.js';
import { tellTopicState } from '../src/topic-state.js';

export const DAY = 24 * 60 * 60 * 1000;
export const START = Date.UTC(2026, 10, 15, 12);
export const AGENTS = ['ada', 'bo', 'cy', 'dee', 'eve'] as const;
export type AgentName = (typeof AGENTS)[number];

/** A platform in a folder, its holders and its agents, on one clock that is moved by hand. */
export type World = Awaited<ReturnType<typeof newWorld>>;

/** The holders of keys: who is lost or stolen is taken out here too. */
interface Holders {
  roots: KeySigner[];
  library: KeySigner;
  reviewers: KeySigner[];
}

const key = (): KeySigner => createKey().signer;
const hex = ({ publicKey }: KeySigner): string => publicKey.hex;

export async function newWorld(objects: Objects, agents: readonly string[] = AGENTS) {
  const { root } = await scratch();
  const clock = { now: START };
  const holders: Holders = { roots: [key(), key(), key()], library: key(), reviewers: [key()] };
  const founding = {
    ...{ name: 'town', url: 'http://127.0.0.1:4000', threshold: 2, now: START },
    store: { kind: 'folder' as const },
  };
  const folder = join(root, 'platform');
  must(await foundWith(folder, founding, { ...holders }));
  const platform: OpenPlatform = must(await openPlatform(folder, { env: {}, now: () => clock.now }));
  onTestFinished(() => platform.close());
  // The platform as it is, with the store of this test.
  const parts: PlatformParts = Object.create(platform, { objects: { value: objects } });
  const anchor = platform.trust.root.bytes;
  const homes = new Map<string, Awaited<ReturnType<typeof newHome>>>();
  for (const agent of agents) homes.set(agent, await newHome(join(root, agent)));
  return {
    root,
    clock,
    holders,
    platform,
    parts,
    objects,
    anchor,
    homes,
    agents,
    folder,
    reviewed: new Set<string>(),
  };
}

async function newHome(folder: string) {
  return { files: must(await openFolder(folder, { create: true })), signer: key() };
}

const homeOf = ({ homes }: World, agent: string) => {
  const home = homes.get(agent);
  if (home === undefined) throw new Error(agent);
  return home;
};

/** Saved, signed by as many reviewers as must agree, and published. */
export async function editCard(
  world: World,
  agent: string,
  more: Partial<CardDraftInput> = {},
): Promise<void> {
  const { parts, reviewed } = world;
  const agent_public_key = `ed25519:${Buffer.from(hex(homeOf(world, agent).signer), 'hex').toString('base64')}`;
  const draft = must(
    readDraft({
      ...{ agent_id: agent, name: agent, agent_public_key, discovery: { public: true, tags: [] } },
      personality: { extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5 },
      ...more,
    }),
  );
  must(await saveCard(parts, 'owner', draft));
  await signCard(world, agent);
  const { review } = (await findAgent(parts, agent)) as AgentRecord;
  reviewed.add(must(prepareCard(draft, review.cardVersion)).basePrompt);
  must(await publishApproved(parts, { by: 'pia', agents: [agent] }));
}

async function signCard({ parts, platform, holders, clock }: World, agent: string): Promise<void> {
  for (const signer of holders.reviewers.slice(0, platform.config.keys.reviewer_threshold)) {
    const record = (await findAgent(parts, agent)) as AgentRecord;
    const { bytes } = must(signReview(record, { signer, expires: clock.now + 365 * DAY }));
    const { cardVersion } = record.review;
    must(await approveCard(parts, { agent, by: 'rosa', cardVersion }, bytes));
  }
}

/** The agent answers its owner's challenge with its key; with `next` that key takes over. */
export async function admit(world: World, agent: string, next?: KeySigner): Promise<void> {
  const { parts } = world;
  const home = homeOf(world, agent);
  const newKey = next === undefined ? {} : { newKey: hex(next) };
  const challenge = must(await beginAdmission(parts, { agent, by: 'owner', ...newKey }));
  const purpose = next === undefined ? 'admit' : 'rotate';
  const signature = must(signChallenge(challenge, { platform: 'town', agent, purpose }, next ?? home.signer));
  must(await finishAdmission(parts, { challenge, signature }));
  if (next !== undefined) world.homes.set(agent, { ...home, signer: next });
}

/** Another key for a role, signed by two holders of root keys and by whoever comes. */
export async function rotate(
  world: World,
  change: KeyChange | 'ends' | 'library-end',
  more: readonly KeySigner[] = [],
): Promise<void> {
  const { platform, holders, clock } = world;
  const signers = [...holders.roots.slice(0, 2), holders.library, ...more];
  must(await rotateKeys(platform, change, { signers, now: clock.now }));
  must(await platform.follow());
}

/** The server gets another key, and signs everything again. */
export async function rotateServer(world: World, role: 'online' | 'log'): Promise<void> {
  const { platform } = world;
  const come = must(await makeServerKey(platform.files, role));
  await rotate(world, { role, come: [come], gone: [platform.config.keys[role]] });
}

/** The newest version of a template in the library. */
export async function newest({ parts }: World, id: string): Promise<Scenario> {
  const { library } = await findLibrary(parts);
  const [latest] = library.filter((each) => each.id === id).sort((a, b) => b.version - a.version);
  if (latest === undefined) throw new Error(id);
  return latest;
}

/** A new version of a template: proposed, reviewed, signed by the holder of the library's key, and published. */
export async function addTemplate(world: World, id: string): Promise<Scenario> {
  const { parts } = world;
  const before = await newest(world, id);
  const scenario = { ...before, template: `${before.template}\nVersion ${before.version + 1}.` };
  const { version } = must(await proposeVersion(parts, { scenario, by: 'ann' })).scenario;
  must(await decideVersion(parts, { scenario: id, version, approve: true, by: 'rosa' }));
  await signTemplates(world);
  return newest(world, id);
}

/** The next list of the library, as it is asked for, signed by the holder of its key. */
export async function signTemplates({ parts, holders }: World): Promise<void> {
  const request = requestLibrary(parts, await findLibrary(parts));
  must(changesOf(request, holders.library));
  must(await publishLibrary(parts, signLibrary(request, holders.library), 'pia'));
}

/** What people do when health says that they must: nobody acts who was not told to. */
export async function heedHealth(world: World): Promise<readonly string[]> {
  const { parts } = world;
  const told = (await viewHealth(parts)).expiries.filter(({ state }) => state !== 'good');
  const who = [...new Set(told.map(({ who: of }) => of))];
  if (who.includes('root')) await rotate(world, 'ends');
  if (who.includes('library')) await rotate(world, 'library-end');
  if (who.includes('reviewer'))
    for (const { agent } of dueReviews(parts, await listAgents(parts))) await signCard(world, agent);
  return who;
}

export const renew = async ({ parts }: World) => must(await renewPlatform(parts, 'server'));

/** What comes of an update of an agent. */
export async function update(world: World, agent: string) {
  const { objects, clock, anchor } = world;
  const { files } = homeOf(world, agent);
  const place = { objects, files, path: 'trust.json', now: clock.now };
  return must(await updateTrust({ agent, root: anchor, log: 'town', ...place }));
}

/** An agent wakes up: it updates, verifies everything that it is told, and says so. */
export async function wake(world: World, agent: string): Promise<Accepted> {
  const { objects, clock, reviewed, parts } = world;
  const { signer } = homeOf(world, agent);
  const now = clock.now;
  const kept = await update(world, agent);
  expect([agent, new Date(now).toISOString(), kept.failures]).toEqual([
    agent,
    new Date(now).toISOString(),
    [],
  ]);
  expect(kept.staleSince).toBeUndefined();
  const { accepted } = kept;
  if (accepted === undefined) throw new Error(`${agent} has nothing`);
  // No word of a prompt that was not reviewed, or not signed into the library.
  expect(reviewed.has(accepted.bundle.base_prompt)).toBe(true);
  const { library } = await findLibrary(parts);
  const stray = [...accepted.scenarios.values()].filter(
    (each) => !library.some((known) => known.id === each.id && isDeepStrictEqual(known, each)),
  );
  expect(stray).toEqual([]);
  await readSurroundings(world, agent, accepted);
  const beat = { agent, at: now, applied: accepted.applied, failure: kept.lastFailure };
  must(await objects.put(KEYS.heartbeat(agent), printHeartbeat(beat, signer)));
  must(await tellPlaces(parts, agent));
  return accepted;
}

/** Cards of others, places and feedback, each with its certificate. */
async function readSurroundings(
  { objects, clock, agents }: World,
  agent: string,
  { keys }: Accepted,
): Promise<void> {
  const options = { keys, now: clock.now };
  for (const other of agents) must(readCard(must(await objects.get(KEYS.card(other))), other, options));
  const { topics } = must(readPlaces(must(await objects.get(KEYS.places(agent))), agent, options));
  expect(topics).toContain('hall');
  for (const id of topics)
    must(readPlace(must(await objects.get(KEYS.topic(id))), { kind: 'topic', id }, options));
  const state = must(await objects.get(KEYS.topicState('hall')));
  expect(must(readTopicState(state, 'hall', options)).messages).toBe(1);
  const prefix = `${KEYS.told(agent)}feedback/`;
  for (const each of must(await objects.list(prefix)).keys)
    must(readFeedback(must(await objects.get(each)), agent, each.slice(prefix.length, -5), options));
}

/** What somebody has said in the hall. */
const HELLO = { agent_id: 'eve', text: 'Hello.', kind: 'topic_message' };

/** Everybody is published and admitted, and there is a hall to meet in. */
export async function settleWorld(world: World): Promise<void> {
  const { parts } = world;
  await renew(world);
  const place = placeSchema.parse({ kind: 'topic', id: 'hall', title: 'The hall', mode: 'freeform' });
  must(await putPlace(parts, place, 'pia'));
  must(await world.objects.put(KEYS.message('hall', 'eve', 'hello'), Buffer.from(JSON.stringify(HELLO))));
  must(await tellTopicState(parts, 'hall'));
  for (const agent of world.agents) {
    await editCard(world, agent);
    await admit(world, agent);
    must(await tellPlaces(parts, agent));
  }
}
