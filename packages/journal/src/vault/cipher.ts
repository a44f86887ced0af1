import { createCipheriv, createDecipheriv } from 'node:crypto';

/** AES-256-GCM. */
const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** Each key seals one text and no other, so the same nonce never meets a second one; equal text gives equal bytes. */
const NONCE = new Uint8Array(12);

/** A text sealed under a key of its own and bound to its place. */
export function encrypt(key: Uint8Array, text: string, place: string): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, NONCE).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([cipher.getAuthTag(), body]);
}

/** Undefined: another key, another place, or changed bytes. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, place: string): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, NONCE).setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(0, TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined; // The text is not there for who has no key for it.
  }
}
