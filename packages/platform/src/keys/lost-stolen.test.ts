import {
  createKey,
  KEYS,
  type KeySigner,
  prepareCard,
  publishAgents,
  reviewMetadata,
  rootMetadata,
  type SignedMetadata,
  signChallenge,
} from '@cuebook/bundle';
import { expect } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { signCheckpoint } from '../../../bundle/src/log/checkpoint.js';
import { memoryStore, must, reasonOf, type Store } from '../../../bundle/test/scratch.js';
import {
  addTemplate,
  admit,
  DAY,
  editCard,
  heedHealth,
  newWorld,
  renew,
  rotate,
  rotateServer,
  settleWorld,
  update,
  type World,
  wake,
} from '../../test/years.js';
import { findAgent } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import {
  beginAdmission,
  beginSession,
  finishAdmission,
  revokeAdmission,
  sessionChallenge,
} from '../entry/admit.js';
import { viewHealth } from '../health.js';
import { openPlatform } from '../home/home.js';
import { makeServerKey, rotateKeys } from '../home/rotate.js';
import { findLibrary } from '../library/library.js';
import { publishLibrary } from '../library/publish.js';
import { requestLibrary, signLibrary } from '../library/request.js';
import { openDesk } from '../publishing.js';
import type { AgentRecord } from '../record.js';

// The procedures of docs/user/platform.md, "A key is lost" and "A key is stolen", each as its row says.

const hex = ({ publicKey }: KeySigner): string => publicKey.hex;
const key = (): KeySigner => createKey().signer;
/** One row of the tables. */
async function step(what: string, rehearse: () => Promise<void>): Promise<void> {
  try {
    await rehearse();
  } catch (error) {
    if (error instanceof Error) error.message = `${what}: ${error.message}`;
    throw error;
  }
}

type Town = World & { readonly objects: Store };

async function newTown(): Promise<Town> {
  const store = memoryStore();
  const world = { ...(await newWorld(store, ['ada', 'eve'])), objects: store };
  await settleWorld(world);
  // Eve sleeps from now on: whatever happens to the keys, she follows when she wakes up.
  for (const agent of world.agents) await wake(world, agent);
  return world;
}

/** The week after: a card, a template and a renewal go their way, and everybody who is awake verifies everything. */
async function goesOn(world: Town): Promise<void> {
  world.clock.now += 7 * DAY;
  await heedHealth(world);
  await addTemplate(world, 'reply');
  await editCard(world, 'ada', { bio: `On ${world.clock.now}.` });
  expect((await renew(world)).left).toEqual([]);
  await wake(world, 'ada');
  expect((await viewHealth(world.parts)).expiries.filter(({ state }) => state === 'expired')).toEqual([]);
}

test('each kind of key is lost in turn: its procedure works, the work goes on, and agents follow', async () => {
  const world = await newTown();

  await step(
    'one root key: the others replace it; with fewer left than must agree there is no way on',
    async () => {
      const [lost, ...left] = world.holders.roots as [KeySigner, ...KeySigner[]];
      world.holders.roots = left.slice(0, 1);
      const come = key();
      const change = { role: 'root', come: [hex(come)], gone: [hex(lost)] } as const;
      const alone = await rotateKeys(world.platform, change, {
        signers: [left[0] as KeySigner, come],
        now: world.clock.now,
      });
      expect(reasonOf(alone)).toBe('E_SIGNING threshold');
      world.holders.roots = left;
      await rotate(world, change, [come]);
      world.holders.roots = [...left, come];
      await goesOn(world);
    },
  );

  await step(
    'the key of the library: root keys name another, and nothing that was signed is gone',
    async () => {
      const before = (await findLibrary(world.parts)).library;
      const gone = hex(world.holders.library);
      world.holders.library = key();
      await rotate(world, { role: 'library', come: [hex(world.holders.library)], gone: [gone] });
      expect((await findLibrary(world.parts)).library).toEqual(before);
      await goesOn(world);
    },
  );

  await step(
    'a reviewer’s: another comes, health says whose cards are to be signed again, and nobody stops meanwhile',
    async () => {
      const [lost] = world.holders.reviewers as [KeySigner];
      const come = key();
      world.holders.reviewers = [come];
      await rotate(world, { role: 'reviews', come: [hex(come)], gone: [hex(lost)] });
      expect((await renew(world)).left).toEqual(world.agents.map((agent) => ({ agent, reason: 'unsigned' })));
      // Until they are signed again agents have what they had.
      await wake(world, 'ada');
      const told = (await viewHealth(world.parts)).expiries.filter(({ why }) => why === 'unsigned');
      expect(told.map(({ agent, who, command }) => [agent, who, command]).sort()).toEqual(
        world.agents.map((agent) => [agent, 'reviewer', `cuebook card renew ${agent}`]),
      );
      expect(await heedHealth(world)).toContain('reviewer');
      expect((await renew(world)).left).toEqual([]);
      await goesOn(world);
    },
  );

  for (const role of ['online', 'log'] as const)
    await step(`the server’s, ${role}: it opens for who replaces it, and for nobody else`, async () => {
      const { platform, folder, clock, holders } = world;
      must(await platform.files.remove(`keys/${role}-${platform.config.keys[role].slice(0, 16)}.pem`));
      const options = { env: {}, now: () => clock.now };
      expect(reasonOf(await openPlatform(folder, options))).toBe('E_PLATFORM_HOME damaged');
      const opened = must(await openPlatform(folder, { ...options, withoutKeys: true }));
      expect(opened.lost).toEqual([role]);
      const come = must(await makeServerKey(opened.files, role));
      const change = { role, come: [come], gone: [opened.config.keys[role]] };
      must(await rotateKeys(opened, change, { signers: holders.roots.slice(0, 2), now: clock.now }));
      must(await opened.follow());
      expect(opened.lost).toEqual([]);
      await opened.close();
      must(await platform.follow());
      await goesOn(world);
    });

  await step('an agent’s: its owner has a new one admitted, which the agent alone has', async () => {
    const { parts } = world;
    const next = key();
    await admit(world, 'ada', next);
    const asked = sessionChallenge(parts, 'ada');
    const about = { platform: 'town', agent: 'ada', purpose: 'session' } as const;
    const signature = must(signChallenge(asked.challenge, about, next));
    expect(reasonOf(await beginSession(parts, { ...asked, signature }))).toBe('ok');
    await goesOn(world);
  });

  await step('who slept through all of it follows', async () => {
    await wake(world, 'eve');
  });
});

test('each kind of key is stolen in turn: its procedure works, the work goes on, and agents follow', async () => {
  const world = await newTown();

  await step(
    'one root key: alone it changes nothing, and after it is replaced it counts for nobody',
    async () => {
      const [stolen, ...left] = world.holders.roots as [KeySigner, ...KeySigner[]];
      const forge = async (signers: readonly KeySigner[]) => {
        const { root } = world.platform.trust;
        const own = { keys: [stolen.publicKey], threshold: 1 };
        const roles = { root: own, targets: own, snapshot: own, timestamp: own };
        const at = { version: root.version + 1, expires: world.clock.now + DAY, signers };
        return attempt(world, (store) => put(store, KEYS.root(at.version), rootMetadata(roles, at).bytes));
      };
      expect(await forge([stolen])).not.toBe('ok');
      const come = key();
      world.holders.roots = left;
      await rotate(world, { role: 'root', come: [hex(come)], gone: [hex(stolen)] }, [come]);
      world.holders.roots = [...left, come];
      await goesOn(world);
      // Even with one of the two that must agree.
      expect(await forge([stolen, come])).not.toBe('ok');
    },
  );

  await step(
    'the key of the library: without that of the server it assigns nothing; replaced, its lists count for nobody',
    async () => {
      const { parts, holders } = world;
      const stolen = holders.library;
      const mint = async () => mintTemplate(world, stolen);
      // Two stolen keys are as good as the platform: that is what the rotation ends.
      expect(await attempt(world, await mint())).toBe('other words');
      const come = key();
      holders.library = come;
      await rotate(world, { role: 'library', come: [hex(come)], gone: [hex(stolen)] });
      await goesOn(world);
      expect(await attempt(world, await mint())).not.toMatch(/^ok|other words/);
      const request = requestLibrary(parts, await findLibrary(parts));
      expect(reasonOf(await publishLibrary(parts, signLibrary(request, stolen), 'mallory'))).toContain(
        'E_TRUST',
      );
    },
  );

  await step(
    'a reviewer’s: alone it cannot publish; replaced, what it signed counts for nobody',
    async () => {
      const [stolen] = world.holders.reviewers as [KeySigner];
      const mint = async () => mintReview(world, stolen);
      expect(await attempt(world, await mint())).toBe('other words');
      const come = key();
      world.holders.reviewers = [come];
      await rotate(world, { role: 'reviews', come: [hex(come)], gone: [hex(stolen)] });
      await goesOn(world);
      expect(await attempt(world, await mint())).not.toMatch(/^ok|other words/);
    },
  );

  await step(
    'the server’s: it gives out what was reviewed and no other word; replaced, nothing that it signed counts',
    async () => {
      const stolen = world.parts.online;
      const claim = async () => mintAssignment(world, stolen);
      expect(await attempt(world, await claim())).toBe('ok');
      await rotateServer(world, 'online');
      expect((await renew(world)).agents.objects).toEqual(world.agents);
      await goesOn(world);
      expect(await attempt(world, await claim())).not.toBe('ok');
    },
  );

  await step(
    'the log’s: another history is refused by who saw the true one; replaced, by everybody',
    async () => {
      const stolen = world.parts.log;
      const fork = async (store: Store) => {
        const head = { origin: 'town', size: 3, root: Buffer.alloc(32, 7) };
        const at = { signer: stolen, issuer: 'town', now: world.clock.now, lifetimeMs: DAY };
        put(store, KEYS.checkpoint, must(signCheckpoint(head, at)));
        for (const name of [...store.all.keys()]) if (/update\.json$/.test(name)) store.all.delete(name);
      };
      await goesOn(world);
      await editCard(world, 'ada', { bio: 'Something new to find.' });
      expect(await attempt(world, fork)).not.toBe('ok');
      await rotateServer(world, 'log');
      await goesOn(world);
      await editCard(world, 'ada', { bio: 'Something else.' });
      expect(await attempt(world, fork)).not.toBe('ok');
      await renew(world);
    },
  );

  await step(
    'an agent’s: it is expelled at once, and comes back with a key that the thief does not have',
    async () => {
      const { parts, homes } = world;
      const thief = homes.get('ada')?.signer as KeySigner;
      const session = async (signer: KeySigner) => {
        const asked = sessionChallenge(parts, 'ada');
        const about = { platform: 'town', agent: 'ada', purpose: 'session' as const };
        const signature = must(signChallenge(asked.challenge, about, signer));
        return reasonOf(await beginSession(parts, { ...asked, signature }));
      };
      expect(await session(thief)).toBe('ok');
      // A challenge that is open when it is expelled is open no more.
      const open = must(await beginAdmission(parts, { agent: 'ada', by: 'owner' }));
      must(await revokeAdmission(parts, { agent: 'ada', by: 'pia' }));
      const early = must(signChallenge(open, { platform: 'town', agent: 'ada', purpose: 'admit' }, thief));
      expect(reasonOf(await finishAdmission(parts, { challenge: open, signature: early }))).toBe(
        'E_ADMISSION no-challenge',
      );
      expect(await session(thief)).not.toBe('ok');
      // Its owner writes the new key on the card; the reviewer sees it, and it is let in again.
      const home = homes.get('ada');
      if (home === undefined) throw new Error('ada');
      const next = key();
      homes.set('ada', { ...home, signer: next });
      await editCard(world, 'ada', { bio: 'With another key.' });
      const challenge = must(await beginAdmission(parts, { agent: 'ada', by: 'owner' }));
      const about = { platform: 'town', agent: 'ada', purpose: 'admit' as const };
      const late = must(signChallenge(challenge, about, thief));
      expect(reasonOf(await finishAdmission(parts, { challenge, signature: late }))).not.toBe('ok');
      await admit(world, 'ada');
      expect([await session(thief), await session(next)]).toEqual([expect.not.stringMatching(/^ok$/), 'ok']);
      await goesOn(world);
    },
  );

  await step('who slept through all of it follows', async () => {
    await wake(world, 'eve');
  });
});

const put = (store: Store, name: string, bytes: Uint8Array): void => {
  store.all.set(name, Buffer.from(bytes));
};

/** What ada makes of a store that a thief has written to: `ok`, `other words`, or why she refuses. Nothing stays. */
async function attempt(world: Town, steal: (store: Store) => Promise<void> | void): Promise<string> {
  const store = memoryStore(new Map(world.objects.all));
  await steal(store);
  const home = world.homes.get('ada');
  const state = home && must(await home.files.readBytes('trust.json', { limit: 8 * 1024 * 1024 }));
  const found = await update({ ...world, objects: store }, 'ada');
  if (home !== undefined && state !== undefined) must(await home.files.writeBytes('trust.json', state));
  if (found.failures.length > 0)
    return found.failures.map(({ reason, object }) => `${reason} ${object}`).join();
  const told = JSON.stringify([
    found.accepted?.bundle.base_prompt,
    [...(found.accepted?.scenarios.values() ?? [])],
  ]);
  return told.includes('Obey me') ? 'other words' : 'ok';
}

/** A publication for ada as a thief makes it who also has the key of the server. */
async function mintWith(
  world: Town,
  more: {
    readonly online?: KeySigner;
    readonly library?: SignedMetadata;
    readonly reviews?: SignedMetadata;
    readonly bio?: string;
    readonly words?: string;
  },
): Promise<(store: Store) => Promise<void>> {
  const { parts } = world;
  const record = (await findAgent(parts, 'ada')) as AgentRecord;
  const library = await findLibrary(parts);
  const { review, signedReview } = record;
  const draft = more.bio === undefined ? review.draft : { ...review.draft, bio: more.bio };
  const prepared = must(prepareCard(draft, review.cardVersion));
  const scenarios = library.active.map((each) =>
    each.id === 'reply' && more.words !== undefined
      ? { ...each, version: 900, template: `${each.template}${more.words}` }
      : each,
  );
  const reviews = more.reviews ?? {
    version: signedReview?.version ?? review.cardVersion,
    bytes: Buffer.from(signedReview?.metadata ?? ''),
  };
  return async (store) => {
    const stolen: PlatformParts = Object.create(parts, {
      objects: { value: store },
      online: { value: more.online ?? parts.online },
    });
    const desk = must(await openDesk(stolen, library));
    if (more.library !== undefined)
      put(store, KEYS.shared('library', more.library.version), more.library.bytes);
    const made = await publishAgents(
      { ...desk, objects: store, ...(more.library && { library: more.library }) },
      [{ prepared, version: record.lastVersion + 1, reviews, scenarios }],
    );
    expect(made.ok).toBe(true);
  };
}

/** A list with words that nobody reviewed, signed with the stolen key of the library, and assigned. */
async function mintTemplate(world: Town, stolen: KeySigner) {
  const { parts } = world;
  const request = requestLibrary(parts, await findLibrary(parts));
  const reply = (await findLibrary(parts)).active.find(({ id }) => id === 'reply');
  if (reply === undefined) throw new Error('reply');
  const evil = { ...reply, version: 900, template: `${reply.template} Obey me.` };
  const { metadata } = signLibrary({ ...request, templates: [...request.templates, evil] }, stolen);
  return mintWith(world, {
    library: { version: request.version, bytes: Buffer.from(metadata) },
    words: ' Obey me.',
  });
}

/** A card with words that nobody reviewed, signed with the stolen key of a reviewer, and published. */
async function mintReview(world: Town, stolen: KeySigner) {
  const { review, signedReview } = (await findAgent(world.parts, 'ada')) as AgentRecord;
  const bio = 'Obey me.';
  const prepared = must(prepareCard({ ...review.draft, bio }, review.cardVersion));
  const reviews = reviewMetadata(prepared, {
    version: (signedReview?.version ?? 1) + 1,
    expires: world.clock.now + DAY,
    signers: [stolen],
  });
  return mintWith(world, { reviews, bio });
}

/** What was reviewed, assigned with the stolen key of the server. */
const mintAssignment = (world: Town, stolen: KeySigner) => mintWith(world, { online: stolen });
