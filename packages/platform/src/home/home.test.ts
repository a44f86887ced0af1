import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createKey,
  KEYS,
  type KeySigner,
  openSealedKey,
  prepareCard,
  printRequest,
  printSignature,
  readDraft,
  readRequest,
  readSignature,
  reviewMetadata,
  signRequest,
  syncTrust,
  verifyState,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { describe, expect, onTestFinished, test } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { NOW } from '../../../bundle/test/platform.js';
import { must, reasonOf, scratch } from '../../../bundle/test/scratch.js';
import { approveCard, saveCard } from '../cards.js';
import { requestChange, tellChange } from '../keys/change.js';
import type { KeyChange } from '../keys/roles.js';
import { publishApproved } from '../publishing.js';
import { renewPlatform } from '../renewal/renew.js';
import { type Founding, foundPlatform, foundWith, publishOffline } from './found.js';
import { openPlatform } from './home.js';
import { applyRequest, makeServerKey, rotateKeys } from './rotate.js';

const pass = (name: string) => `a passphrase for ${name}`;

async function founding(): Promise<{ folder: string; founding: Founding }> {
  const { root } = await scratch();
  const place = async (name: string) => ({
    files: must(await openFolder(join(root, name), { create: true })),
    path: 'key.json',
    passphrase: pass(name),
  });
  return {
    folder: join(root, 'platform'),
    founding: {
      name: 'town',
      url: 'http://127.0.0.1:4000',
      store: { kind: 'folder' },
      roots: [await place('safe-1'), await place('safe-2'), await place('safe-3')],
      threshold: 2,
      library: await place('library'),
      reviewer: await place('reviewer'),
      now: NOW,
    },
  };
}

describe('the folder of a platform', () => {
  itInTurn('is founded, opened, published from, and its keys rotated; agents follow', async () => {
    const made = await founding();
    const { folder } = made;
    const config = must(await foundPlatform(folder, made.founding));
    for (const name of readdirSync(join(folder, 'keys')))
      expect(statSync(join(folder, 'keys', name)).mode & 0o077).toBe(0);
    expect(reasonOf(await foundPlatform(folder, made.founding))).toBe('E_PLATFORM_HOME there-already');
    const open = async () => {
      const opened = must(await openPlatform(folder, { env: {}, now: () => NOW }));
      onTestFinished(() => opened.close());
      return opened;
    };
    const platform = await open();
    must(await publishOffline(platform.objects, platform.trust));
    const draft = must(
      readDraft({
        agent_id: 'ada',
        name: 'Ada',
        personality: { extrovert: 0, curious: 1, creative: 0, stable: 1 },
      }),
    );
    must(await saveCard(platform, 'owner', draft));
    const reviewer = must(await openSealedKey(made.founding.reviewer));
    expect([reviewer.publicKey.hex]).toEqual(config.keys.reviewers);
    const { bytes } = reviewMetadata(must(prepareCard(draft, 1)), {
      version: 1,
      expires: NOW + 1e10,
      signers: [reviewer],
    });
    must(await approveCard(platform, { agent: 'ada', by: 'rosa', cardVersion: 1 }, bytes));
    must(await publishApproved(platform, { by: 'pia' }));
    const anchor = { agent: 'ada', root: platform.trust.root.bytes, log: 'town', now: NOW };
    const first = must(await syncTrust({ ...anchor, objects: platform.objects }));

    const signers: KeySigner[] = [];
    for (const place of made.founding.roots.slice(0, 2)) signers.push(must(await openSealedKey(place)));
    const at = { now: NOW };
    const [online = '', log = ''] = [
      must(await makeServerKey(platform.files, 'online')),
      must(await makeServerKey(platform.files, 'log')),
    ];
    const server: KeyChange = { role: 'online', come: [online], gone: [config.keys.online] };
    expect(reasonOf(await rotateKeys(platform, server, { ...at, signers: signers.slice(0, 1) }))).toBe(
      'E_SIGNING threshold',
    );
    const unknown = { ...server, come: ['0'.repeat(64)] };
    expect(reasonOf(await rotateKeys(platform, unknown, { ...at, signers }))).toBe('E_PLATFORM_HOME damaged');
    must(await rotateKeys(platform, server, { ...at, signers }));
    // Who has the platform open follows without being opened again.
    const before = platform.online.keyId;
    must(await platform.follow());
    expect([platform.online.keyId === before, platform.trust.root.version]).toEqual([false, 2]);
    expect(must(await renewPlatform(platform, 'pia')).agents.objects).toEqual(['ada']);
    const second = must(await syncTrust({ ...anchor, objects: platform.objects, state: first.state }));
    expect(second.accepted.bundle.bundle_version).toBe(2);
    expect(reasonOf(await platform.objects.get(KEYS.root(2)))).toBe('ok');
    expect(readdirSync(join(folder, 'keys')).filter((name) => name.startsWith('online-'))).toHaveLength(1);

    // A root key is replaced by a new one, then the key of the log; an agent that has seen no rotation follows all.
    const [gone = ''] = config.keys.root;
    const come = createKey().signer;
    const replace = (more: Partial<KeyChange>) =>
      rotateKeys(
        platform,
        { role: 'root', come: [], gone: [], ...more },
        { ...at, signers: [...signers, come] },
      );
    for (const more of [
      {},
      { gone: [come.publicKey.hex], come: [come.publicKey.hex] },
      { gone: [gone], come: [signers[1]?.publicKey.hex ?? ''] },
      { gone: [gone], threshold: 3 },
      { threshold: 0 },
    ])
      expect(reasonOf(await replace(more))).toBe('E_KEYS change');
    const next = must(await replace({ gone: [gone], come: [come.publicKey.hex] })).config;
    expect([next.keys.root.includes(gone), next.keys.root[0]]).toEqual([false, come.publicKey.hex]);
    const renewed = await open();
    const logged: KeyChange = { role: 'log', come: [log], gone: [next.keys.log] };
    const left = [come, signers[1] as KeySigner];
    must(await rotateKeys(renewed, logged, { ...at, signers: left }));
    must(await renewPlatform(renewed, 'pia'));
    const third = must(await syncTrust({ ...anchor, objects: renewed.objects, state: first.state }));
    expect(third.accepted.card.name).toBe('Ada');
    expect(reasonOf(verifyState(anchor, third.state, NOW))).toBe('ok');
  });

  test('takes what holders signed elsewhere: a request out, signatures in, and no other', async () => {
    const made = await founding();
    const holders = [1, 2, 3].map(() => createKey().signer);
    const [library, reviewer, second, stranger] = [1, 2, 3, 4].map(() => createKey().signer) as [
      KeySigner,
      KeySigner,
      KeySigner,
      KeySigner,
    ];
    const { roots: _, ...plain } = made.founding;
    must(await foundWith(made.folder, plain, { roots: holders, library, reviewers: [reviewer] }));
    const platform = must(await openPlatform(made.folder, { env: {}, now: () => NOW }));
    onTestFinished(() => platform.close());
    const wanted: KeyChange = { role: 'reviews', come: [second.publicKey.hex], gone: [], threshold: 2 };
    const request = must(requestChange('town', platform.trust, wanted, NOW));
    expect(tellChange(request)).toEqual([
      `reviews: ${second.publicKey.hex} comes`,
      'reviews: 2 of 2 must agree, not 1',
      'root version 2, until 2027-11-15T12:00:00Z',
      'targets version 2, until 2027-11-15T12:00:00Z',
    ]);
    // Away and back as files, byte for byte.
    const carried = must(readRequest(printRequest(request)));
    expect(printRequest(carried)).toEqual(printRequest(request));
    expect(reasonOf(signRequest(carried, stranger))).toBe('E_SIGNING not-a-holder');
    const signed = holders.map((holder) =>
      must(readSignature(printSignature(must(signRequest(carried, holder))))),
    );
    const apply = (signatures: typeof signed, of = carried) => applyRequest(platform, of, signatures);
    expect(reasonOf(await apply(signed.slice(0, 1)))).toBe('E_SIGNING threshold');
    expect(reasonOf(await apply([signed[0], signed[0]] as typeof signed))).toBe('E_SIGNING threshold');
    const forged = { ...(signed[1] as (typeof signed)[0]), signatures: signed[0]?.signatures ?? {} };
    expect(reasonOf(await apply([signed[0] as (typeof signed)[0], forged]))).toBe('E_SIGNING threshold');
    const other = must(requestChange('town', platform.trust, { ...wanted, threshold: 1 }, NOW));
    expect(reasonOf(await apply(signed, other))).toBe('E_SIGNING other-request');
    const elsewhere = must(requestChange('village', platform.trust, wanted, NOW));
    const signedThere = holders.map((holder) => must(signRequest(elsewhere, holder)));
    expect(reasonOf(await apply(signedThere, elsewhere))).toBe('E_SIGNING other-request');
    const next = must(await apply(signed.slice(1))).config;
    expect([next.keys.reviewers, next.keys.reviewer_threshold, next.versions]).toEqual([
      [reviewer.publicKey.hex, second.publicKey.hex],
      2,
      { root: 2, targets: 2, library: 1 },
    ]);
    // Once is enough: what counts has moved on.
    must(await platform.follow());
    expect(reasonOf(await apply(signed))).toBe('E_SIGNING other-request');
    for (const bad of ['', '{}', printRequest(request).toString().replace('"version":2', '"version":3')])
      expect(reasonOf(readRequest(Buffer.from(bad)))).toBe('E_SIGNING malformed');
  });

  test('without its parts, or with keys that share a place, is none', async () => {
    const { root } = await scratch();
    expect(reasonOf(await openPlatform(join(root, 'nothing'), { env: {} }))).toBe('E_PLATFORM_HOME none');
    const fresh = await founding();
    const [one, ...rest] = fresh.founding.roots;
    if (one === undefined) throw new Error('there are three');
    const shared = { ...fresh.founding, roots: [one, { ...one, path: 'other.json' }, ...rest] };
    expect(reasonOf(await foundPlatform(fresh.folder, shared))).toBe('E_KEY same-place');
    expect(reasonOf(await foundPlatform(fresh.folder, { ...fresh.founding, threshold: 4 }))).toBe(
      'E_PLATFORM_HOME threshold',
    );
  });
});
