import { generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/places.js';
import { freshSigner, must } from '../../../test/turns.js';
import { isSigned, keyIdOf, publicKeyOf, signerOf } from './key.js';
import { createSigner, KEY_FILE, PUBLIC_KEY_FILE, readPublicKeys, trustKey } from './key-files.js';

const home = async () => {
  const folder = join(scratchFolder(), 'home');
  return { folder, files: must(await openFolder(folder, { create: true })) };
};

describe('the key of a home', () => {
  test('is made once, private to the user, also by many at once', async () => {
    const { folder, files } = await home();
    const signers = await Promise.all(Array.from({ length: 8 }, () => createSigner(files)));
    expect(new Set(signers.map((signer) => must(signer).keyId)).size).toBe(1);
    expect(statSync(join(folder, KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(must(await createSigner(files)).keyId).toBe(signers.map((signer) => must(signer).keyId)[0]);
    const keys = must(await readPublicKeys(files));
    expect([...keys.keys()]).toEqual([must(await createSigner(files)).fingerprint]);
  });

  test('that is no key is refused, and not replaced', async () => {
    const { files } = await home();
    must(await files.makeDirectory('keys'));
    must(await files.writeText(KEY_FILE, 'nothing', { mode: 0o600 }));
    expect(await createSigner(files)).toEqual({
      ok: false,
      error: { code: 'E_JOURNAL_KEY', path: KEY_FILE },
    });
    expect(must(await files.readText(KEY_FILE))).toBe('nothing');
    must(await files.writeText(PUBLIC_KEY_FILE, 'nothing'));
    expect((await readPublicKeys(files)).ok).toBe(false);
  });

  test('stands beside the keys of others that were trusted', async () => {
    const { files } = await home();
    const other = freshSigner();
    expect(must(await trustKey(files, other.publicKey))).toBe(other.fingerprint);
    expect([...must(await readPublicKeys(files)).keys()]).toEqual([other.fingerprint]);
    expect((await trustKey(files, 'nothing')).ok).toBe(false);
  });
});

describe('a signature', () => {
  const signer = freshSigner();
  const key = publicKeyOf(signer.publicKey);
  if (key === undefined) throw new Error('no key');
  const signature = signer.sign('text');

  const cases: readonly { name: string; text: string; sig: string; is: boolean }[] = [
    { name: 'as made', text: 'text', sig: signature, is: true },
    { name: 'of another text', text: 'texts', sig: signature, is: false },
    { name: 'in another spelling', text: 'text', sig: `${signature}=`, is: false },
    { name: 'cut short', text: 'text', sig: signature.slice(0, -2), is: false },
    { name: 'by another key', text: 'text', sig: freshSigner().sign('text'), is: false },
    { name: 'empty', text: 'text', sig: '', is: false },
  ];
  test.each(cases)('$name: $is', ({ text, sig, is }) => {
    expect(isSigned(text, sig, key)).toBe(is);
  });

  test('names its key', () => {
    expect(keyIdOf(key)).toBe(signer.keyId);
    expect(signer.keyId).toMatch(/^[0-9a-f]{12}$/);
  });

  test('needs an Ed25519 key', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(signerOf(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toBeUndefined();
    expect(publicKeyOf(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBeUndefined();
    expect(publicKeyOf('')).toBeUndefined();
  });
});
