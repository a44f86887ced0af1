import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { expect, test } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { must, reasonOf, scratch } from '../../test/scratch.js';
import { createKey, keySigner, publicKeyOf } from './key.js';
import { createSealedKeys, openSealedKey } from './sealed-key.js';

test('a key has one id, and only Ed25519 keys are keys', () => {
  const { signer, pem } = createKey();
  expect(keySigner(pem)?.keyId).toBe(signer.keyId);
  expect(publicKeyOf(signer.publicKey.hex)?.object.equals(signer.publicKey.object)).toBe(true);
  expect(keySigner('nonsense')).toBeUndefined();
  expect(publicKeyOf('zz')).toBeUndefined();
  expect(publicKeyOf(signer.publicKey.hex.toUpperCase())).toBeUndefined();
});

itInTurn('sealed keys are encrypted, private, and open with their passphrase alone', async () => {
  const { root, files } = await scratch();
  for (const folder of ['stick-a', 'stick-b']) must(await files.makeDirectory(folder));
  const places = ['a', 'b'].map((name) => ({
    files,
    path: `stick-${name}/root.key`,
    passphrase: `correct horse ${name}`,
  }));
  const [first, second] = must(await createSealedKeys(places));
  expect(first?.keyId).not.toBe(second?.keyId);
  const path = join(root, 'stick-a/root.key');
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain('PRIVATE');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const opened = must(await openSealedKey(places[0] as never));
  expect(opened.sign(Buffer.from('x'))).toEqual(first?.sign(Buffer.from('x')));
  expect(reasonOf(await openSealedKey({ ...places[0], passphrase: 'correct horse b' } as never))).toBe(
    'E_KEY passphrase',
  );
  // A key is never written over.
  expect(reasonOf(await createSealedKeys([places[0] as never]))).toBe('E_FILE_CHANGED');
  expect(readFileSync(path, 'utf8')).toBe(text);
  for (const [from, to] of [
    [/"data":"./, '"data":"'],
    [/"public_key":".{4}/, '"public_key":"0000'],
    [/"format":"/, '"format":"x'],
  ] as const) {
    must(await files.writeText('stick-b/root.key', text.replace(from, to)));
    expect(reasonOf(await openSealedKey({ ...places[0], path: 'stick-b/root.key' } as never))).toMatch(
      /^E_KEY/,
    );
  }
});

test('keys that one loss would take together are not made', async () => {
  const { root, files } = await scratch();
  must(await files.makeDirectory('one'));
  must(await files.makeDirectory('two'));
  const make = (a: string, b: string, ...words: string[]) =>
    createSealedKeys(
      [a, b].map((path, index) => ({
        files,
        path,
        passphrase: words[index] ?? `a long passphrase ${index}`,
      })),
    );
  expect(reasonOf(await make('one/a.key', 'one/b.key'))).toBe('E_KEY same-place');
  expect(reasonOf(await make('one/a.key', './one/b.key'))).toBe('E_KEY same-place');
  expect(reasonOf(await make('one/a.key', 'two/b.key', 'the same passphrase', 'the same passphrase'))).toBe(
    'E_KEY same-passphrase',
  );
  expect(reasonOf(await make('one/a.key', 'two/b.key', 'short'))).toBe('E_KEY weak-passphrase');
  const again = must(await openFolder(root));
  expect(must(await again.list('one')).entries).toEqual([]);
});
