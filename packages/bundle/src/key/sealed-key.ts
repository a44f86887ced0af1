import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { FileError, Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { canonicalBytes, readJson } from '../json/read.js';
import { createKey, type KeySigner, keySigner } from './key.js';

/** Where a key is kept and what opens it. */
export interface KeyPlace {
  readonly files: Files;
  readonly path: string;
  readonly passphrase: string;
}

/** `E_KEY`: why a sealed key cannot be made or opened. */
export type SealedKeyError =
  | FileError
  | {
      readonly code: 'E_KEY';
      readonly reason: 'passphrase' | 'not-a-key' | 'weak-passphrase' | 'same-place' | 'same-passphrase';
      readonly path: string;
    };

/** In code units: what scrypt makes slow, a short passphrase makes easy again. */
export const MIN_PASSPHRASE = 12;

/**
 * Makes keys for offline roles, one in each place, encrypted (scrypt, AES-256-GCM), readable by their owner alone.
 * Two keys never share a place or a passphrase, or the threshold would be one of one. Nothing is overwritten.
 */
export async function createSealedKeys(
  places: readonly KeyPlace[],
): Promise<Result<readonly KeySigner[], SealedKeyError>> {
  const problem = placesProblem(places);
  if (problem !== undefined) return fail(problem);
  // Side by side: each takes half a second, and there are a few of them.
  const made = await Promise.all(
    places.map(async (place) => {
      const { signer, pem } = createKey();
      return { place, signer, sealed: await seal(pem, signer, place.passphrase) };
    }),
  );
  const signers: KeySigner[] = [];
  for (const { place, signer, sealed } of made) {
    const written = await place.files.writeBytes(place.path, sealed, { mode: 0o600, ifMatch: 'absent' });
    if (!written.ok) return written;
    signers.push(signer);
  }
  return ok(signers);
}

/** Opens a sealed key with its passphrase. */
export async function openSealedKey(place: KeyPlace): Promise<Result<KeySigner, SealedKeyError>> {
  const { files, path, passphrase } = place;
  const bytes = await files.readBytes(path, { limit: 64 * 1024 });
  if (!bytes.ok) return bytes;
  const read = readJson(bytes.value);
  const parsed = sealedSchema.safeParse(read.ok ? read.value : undefined);
  if (!parsed.success) return fail({ code: 'E_KEY', reason: 'not-a-key', path });
  const pem = await unseal(parsed.data, passphrase);
  const signer = pem === undefined ? undefined : keySigner(pem);
  if (signer === undefined || signer.publicKey.hex !== parsed.data.public_key)
    return fail({ code: 'E_KEY', reason: 'passphrase', path });
  return ok(signer);
}

function placesProblem(places: readonly KeyPlace[]): SealedKeyError | undefined {
  for (const [index, { files, path, passphrase }] of places.entries()) {
    const before = places.slice(0, index);
    if (passphrase.length < MIN_PASSPHRASE) return { code: 'E_KEY', reason: 'weak-passphrase', path };
    const shared = before.some((other) => other.files === files && folderOf(other.path) === folderOf(path));
    if (guard('key.place', shared)) return { code: 'E_KEY', reason: 'same-place', path };
    if (before.some((other) => other.passphrase === passphrase))
      return { code: 'E_KEY', reason: 'same-passphrase', path };
  }
  return undefined;
}

const folderOf = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/[^/]*$/, '');

/** Fixed costs: 128 MiB and about half a second for each try. A file that asks for others is none of ours. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;

const sealedSchema = z.strictObject({
  format: z.literal('cuebook-sealed-key-1'),
  public_key: z.string().regex(/^[0-9a-f]{64}$/),
  salt: z.string().regex(/^[0-9a-f]{64}$/),
  nonce: z.string().regex(/^[0-9a-f]{24}$/),
  tag: z.string().regex(/^[0-9a-f]{32}$/),
  data: z.string().regex(/^(?:[0-9a-f]{2}){1,1024}$/),
});
type Sealed = z.infer<typeof sealedSchema>;

async function seal(pem: string, signer: KeySigner, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt), nonce);
  cipher.setAAD(Buffer.from(signer.publicKey.hex));
  const data = Buffer.concat([cipher.update(pem), cipher.final()]);
  const sealed: Sealed = {
    format: 'cuebook-sealed-key-1',
    public_key: signer.publicKey.hex,
    salt: salt.toString('hex'),
    nonce: nonce.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
    data: data.toString('hex'),
  };
  return canonicalBytes(sealed) as Buffer;
}

async function unseal(sealed: Sealed, passphrase: string): Promise<string | undefined> {
  const key = await stretch(passphrase, Buffer.from(sealed.salt, 'hex'));
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'hex'));
  decipher.setAAD(Buffer.from(sealed.public_key));
  decipher.setAuthTag(Buffer.from(sealed.tag, 'hex'));
  try {
    return Buffer.concat([decipher.update(Buffer.from(sealed.data, 'hex')), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    // A wrong passphrase and an edited file look alike, and that is all there is to say.
    return undefined;
  }
}

const stretch = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, { ...COST, maxmem: 256 * 1024 * 1024 }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
