import { describe, expect, test } from 'vitest';
import {
  AGENT_SCENARIOS,
  libraryOf,
  NOW,
  newKeys,
  newPlatform,
  one,
  type Platform,
  rootRoles,
} from '../../test/platform.js';
import { must, reasonOf } from '../../test/scratch.js';
import { KEYS } from '../ids.js';
import { createKey } from '../key/key.js';
import type { Scenario } from '../scenario/scenario.js';
import { templateBytes } from './bundle.js';
import { readLibrary, readOwnLibrary } from './library.js';
import { rootMetadata, targetsMetadata } from './metadata.js';
import { proofBytes, verifyVersion } from './version.js';

const INTRO = AGENT_SCENARIOS.find(({ id }) => id === 'intro') as Scenario;
const V1 = { id: 'intro', version: 1 };
const PROOF = { root: 1, targets: 1, library: 1 };

/** A platform whose store has the first version of `intro`. */
async function stored(proof = PROOF): Promise<Platform> {
  const platform = await newPlatform();
  must(await platform.store.put(KEYS.template('intro', 1), templateBytes(INTRO)));
  must(await platform.store.put(KEYS.templateProof('intro', 1), proofBytes(proof)));
  return platform;
}

const verify = ({ store, root }: Platform, of = V1) =>
  verifyVersion({ objects: store, root: root.bytes }, of);

describe('a version in the store', () => {
  test('verifies from the pinned root on, long after everything about it has expired', async () => {
    const platform = await stored();
    expect(must(await verify(platform))).toEqual({ scenario: INTRO, proof: PROOF });
  });

  test('is found by a byte that differs, in it, in the list, in the roles or in the way to them', async () => {
    const keys = [
      KEYS.template('intro', 1),
      KEYS.templateProof('intro', 1),
      KEYS.shared('library', 1),
      KEYS.shared('targets', 1),
    ];
    for (const key of keys) {
      const platform = await stored();
      const bytes = Buffer.from(must(await platform.store.get(key)));
      const text = bytes.toString('utf8');
      const at = text.lastIndexOf('1') === -1 ? text.length - 3 : text.lastIndexOf('1');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      must(await platform.store.put(key, bytes));
      expect(reasonOf(await verify(platform)), key).not.toBe('ok');
    }
    const platform = await stored();
    const other = { ...INTRO, template: `${INTRO.template}\nObey.` };
    must(await platform.store.put(KEYS.template('intro', 1), templateBytes(other)));
    expect(reasonOf(await verify(platform))).toBe('E_TRUST not-in-library');
  });

  test('is none under another name or number, or of another platform', async () => {
    const platform = await stored();
    must(await platform.store.put(KEYS.template('intro', 2), templateBytes(INTRO)));
    must(await platform.store.put(KEYS.templateProof('intro', 2), proofBytes(PROOF)));
    expect(reasonOf(await verify(platform, { id: 'intro', version: 2 }))).toBe('E_TRUST schema');
    const stranger = await newPlatform();
    expect(reasonOf(await verify({ ...platform, root: stranger.root }))).toMatch(/^E_(TRUST|OBJECT) /);
    expect(reasonOf(await verify(platform, { id: 'intro', version: 7 }))).toBe('E_OBJECT not-found');
  });

  test('is vouched for by a root that came later, and by a list of a library key that was replaced', async () => {
    const platform = await stored();
    const { keys, store } = platform;
    const root3 = createKey().signer;
    const next = { ...keys, root3, library: createKey().signer, targets: createKey().signer };
    const common = { version: 2, expires: NOW, signers: [keys.root1, keys.root2] };
    must(await store.put(KEYS.root(2), rootMetadata(rootRoles(next), common).bytes));
    const roles = {
      library: one(next.library),
      reviews: one(keys.reviewer),
      assignment: one(keys.online),
      log: one(keys.log),
    };
    const targets = targetsMetadata(roles, { version: 2, expires: NOW, signers: [next.targets] });
    must(await store.put(KEYS.shared('targets', 2), targets.bytes));
    const library = libraryOf(next, AGENT_SCENARIOS, 2);
    must(await store.put(KEYS.shared('library', 2), library.bytes));
    // The first version still verifies by what was signed then, and by what is signed now.
    expect(reasonOf(await verify(platform))).toBe('ok');
    must(await store.put(KEYS.templateProof('intro', 1), proofBytes({ root: 2, targets: 2, library: 2 })));
    expect(must(await verify(platform)).proof).toEqual({ root: 2, targets: 2, library: 2 });
    // Each list belongs to the roles of its day.
    must(await store.put(KEYS.templateProof('intro', 1), proofBytes({ root: 2, targets: 1, library: 2 })));
    expect(reasonOf(await verify(platform))).toBe('E_TRUST unsigned');
  });
});

describe('a signed list', () => {
  test('is read by who knows the roles, and by who holds its key', () => {
    const keys = newKeys();
    const roles = {
      library: one(keys.library),
      reviews: one(keys.reviewer),
      assignment: one(keys.online),
      log: one(keys.log),
    };
    const targets = targetsMetadata(roles, { version: 1, expires: NOW, signers: [keys.targets] });
    const { bytes } = libraryOf(keys);
    const read = must(readLibrary(targets, bytes));
    expect([read.version, read.size, read.lists(INTRO), read.names(V1)]).toEqual([
      1,
      AGENT_SCENARIOS.length,
      true,
      true,
    ]);
    expect([read.lists({ ...INTRO, version: 2 }), read.names({ id: 'intro', version: 2 })]).toEqual([
      false,
      false,
    ]);
    expect(reasonOf(readOwnLibrary(keys.library, bytes))).toBe('ok');
    for (const other of [keys.online, keys.reviewer, keys.root1])
      expect(reasonOf(readOwnLibrary(other, bytes))).toBe('E_TRUST unsigned');
    expect(reasonOf(readLibrary(targets, Buffer.from('{}')))).toBe('E_TRUST malformed');
  });
});
