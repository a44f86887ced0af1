import {
  createKey,
  endOf,
  KEYS,
  type KeySigner,
  type SigningRequest,
  signRequest,
  verifyVersion,
} from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { memoryStore, must, reasonOf } from '../../../bundle/test/scratch.js';
import {
  addTemplate,
  DAY,
  heedHealth,
  newest,
  newWorld,
  renew,
  rotate,
  rotateServer,
  START,
  settleWorld,
  signTemplates,
  update,
  type World,
  wake,
} from '../../test/years.js';
import { viewHealth } from '../health.js';
import { applyRequest } from '../home/rotate.js';
import { requestChange } from '../keys/change.js';
import type { KeyChange } from '../keys/roles.js';
import { publishApproved } from '../publishing.js';
import { findLibrary, offlineTrust } from './library.js';
import { pinVersion, retireVersion } from './pin.js';
import { publishLibrary } from './publish.js';
import { joinLists, type LibrarySignature, requestLibrary, signLibrary } from './request.js';

const hex = ({ publicKey }: KeySigner): string => publicKey.hex;

/** Another key for the library; answers the one that goes. */
async function rotateLibrary(world: World): Promise<KeySigner> {
  const gone = world.holders.library;
  const come = createKey().signer;
  await rotate(world, { role: 'library', come: [hex(come)], gone: [hex(gone)] }, [come]);
  world.holders.library = come;
  return gone;
}

async function rotateRoot(world: World): Promise<void> {
  const come = createKey().signer;
  const [gone, ...left] = world.holders.roots as [KeySigner, ...KeySigner[]];
  await rotate(world, { role: 'root', come: [hex(come)], gone: [hex(gone)] }, [come]);
  world.holders.roots = [...left, come];
}

/** What changes keys or ends. None of it changes a word. */
const CHANGES: readonly (readonly [what: string, change: (world: World) => Promise<unknown>])[] = [
  ['a new end of the library', (world) => rotate(world, 'library-end')],
  ['a new end of root and targets', (world) => rotate(world, 'ends')],
  ['another key of the library', rotateLibrary],
  ['another root key', rotateRoot],
  ['another key of the server', (world) => rotateServer(world, 'online')],
  ['another key of the library again', rotateLibrary],
];

itInTurn(
  'what the library lists, assigns and has retired stays so over every change of keys, and agents follow',
  async () => {
    const store = memoryStore();
    const world = { ...(await newWorld(store)), objects: store };
    await settleWorld(world);
    const { parts, clock } = world;
    const first = await newest(world, 'reply');
    const { version } = await addTemplate(world, 'reply');
    must(await pinVersion(parts, { scenario: 'reply', version, by: 'pia' }));
    must(await retireVersion(parts, { scenario: 'reply', version: first.version, by: 'pia' }));
    await signTemplates(world);
    must(await publishApproved(parts, { by: 'pia' }));
    const told = async () => {
      const { library, active, record } = await findLibrary(parts);
      return { library, active, floor: record.floor, pins: record.pins };
    };
    const before = await told();
    expect(before.library.some((each) => each.id === 'reply' && each.version === first.version)).toBe(false);
    for (const [at, [what, change]] of CHANGES.entries()) {
      clock.now = START + (at + 1) * 9 * DAY;
      await change(world);
      expect([what, (await renew(world)).left]).toEqual([what, []]);
      expect([what, await told()]).toEqual([what, before]);
      const { scenarios } = await wake(world, 'ada');
      expect([what, scenarios.get('reply')?.version]).toEqual([what, version]);
      // The renewed list is newer than the retirement: nothing is published again for it.
      expect(must(await publishApproved(parts, { by: 'pia' })).published).toEqual([]);
    }
    // It goes on from there: another version is signed with the key of now, and nobody falls back to words of the founding.
    const { metadata } = await findLibrary(parts);
    const next = await addTemplate(world, 'reply');
    expect([next.version, (await findLibrary(parts)).metadata.version]).toEqual([
      version + 1,
      metadata.version + 1,
    ]);
    await rotate(world, 'library-end');
    must(await pinVersion(parts, { scenario: 'reply', version: next.version, by: 'pia' }));
    must(await publishApproved(parts, { by: 'pia' }));
    await renew(world);
    // One that has seen none of it follows too.
    for (const agent of ['ada', 'eve'])
      expect((await wake(world, agent)).scenarios.get('reply')?.version).toBe(next.version);
    // Every version verifies from the first root on, the retired one too.
    for (const each of [first.version, version, next.version]) {
      const asked = { id: 'reply', version: each };
      expect(reasonOf(await verifyVersion({ objects: store, root: world.anchor }, asked))).toBe('ok');
    }
  },
);

test('a list that a replaced key signed is refused, and one that was asked for before is too old', async () => {
  const store = memoryStore();
  const world = { ...(await newWorld(store)), objects: store };
  await settleWorld(world);
  const { parts } = world;
  await addTemplate(world, 'reply');
  const early = requestLibrary(parts, await findLibrary(parts));
  const gone = await rotateLibrary(world);
  await renew(world);
  const forged = signLibrary({ ...early, version: early.version + 5 }, gone);
  expect(reasonOf(await publishLibrary(parts, forged, 'mallory'))).toContain('E_TRUST');
  const late = signLibrary(early, world.holders.library);
  expect(reasonOf(await publishLibrary(parts, late, 'pia'))).toBe('E_LIBRARY stale');
  expect((await update(world, 'ada')).failures).toEqual([]);
});

itInTurn('health tells the end of the list that counts, wherever it was signed', async () => {
  const store = memoryStore();
  const world = { ...(await newWorld(store)), objects: store };
  await settleWorld(world);
  const { parts, clock } = world;
  const end = async () =>
    (await viewHealth(parts)).expiries.find(({ what }) => what === 'library')?.expires as number;
  const founded = await end();
  clock.now += 200 * DAY;
  await addTemplate(world, 'reply');
  const published = await end();
  expect(published - founded).toBe(200 * DAY);
  expect(endOf(must(await store.get(KEYS.shared('library', 2))) as Buffer)).toBe(published);
  clock.now += 320 * DAY;
  expect(await heedHealth(world)).toContain('library');
  expect((await end()) - published).toBe(320 * DAY);
  // The list on record is older now; the next one is above both.
  await addTemplate(world, 'reply');
  expect((await findLibrary(parts)).metadata.version).toBe(4);
});

test('while somebody publishes or changes keys nobody else does: two would take one version', async () => {
  const world = await newWorld(memoryStore());
  await settleWorld(world);
  const { parts } = world;
  const signed = signLibrary(requestLibrary(parts, await findLibrary(parts)), world.holders.library);
  const lease = await parts.store.acquireLease('platform.publish', 'another process', 60_000);
  if (lease === undefined) throw new Error('nobody holds it');
  expect(reasonOf(await publishLibrary(parts, signed, 'pia'))).toBe('E_PUBLISH busy');
  await expect(rotate(world, 'library-end')).rejects.toThrow('busy');
  await parts.store.releaseLease(lease);
  expect(reasonOf(await publishLibrary(parts, signed, 'pia'))).toBe('ok');
});

test('a request of keys outlives what it does not touch, and no change of what it does', async () => {
  const world = await newWorld(memoryStore());
  await settleWorld(world);
  const { parts, platform, clock, holders } = world;
  const ask = async (change: KeyChange | 'ends' | 'library-end') =>
    must(requestChange('town', await offlineTrust(parts), change, clock.now));
  const apply = async (request: SigningRequest, more: readonly KeySigner[] = []) => {
    const signers = [...holders.roots.slice(0, 2), holders.library, ...more];
    const signed = signers.flatMap((signer) => {
      const given = signRequest(request, signer);
      return given.ok ? [given.value] : [];
    });
    const done = reasonOf(await applyRequest(platform, request, signed));
    must(await platform.follow());
    return done;
  };
  const second = createKey().signer;
  const reviews = await ask({ role: 'reviews', come: [hex(second)], gone: [] });
  const extension = await ask('library-end');
  // A publication of the library comes between the request and its signatures.
  const { version } = await addTemplate(world, 'reply');
  expect(await apply(reviews)).toBe('ok');
  const { library, trust } = await findLibrary(parts).then((found) => ({ ...found, trust: parts.trust }));
  expect([library.some((each) => each.id === 'reply' && each.version === version)]).toEqual([true]);
  expect(trust.root.version).toBe(2);
  // The list that was to be extended is not the newest any more: its words would be gone.
  expect(await apply(extension)).toBe('E_SIGNING other-request');
  // A new end of the library outlives a change of the reviewers, and no change of its own key.
  const [kept, late] = [await ask('library-end'), await ask('library-end')];
  await rotate(world, { role: 'reviews', come: [], gone: [hex(second)] });
  expect(await apply(kept)).toBe('ok');
  const root = await ask('ends');
  const gone = await rotateLibrary(world);
  expect(await apply(late, [gone])).toBe('E_SIGNING other-request');
  expect(await apply(root)).toBe('E_SIGNING other-request');
  await renew(world);
  await wake(world, 'ada');
});

test('a list of the library that several holders must sign counts when as many have', async () => {
  const world = await newWorld(memoryStore());
  await settleWorld(world);
  const { parts, holders } = world;
  const others = [createKey().signer, createKey().signer];
  await rotate(world, { role: 'library', come: others.map(hex), gone: [], threshold: 2 }, others);
  await renew(world);
  const request = requestLibrary(parts, await findLibrary(parts));
  const [one, two] = [holders.library, others[1] as KeySigner].map((signer) =>
    signLibrary(request, signer),
  ) as [LibrarySignature, LibrarySignature];
  const take = async (given: readonly [LibrarySignature, ...LibrarySignature[]]) => {
    const joined = joinLists(given);
    return reasonOf(joined.ok ? await publishLibrary(parts, joined.value, 'pia') : joined);
  };
  expect(await take([one])).toBe('E_TRUST unsigned');
  expect(await take([one, one])).toBe('E_TRUST unsigned');
  expect(await take([one, signLibrary(request, createKey().signer)])).toBe('E_TRUST unsigned');
  const other = signLibrary({ ...request, expires: request.expires + DAY }, others[1] as KeySigner);
  expect(await take([one, other])).toBe('E_LIBRARY other-list');
  expect(await take([one, { ...two, platform: 'other' }])).toBe('E_LIBRARY other-list');
  expect(await take([one, { ...two, metadata: '{}' }])).toBe('E_LIBRARY bad-file');
  expect(await take([two, one])).toBe('ok');
  // In whichever order they come: it is the same list.
  expect(await take([one, two])).toBe('ok');
  expect((await findLibrary(parts)).metadata.version).toBe(request.version);
  await renew(world);
  await wake(world, 'ada');
});
