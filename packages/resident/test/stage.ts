import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { folderObjects } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import {
  createRecorder,
  openStore,
  publicKeyOf,
  type RunId,
  type Signer,
  signerOf,
  verifyRun,
} from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { onTestFinished } from 'vitest';
import { must, scratch } from '../../bundle/test/scratch.js';

export const REDACTOR = createRedactor({ roots: [], private: [], names: [] });

/** A store in a folder, a journal, and a recorder that signs: what a day or a life takes, and gone after the test. */
export async function stage() {
  const { root } = await scratch();
  const objects = folderObjects(must(await openFolder(join(root, 'store'), { create: true })));
  const store = must(await openStore({ file: join(root, 'journal.db') }));
  const platform = must(await openStore({ file: join(root, 'platform.db') }));
  onTestFinished(async () => {
    await store.close();
    await platform.close();
  });
  const signer = newSigner();
  const key = publicKeyOf(signer.publicKey);
  return {
    root,
    objects,
    store,
    platform,
    recorder: createRecorder({ store, signer }),
    home: async (agent: string) => must(await openFolder(join(root, agent), { create: true })),
    verify: (run: string) =>
      verifyRun(store, run as RunId, { publicKeys: new Map(key ? [[signer.keyId, key]] : []) }),
  };
}

function newSigner(): Signer {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const signer = signerOf(pem.toString());
  if (signer === undefined) throw new Error('not a key');
  return signer;
}
