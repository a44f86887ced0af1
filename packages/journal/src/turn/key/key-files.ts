import { generateKeyPairSync } from 'node:crypto';
import type { FileError, Files } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { fingerprintOf, type PublicKeys, publicKeyOf, type Signer, signerOf } from './key.js';

/** `E_JOURNAL_KEY`: the file is there and is no Ed25519 key. */
export type KeyError = FileError | { readonly code: 'E_JOURNAL_KEY'; readonly path: string };

/** Where the private key lies below CUEBOOK_HOME, readable by its owner alone. The public key lies beside it. */
export const KEY_FILE = 'keys/journal.ed25519';
export const PUBLIC_KEY_FILE = `${KEY_FILE}.pub`;
/** Public keys of others whose receipts are accepted here, one a file. */
export const KNOWN_KEYS = 'keys/known';

/** The signer of this home, its key made on first use. Of two processes that make one at once, one wins. */
export async function createSigner(home: Files): Promise<Result<Signer, KeyError>> {
  const found = await readSigner(home);
  if (found.ok) return withPublicKey(home, found.value);
  if (found.error.code !== 'E_FILE_NOT_FOUND') return found;
  const made = await home.makeDirectory('keys');
  if (!made.ok) return made;
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const written = await home.writeText(KEY_FILE, pem, { mode: 0o600, ifMatch: 'absent' });
  if (!written.ok && written.error.code !== 'E_FILE_CHANGED') {
    return written;
  }
  const signer = await readSigner(home);
  return signer.ok ? withPublicKey(home, signer.value) : signer;
}

/** The signer, whose public key lies beside it then. One that is no key is left for a person to look at. */
async function withPublicKey(home: Files, signer: Signer): Promise<Result<Signer, KeyError>> {
  const there = await home.readText(PUBLIC_KEY_FILE, { limit: KEY_LIMIT });
  const known = there.ok ? publicKeyOf(there.value) : undefined;
  if (there.ok && (known === undefined || fingerprintOf(known) === signer.fingerprint)) return ok(signer);
  if (!there.ok && there.error.code !== 'E_FILE_NOT_FOUND') return ok(signer);
  const open = await home.writeText(PUBLIC_KEY_FILE, signer.publicKey, { mode: 0o644 });
  return open.ok ? ok(signer) : open;
}

async function readSigner(home: Files): Promise<Result<Signer, KeyError>> {
  const pem = await home.readText(KEY_FILE, { limit: KEY_LIMIT });
  if (!pem.ok) return pem;
  const signer = signerOf(pem.value);
  return signer === undefined ? fail({ code: 'E_JOURNAL_KEY', path: KEY_FILE }) : ok(signer);
}

/** The public keys that this home accepts: its own, and those that were put beside it on purpose. */
export async function readPublicKeys(home: Files): Promise<Result<PublicKeys, KeyError>> {
  const { keys, bad } = await readKeyFiles(home);
  const [first] = bad;
  return first === undefined ? ok(keys) : fail(first);
}

/** The same past files that cannot be read or hold no key: each is told. */
export async function readKeyFiles(
  home: Files,
): Promise<{ readonly keys: PublicKeys; readonly bad: readonly KeyError[] }> {
  const keys = new Map<string, NonNullable<ReturnType<typeof publicKeyOf>>>();
  const bad: KeyError[] = [];
  const listed = await home.list(KNOWN_KEYS);
  const names = listed.ok ? listed.value.entries.map(({ name }) => `${KNOWN_KEYS}/${name}`) : [];
  for (const path of [PUBLIC_KEY_FILE, ...names.filter((name) => name.endsWith('.pub'))]) {
    const pem = await home.readText(path, { limit: KEY_LIMIT });
    if (!pem.ok && pem.error.code === 'E_FILE_NOT_FOUND') continue;
    const key = pem.ok ? publicKeyOf(pem.value) : undefined;
    if (key !== undefined) keys.set(fingerprintOf(key), key);
    else bad.push(pem.ok ? { code: 'E_JOURNAL_KEY', path } : pem.error);
  }
  return { keys, bad };
}

/** Accepts receipts of a key from now on. Answers its fingerprint. */
export async function trustKey(home: Files, pem: string): Promise<Result<string, KeyError>> {
  const key = publicKeyOf(pem);
  if (key === undefined) return fail({ code: 'E_JOURNAL_KEY', path: KNOWN_KEYS });
  const id = fingerprintOf(key);
  const made = await home.makeDirectory(KNOWN_KEYS);
  if (!made.ok) return made;
  const text = key.export({ type: 'spki', format: 'pem' }).toString();
  const written = await home.writeText(`${KNOWN_KEYS}/${id}.pub`, text, { mode: 0o644 });
  return written.ok ? ok(id) : written;
}

const KEY_LIMIT = 64 * 1024;
