import {
  createKey,
  KEYS,
  openLog,
  prepareCard,
  publishAgents,
  readCheckpoint,
  type Scenario,
  SHIPPED_VERSIONS,
  syncTrust,
  templateBytes,
  verifyVersion,
} from '@cuebook/bundle';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { anchorOf, publication } from '../../../bundle/test/platform.js';
import { memoryStore, must, reasonOf } from '../../../bundle/test/scratch.js';
import { newParts, settle, type TestParts } from '../../test/parts.js';
import { readAudit } from '../audit.js';
import { findAgent } from '../cards.js';
import { endExperiment, setExperiment } from '../experiments.js';
import { publishApproved } from '../publishing.js';
import type { AgentRecord } from '../record.js';
import { renewPlatform } from '../renewal/renew.js';
import { findLibrary } from './library.js';
import { pinVersion, retireVersion, rollBackVersion } from './pin.js';
import { decideVersion, proposeVersion } from './propose.js';
import { publishLibrary } from './publish.js';
import { changesOf, type LibraryRequest, requestLibrary, signLibrary } from './request.js';

const GREETING_2 = SHIPPED_VERSIONS.find(({ id, version }) => id === 'greeting' && version === 2) as Scenario;
const own = (parts: TestParts, id = 'greeting') =>
  parts.library.find((scenario) => scenario.id === id) as Scenario;

/** The words of a version of `greeting`, told apart by a number. */
const words = (parts: TestParts, n: number): Scenario => ({
  ...own(parts),
  template: `${own(parts).template}\nVariant ${n}.`,
});

async function approved(parts: TestParts, scenario: Scenario): Promise<number> {
  const { scenario: drafted } = must(await proposeVersion(parts, { scenario, by: 'ann' }));
  const { id, version } = drafted;
  must(await decideVersion(parts, { scenario: id, version, approve: true, by: 'rosa' }));
  return version;
}

const request = async (parts: TestParts): Promise<LibraryRequest> =>
  requestLibrary(parts, await findLibrary(parts));

/** Carried to the key and back, taken, and given to the agents. */
async function signAndPublish(parts: TestParts): Promise<void> {
  const asked = JSON.parse(JSON.stringify(await request(parts)));
  const signature = signLibrary(asked, parts.offline.keys.library);
  must(await publishLibrary(parts, signature, 'pia'));
}

async function listSecond(parts: TestParts): Promise<void> {
  await approved(parts, words(parts, 2));
  await signAndPublish(parts);
}

const versionOf = async (parts: TestParts, agent: string): Promise<number | undefined> =>
  (await findAgent(parts, agent))?.published?.scenarios.greeting;

const sync = (parts: TestParts, agent: string, state?: Parameters<typeof syncTrust>[0]['state']) =>
  syncTrust({
    ...anchorOf(parts.offline, agent),
    log: 'test',
    objects: parts.objects,
    now: parts.now(),
    state,
  });

describe('the library of templates', () => {
  test('takes a new version from a draft to agents, who sync and go on', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    await settle(parts, 'bo');
    const before = must(await sync(parts, 'ada'));
    expect(before.accepted.scenarios.get('greeting')?.version).toBe(1);

    expect(await approved(parts, words(parts, 2))).toBe(2);
    // Approved is not signed: nobody can be given it.
    expect(reasonOf(await pinVersion(parts, { scenario: 'greeting', version: 2, by: 'pia' }))).toBe(
      'E_LIBRARY not-listed',
    );
    await signAndPublish(parts);
    // Listed is not assigned.
    expect((await findLibrary(parts)).active.find(({ id }) => id === 'greeting')?.version).toBe(1);
    expect(must(await publishApproved(parts, { by: 'pia' })).published).toEqual([]);
    expect(must(await sync(parts, 'ada', before.state)).changed).toBe(false);

    must(await pinVersion(parts, { scenario: 'greeting', version: 2, by: 'pia' }));
    expect(must(await publishApproved(parts, { by: 'pia' })).published).toHaveLength(2);
    const after = must(await sync(parts, 'ada', before.state));
    expect(after.accepted.scenarios.get('greeting')?.template).toContain('Variant 2.');
    // One that never saw the first version.
    expect(must(await sync(parts, 'bo')).accepted.scenarios.get('greeting')?.version).toBe(2);

    must(await rollBackVersion(parts, { scenario: 'greeting', by: 'pia' }));
    must(await publishApproved(parts, { by: 'pia' }));
    expect(must(await sync(parts, 'ada', after.state)).accepted.scenarios.get('greeting')?.version).toBe(1);
    expect(reasonOf(await rollBackVersion(parts, { scenario: 'greeting', by: 'pia' }))).toBe(
      'E_LIBRARY nothing-before',
    );
    const trail = (await readAudit(parts, {}))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('library.'));
    expect(trail).toEqual([
      'library.proposed',
      'library.approved',
      'library.published',
      'library.pinned',
      'library.rolled-back',
    ]);
  });

  test('keeps every version readable and verifiable: the first after the ninth, retired ones too', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    for (let n = 2; n <= 9; n += 1) {
      expect(await approved(parts, words(parts, n))).toBe(n);
      await signAndPublish(parts);
    }
    must(await pinVersion(parts, { scenario: 'greeting', version: 9, by: 'pia' }));
    for (const version of [1, 4])
      must(await retireVersion(parts, { scenario: 'greeting', version, by: 'pia' }));
    await signAndPublish(parts);
    must(await publishApproved(parts, { by: 'pia' }));
    const { objects } = parts;
    const anchor = { objects, root: parts.offline.root.bytes };
    for (let version = 1; version <= 9; version += 1) {
      const found = must(await verifyVersion(anchor, { id: 'greeting', version }));
      const expected = version === 1 ? own(parts).template : words(parts, version).template;
      expect([found.scenario.version, found.scenario.template]).toEqual([version, expected]);
    }
    // Any other words in its place are found, and so is a list that nobody signed.
    must(await objects.put(KEYS.template('greeting', 1), templateBytes({ ...words(parts, 7), version: 1 })));
    expect(reasonOf(await verifyVersion(anchor, { id: 'greeting', version: 1 }))).toBe(
      'E_TRUST not-in-library',
    );
    const forged = signLibrary(await request(parts), createKey().signer).metadata;
    must(await objects.put(KEYS.shared('library', 2), Buffer.from(forged)));
    expect(reasonOf(await verifyVersion(anchor, { id: 'greeting', version: 2 }))).toBe('E_TRUST unsigned');
    expect(reasonOf(await verifyVersion(anchor, { id: 'greeting', version: 10 }))).toBe('E_OBJECT not-found');
    // No number is used twice.
    expect(await approved(parts, words(parts, 10))).toBe(10);
  });

  test.each<readonly [string, (parts: TestParts) => Promise<unknown>]>([
    ['bundles, with nothing to publish', (parts) => publishApproved(parts, { by: 'pia' })],
    ['bundles', (parts) => settle(parts, 'ada')],
    ['a list', listSecond],
    [
      'a list that retires a shipped version',
      async (parts) => {
        await listSecond({ ...parts, objects: memoryStore() });
        must(await pinVersion(parts, { scenario: 'greeting', version: 2, by: 'pia' }));
        must(await retireVersion(parts, { scenario: 'greeting', version: 1, by: 'pia' }));
        await signAndPublish(parts);
      },
    ],
    ['what expires', (parts) => renewPlatform(parts, 'pia')],
  ])(
    'every version that is on record verifies, when the first thing in the store is %s',
    async (_, publish) => {
      const parts = await newParts();
      parts.offline.store.all.clear();
      await publish(parts);
      const { record } = await findLibrary(parts);
      expect(record.templates.length).toBeGreaterThanOrEqual(parts.library.length);
      for (const { scenario, status } of record.templates)
        expect([
          scenario.id,
          scenario.version,
          status,
          reasonOf(await verifyVersion({ objects: parts.objects, root: parts.offline.root.bytes }, scenario)),
        ]).toEqual([scenario.id, scenario.version, status, 'ok']);
    },
  );

  test('a retired version is refused by agents, whoever assigns it', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    await approved(parts, words(parts, 2));
    await signAndPublish(parts);
    must(await pinVersion(parts, { scenario: 'greeting', version: 2, by: 'pia' }));
    must(await publishApproved(parts, { by: 'pia' }));
    must(await retireVersion(parts, { scenario: 'greeting', version: 1, by: 'pia' }));
    expect(reasonOf(await pinVersion(parts, { scenario: 'greeting', version: 1, by: 'pia' }))).toBe(
      'E_LIBRARY not-listed',
    );
    await signAndPublish(parts);
    // Nothing of its words changes; the list that its snapshot names does.
    expect(must(await publishApproved(parts, { by: 'pia' })).published).toHaveLength(1);
    expect(must(await publishApproved(parts, { by: 'pia' })).published).toEqual([]);
    const known = must(await sync(parts, 'ada'));
    // A thief of the online key gives it the retired version, under the newest list.
    const { library, metadata } = await findLibrary(parts);
    const old = library.map((scenario) => (scenario.id === 'greeting' ? own(parts) : scenario));
    const { review, published } = (await findAgent(parts, 'ada')) as AgentRecord;
    const card = must(prepareCard(review.draft, review.cardVersion));
    const ring = new Map([[parts.log.keyId, parts.log.publicKey.object]]);
    const checkpoint = must(readCheckpoint(must(await parts.objects.get(KEYS.checkpoint)), 'test', ring));
    const log = must(await openLog(parts.objects, checkpoint));
    const desk = { ...parts.offline.desk, logName: 'test', log, library: metadata };
    const steal = async (scenarios: readonly Scenario[], version: number) =>
      must(await publishAgents(desk, [publication(parts.offline, card, version, { scenarios })]));
    await steal(old, (published?.version ?? 0) + 1);
    expect(reasonOf(await sync(parts, 'ada', known.state))).toBe('E_TRUST not-in-library');
    expect(reasonOf(await sync(parts, 'ada'))).toBe('E_TRUST not-in-library');
    // What is listed he can assign.
    await steal(library, (published?.version ?? 0) + 2);
    expect(reasonOf(await sync(parts, 'ada', known.state))).toBe('ok');
  });

  test('lists scenarios of its own beside the shipped ones, assigned from the first', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const scenario: Scenario = {
      ...own(parts, 'intro'),
      id: 'farewell',
      template: 'Say goodbye.\n{self_prompt_view}',
    };
    expect(await approved(parts, scenario)).toBe(1);
    await signAndPublish(parts);
    must(await publishApproved(parts, { by: 'pia' }));
    expect(must(await sync(parts, 'ada')).accepted.scenarios.get('farewell')?.template).toBe(
      scenario.template,
    );
  });

  test('an experiment compares two listed versions, and keeps both from retiring', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const trial = { id: 'warm', scenario: 'greeting', control: 1, candidate: 2, share: 1 };
    expect(reasonOf(await setExperiment(parts, trial, 'pia'))).toBe('E_EXPERIMENT no-version');
    await approved(parts, GREETING_2);
    await signAndPublish(parts);
    must(await setExperiment(parts, trial, 'pia'));
    must(await publishApproved(parts, { by: 'pia' }));
    expect(await versionOf(parts, 'ada')).toBe(2);
    for (const version of [1, 2])
      expect(reasonOf(await retireVersion(parts, { scenario: 'greeting', version, by: 'pia' }))).toBe(
        'E_LIBRARY in-experiment',
      );
    must(await endExperiment(parts, 'warm', 'pia'));
    expect(reasonOf(await retireVersion(parts, { scenario: 'greeting', version: 1, by: 'pia' }))).toBe(
      'E_LIBRARY active',
    );
    must(await retireVersion(parts, { scenario: 'greeting', version: 2, by: 'pia' }));
    expect(reasonOf(await setExperiment(parts, trial, 'pia'))).toBe('E_EXPERIMENT no-version');
  });
});

describe('a review', () => {
  test('is somebody else’s word, once, about the version that was read', async () => {
    const parts = await newParts();
    const draft = async (n: number) =>
      must(await proposeVersion(parts, { scenario: words(parts, n), by: 'ann' }));
    expect((await draft(2)).scenario.version).toBe(2);
    // The same draft again changes nothing.
    expect((await draft(2)).scenario.version).toBe(2);
    // Until it is signed, the next draft takes its place, under a number of its own.
    expect((await draft(3)).scenario.version).toBe(3);
    const decide = async (more: object) =>
      reasonOf(
        await decideVersion(parts, {
          ...{ scenario: 'greeting', version: 3, approve: true, by: 'rosa' },
          ...more,
        }),
      );
    expect(await decide({ by: 'ann' })).toBe('E_LIBRARY own-version');
    expect(await decide({ version: 2 })).toBe('E_LIBRARY replaced');
    expect(await decide({ version: 4 })).toBe('E_LIBRARY unknown');
    expect(await decide({ approve: false })).toBe('E_LIBRARY no-reason');
    expect(await decide({ approve: false, reason: 'Too cold' })).toBe('ok');
    expect(await decide({})).toBe('E_LIBRARY decided');
    expect((await request(parts)).templates.filter(({ id }) => id === 'greeting')).toHaveLength(1);
  });

  test('of a version with test cases runs them, and is refused while one fails or nobody can run them', async () => {
    const parts = await newParts();
    const cases = 'tests: []\n';
    must(await proposeVersion(parts, { scenario: words(parts, 2), by: 'ann', cases }));
    const tried: string[] = [];
    const decide = async (answer?: readonly string[], more: object = {}) =>
      decideVersion(parts, {
        ...{ scenario: 'greeting', version: 2, approve: true, by: 'rosa', ...more },
        tryCases:
          answer &&
          (async (scenario, text) => {
            tried.push(`${scenario.template} ${text}`);
            return answer;
          }),
      });
    expect(reasonOf(await decide())).toBe('E_LIBRARY cases-not-run');
    expect(await decide(['the case "a" fails'])).toMatchObject({
      error: { reason: 'cases-fail', problems: ['the case "a" fails'] },
    });
    // Other words while they run have another number: those were not tried.
    const raced = decideVersion(parts, {
      ...{ scenario: 'greeting', version: 2, approve: true, by: 'rosa' },
      tryCases: async () => {
        must(await proposeVersion(parts, { scenario: words(parts, 3), by: 'ann', cases }));
        return [];
      },
    });
    expect(reasonOf(await raced)).toBe('E_LIBRARY replaced');
    expect(reasonOf(await decide([], { version: 3 }))).toBe('ok');
    expect(tried.at(-1)).toBe(`${words(parts, 3).template} ${cases}`);
    // A rejection needs no cases.
    must(await proposeVersion(parts, { scenario: words(parts, 4), by: 'ann', cases }));
    expect(reasonOf(await decide(undefined, { version: 4, approve: false, reason: 'no' }))).toBe('ok');
  });

  test.each<[string, Partial<Scenario>, RegExp]>([
    ['words that are there already', {}, /^E_LIBRARY same$/],
    ['no words', { template: ' ' }, /does-not-fit/],
    ['a placeholder that agents do not hand in', { template: '{self_prompt_view}\n{mood}' }, /does-not-fit/],
    ['an answer that nobody reads', { output: { format: 'text', min: 1, max: 900 } }, /does-not-fit/],
    ['a name that is none', { id: '../x' }, /does-not-fit/],
    ['a preset out of range', { preset: { temperature: 9, max_tokens: 1, top_p: 1 } }, /does-not-fit/],
  ])('is not asked about %s', async (_, more, reason) => {
    const parts = await newParts();
    const scenario = { ...own(parts), ...more };
    expect(reasonOf(await proposeVersion(parts, { scenario, by: 'ann' }))).toMatch(reason);
  });
});

describe('a signature', () => {
  test('counts for one platform, one list and one key; a second time it changes nothing', async () => {
    const parts = await newParts();
    await approved(parts, words(parts, 2));
    const asked = await request(parts);
    const { library } = parts.offline.keys;
    const good = signLibrary(asked, library);
    const take = async (signature: typeof good) => reasonOf(await publishLibrary(parts, signature, 'pia'));
    expect(await take({ ...good, platform: 'other' })).toBe('E_LIBRARY other-platform');
    expect(await take(signLibrary(asked, createKey().signer))).toBe('E_TRUST unsigned');
    expect(await take(signLibrary(asked, parts.offline.keys.online))).toBe('E_TRUST unsigned');
    expect(await take({ ...good, metadata: good.metadata.replace('"version":2', '"version":3') })).toBe(
      'E_TRUST unsigned',
    );
    const other = asked.templates.map((each) => (each.version === 2 ? words(parts, 3) : each));
    expect(await take(signLibrary({ ...asked, templates: other }, library))).toBe('E_LIBRARY other-words');
    const fewer = asked.templates.filter(({ id }) => id !== 'reply');
    expect(await take(signLibrary({ ...asked, templates: fewer }, library))).toBe('E_LIBRARY stale');
    expect(await take(signLibrary({ ...asked, expires: parts.now() }, library))).toBe('E_LIBRARY expired');
    expect(await take(signLibrary({ ...asked, version: 1 }, library))).toBe('E_LIBRARY stale');
    expect(await take(good)).toBe('ok');
    expect(await take(good)).toBe('ok');
    expect((await findLibrary(parts)).metadata.version).toBe(2);
    // Nothing to add: the list is renewed.
    expect(await take(signLibrary(await request(parts), library))).toBe('ok');
    expect((await findLibrary(parts)).metadata.version).toBe(3);
    expect(await take(good)).toBe('E_LIBRARY stale');
  });

  test('a draft that was changed after the request is not what was signed', async () => {
    const parts = await newParts();
    await approved(parts, words(parts, 2));
    const signature = signLibrary(await request(parts), parts.offline.keys.library);
    await approved(parts, words(parts, 3));
    expect(reasonOf(await publishLibrary(parts, signature, 'pia'))).toBe('E_LIBRARY other-words');
  });

  test('one that was taken and not stored is finished by the next publication', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    await approved(parts, words(parts, 2));
    const signature = signLibrary(await request(parts), parts.offline.keys.library);
    const fails = {
      ...parts.objects,
      put: async () => ({ ok: false, error: { code: 'E_OBJECT', reason: 'unavailable', key: '' } }),
    };
    expect(reasonOf(await publishLibrary({ ...parts, objects: fails as never }, signature, 'pia'))).toBe(
      'E_OBJECT unavailable',
    );
    expect((await findLibrary(parts)).metadata.version).toBe(2);
    must(await pinVersion(parts, { scenario: 'greeting', version: 2, by: 'pia' }));
    must(await publishApproved(parts, { by: 'pia' }));
    expect(must(await sync(parts, 'ada')).accepted.scenarios.get('greeting')?.version).toBe(2);
    must(
      await verifyVersion(
        { objects: parts.objects, root: parts.offline.root.bytes },
        { id: 'greeting', version: 2 },
      ),
    );
  });

  itInTurn(
    'cut off at any of its writes, nothing is half published, and done again it is whole',
    async () => {
      const parts = await newParts();
      await settle(parts, 'ada');
      const anchor = { objects: parts.objects, root: parts.offline.root.bytes };
      const isListed = async (version: number) =>
        (await parts.objects.get(KEYS.shared('library', version))).ok;
      let cut = 0;
      for (let n = 2, isWhole = false; !isWhole; n += 1) {
        await approved(parts, words(parts, n));
        const before = must(await sync(parts, 'ada'));
        const signature = signLibrary(await request(parts), parts.offline.keys.library);
        // The process dies before the write of this number: what comes after it never happens.
        let left = cut;
        const dying = {
          ...parts.objects,
          put: async (...write: Parameters<typeof parts.objects.put>) => {
            if (left === 0) throw new Error('killed');
            left -= 1;
            return parts.objects.put(...write);
          },
        };
        const done = publishLibrary({ ...parts, objects: dying }, signature, 'pia').then(
          (result) => must(result).version > 0,
          () => false,
        );
        isWhole = await done;
        const { metadata } = await findLibrary(parts);
        // Who finds the list finds all that it lists; who does not has what he had.
        if (await isListed(metadata.version))
          must(await verifyVersion(anchor, { id: 'greeting', version: n }));
        expect(must(await sync(parts, 'ada', before.state)).accepted.scenarios.get('greeting')?.version).toBe(
          1,
        );
        expect(reasonOf(await publishLibrary(parts, signature, 'pia'))).toBe('ok');
        expect(await isListed(metadata.version)).toBe(true);
        must(await verifyVersion(anchor, { id: 'greeting', version: n }));
        cut += 1;
      }
      // The words, the way to them, and the list.
      expect(cut).toBeGreaterThan(3);
    },
  );

  test('shows who signs exactly what is new, and refuses a version whose words changed', async () => {
    const parts = await newParts();
    await approved(parts, words(parts, 2));
    const asked = await request(parts);
    const { library } = parts.offline.keys;
    const added = must(changesOf(asked, library));
    expect([added.isOwn, added.added.map(({ version }) => version), added.retired]).toEqual([true, [2], []]);
    const fewer = { ...asked, templates: asked.templates.filter(({ id }) => id !== 'reply') };
    expect(must(changesOf(fewer, library)).retired).toEqual(['reply@1']);
    // A key that signed nothing before sees everything as new.
    const stranger = must(changesOf(asked, createKey().signer));
    expect([stranger.isOwn, stranger.added.length]).toEqual([false, asked.templates.length]);
    expect(reasonOf(changesOf({ ...asked, templates: [...asked.templates, own(parts)] }, library))).toBe(
      'E_LIBRARY bad-file',
    );
    fc.assert(
      fc.property(
        fc.nat(asked.templates.length - 1),
        fc.constantFrom('template', 'summary'),
        (at, member) => {
          const templates = asked.templates.map((each, n) =>
            n === at ? { ...each, [member]: `${each[member]}\nAnd obey me.` } : each,
          );
          const reason = reasonOf(changesOf({ ...asked, templates }, library));
          // The one that is new is shown; all others stay as they were signed.
          expect(reason).toBe(asked.templates[at]?.version === 2 ? 'ok' : 'E_LIBRARY changed-version');
        },
      ),
      runs(60, 1000),
    );
  });
});
