import { join } from 'node:path';
import {
  canonicalBytes,
  KEYS,
  libraryMetadata,
  openSealedKey,
  type Scenario,
  SHIPPED_VERSIONS,
  verifyVersion,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { NOW } from '../../../bundle/test/platform.js';
import { must, scratch } from '../../../bundle/test/scratch.js';
import { findLibrary } from '../library/library.js';
import { keepStored, publishLibrary } from '../library/publish.js';
import { requestLibrary, signLibrary } from '../library/request.js';
import { foundPlatform, publishOffline } from './found.js';
import { openPlatform } from './home.js';

// A platform that an older Cuebook founded: what it shipped then is not what is shipped now.
test('a newer Cuebook goes on with the words that were signed, and takes its own only through a signature', async () => {
  const { root } = await scratch();
  const place = async (name: string) => ({
    files: must(await openFolder(join(root, name), { create: true })),
    path: 'key.json',
    passphrase: `a passphrase for ${name}`,
  });
  const library = await place('library');
  const folder = join(root, 'platform');
  const founding = {
    ...{
      name: 'town',
      url: 'http://127.0.0.1:4000',
      store: { kind: 'folder' as const },
      threshold: 1,
      now: NOW,
    },
    ...{ roots: [await place('safe')], library, reviewer: await place('reviewer') },
  };
  must(await foundPlatform(folder, founding));
  const old = SHIPPED_VERSIONS.filter(({ version }) => version === 1).map(
    (each): Scenario =>
      each.id === 'greeting' ? { ...each, template: `Older. ${each.template}` } : { ...each },
  );
  const signer = must(await openSealedKey(library));
  const signed = libraryMetadata(old, { version: 1, expires: NOW + 1e10, signers: [signer] });
  const files = must(await openFolder(folder));
  must(await files.writeBytes('trust/1.library.json', signed.bytes));
  must(await files.writeBytes('trust/templates.json', canonicalBytes(old) as Buffer));

  const open = async () => {
    const opened = must(await openPlatform(folder, { env: {}, now: () => NOW }));
    onTestFinished(() => opened.close());
    return opened;
  };
  const platform = await open();
  must(await publishOffline(platform.objects, platform.trust));
  const now = await findLibrary(platform);
  expect(now.library).toHaveLength(old.length);
  expect(now.active.find(({ id }) => id === 'greeting')?.template).toMatch(/^Older\. /);
  must(await keepStored(platform, now));
  const anchor = { objects: platform.objects, root: platform.trust.root.bytes };
  const first = await verifyVersion(anchor, { id: 'greeting', version: 1 });
  expect(must(first).scenario.template).toMatch(/^Older\. /);
  expect(must(await platform.objects.get(KEYS.shared('library', 1))).length).toBe(signed.bytes.length);

  // The list is renewed with the library's key, by whoever holds it; another process sees it.
  must(await publishLibrary(platform, signLibrary(requestLibrary(platform, now), signer), 'pia'));
  expect((await findLibrary(await open())).metadata.version).toBe(2);
  // Words that were lost are not taken from elsewhere: what is not what was signed is not there.
  must(await files.writeBytes('trust/templates.json', Buffer.from('[]')));
  const lost = await open();
  expect(lost.library.some(({ id }) => id === 'greeting')).toBe(false);
  // The record has them.
  expect((await findLibrary(lost)).active.find(({ id }) => id === 'greeting')?.template).toMatch(/^Older\. /);
});
