import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createKey,
  KEYS,
  type KeySigner,
  openSealedKey,
  prepareCard,
  readDraft,
  reviewMetadata,
  syncTrust,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NOW } from '../../../bundle/test/platform.js';
import { must, reasonOf, scratch } from '../../../bundle/test/scratch.js';
import { approveCard, saveCard } from '../cards.js';
import { publishApproved } from '../publishing.js';
import { type Founding, foundPlatform, publishOffline, type Rotation, rotateKeys } from './found.js';
import { openPlatform } from './home.js';

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
  test('is founded, opened, published from, and its keys rotated; agents follow', async () => {
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
    expect(reviewer.publicKey.hex).toBe(config.keys.reviewer);
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
    const rotation = { replace: 'server', signers, now: NOW } as const;
    const few = { ...rotation, signers: signers.slice(0, 1) };
    expect(reasonOf(await rotateKeys(platform.files, config, platform.trust.library, few))).toBe(
      'E_PLATFORM_HOME threshold',
    );
    must(await rotateKeys(platform.files, config, platform.trust.library, rotation));
    const rotated = await open();
    expect(rotated.online.keyId).not.toBe(platform.online.keyId);
    must(await publishOffline(rotated.objects, rotated.trust));
    must(await publishApproved(rotated, { by: 'pia', again: true }));
    const second = must(await syncTrust({ ...anchor, objects: rotated.objects, state: first.state }));
    expect(second.accepted.bundle.bundle_version).toBe(2);
    expect(reasonOf(await rotated.objects.get(KEYS.root(2)))).toBe('ok');
    expect(readdirSync(join(folder, 'keys')).filter((name) => name.startsWith('online-'))).toHaveLength(1);

    // A root key is replaced by a new one; an agent that has seen neither rotation follows both.
    const [gone = ''] = config.keys.root;
    const come = createKey().signer;
    const replace = (root?: Rotation['root']) =>
      rotateKeys(rotated.files, rotated.config, rotated.trust.library, {
        ...{ replace: 'root', signers, now: NOW },
        ...(root === undefined ? {} : { root }),
      });
    const refused = [
      undefined,
      { gone: come.publicKey.hex, come },
      { gone, come: signers[1] as KeySigner },
    ] as const;
    for (const root of refused) expect(reasonOf(await replace(root))).toBe('E_PLATFORM_HOME root-key');
    const next = must(await replace({ gone, come })).config;
    expect([next.keys.root.includes(gone), next.keys.root[0]]).toEqual([false, come.publicKey.hex]);
    const renewed = await open();
    must(await publishOffline(renewed.objects, renewed.trust));
    must(await publishApproved(renewed, { by: 'pia', again: true }));
    const third = must(await syncTrust({ ...anchor, objects: renewed.objects, state: first.state }));
    expect(third.accepted.bundle.bundle_version).toBe(3);
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
