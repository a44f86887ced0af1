import { generateKeyPairSync } from 'node:crypto';
import type { Files } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { type KeyRecord, keyRecordSchema, nextKey } from './chain.js';
import { type Signer, signerOf } from './key.js';
import { createSigner, KEY_FILE, type KeyError, PUBLIC_KEY_FILE, trustKey } from './key-files.js';

/** Below CUEBOOK_HOME: how the keys of this home followed one another. It holds public keys and signatures only. */
export const CHAIN_FILE = 'keys/chain.json';

export interface Rotated {
  readonly from: Signer;
  readonly to: Signer;
}

/**
 * Puts a new key in the place of the home's own. The old one signs for the new one and is gone then; its public key
 * stays, so that what it signed still verifies. Interrupted at any point, the home has one key that all before it
 * vouch for. Stores take the record up when they are opened next.
 */
export async function rotateKey(home: Files, at: number): Promise<Result<Rotated, KeyError>> {
  const from = await createSigner(home);
  if (!from.ok) return from;
  const before = await readChain(home);
  if (!before.ok) return before;
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const to = signerOf(pem);
  if (to === undefined) return fail({ code: 'E_JOURNAL_KEY', path: KEY_FILE });
  const trusted = await trustKey(home, from.value.publicKey);
  if (!trusted.ok) return trusted;
  // A record of a key that never came into use, from a rotation that was interrupted, is left behind.
  const used = before.value.filter(({ previous }) => previous !== from.value.publicKey);
  const chain = [...used, nextKey(from.value, to, Math.trunc(at))];
  for (const [path, text, mode] of [
    [CHAIN_FILE, `${JSON.stringify(chain)}\n`, 0o644],
    [KEY_FILE, pem, 0o600],
    [PUBLIC_KEY_FILE, to.publicKey, 0o644],
  ] as const) {
    const written = await home.writeText(path, text, { mode });
    if (!written.ok) return written;
  }
  return ok({ from: from.value, to });
}

/** How the keys of this home followed one another; empty where there was never another. */
export async function readChain(home: Files): Promise<Result<readonly KeyRecord[], KeyError>> {
  const text = await home.readText(CHAIN_FILE, { limit: 1024 * 1024 });
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok([]) : text;
  try {
    const parsed = z.array(keyRecordSchema).safeParse(JSON.parse(text.value));
    if (parsed.success) return ok(parsed.data);
  } catch {
    // Not JSON: the file is told below.
  }
  return fail({ code: 'E_JOURNAL_KEY', path: CHAIN_FILE });
}
