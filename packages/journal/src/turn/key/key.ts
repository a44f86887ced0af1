import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Signs receipts with one Ed25519 key. */
export interface Signer {
  readonly keyId: string;
  readonly fingerprint: string;
  /** The public key as PEM: what others verify with. */
  readonly publicKey: string;
  /** The signature of a text's UTF-8 bytes, in base64url. */
  sign(text: string): string;
}

/** The public keys that signatures are checked with, by fingerprint. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** A signer from a private key as PEM (PKCS 8). Undefined when it is not an Ed25519 key. */
export function signerOf(pem: string): Signer | undefined {
  const secret = parseKey(() => createPrivateKey(pem));
  if (secret === undefined) return undefined;
  const open = createPublicKey(secret);
  return {
    keyId: keyIdOf(open),
    fingerprint: fingerprintOf(open),
    publicKey: pemOf(open),
    sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
  };
}

/** A public key as PEM, in the one spelling that records have. */
export const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** A public key from PEM. Undefined when it is not an Ed25519 key. */
export const publicKeyOf = (pem: string): KeyObject | undefined => parseKey(() => createPublicKey(pem));

/** The sha256 of the 32 bytes of a public key, in hexadecimal: what a person compares before a key is believed. */
export function fingerprintOf(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' });
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex');
}

/** The first 12 digits of the fingerprint. It names a key; it proves nothing. */
export const keyIdOf = (key: KeyObject): string => fingerprintOf(key).slice(0, KEY_ID_LENGTH);

const KEY_ID_LENGTH = 12;

/** The keys that an id may name: several, where somebody has made one to match. */
export const keysNamed = (keys: PublicKeys, id: string): readonly KeyObject[] =>
  id.length < KEY_ID_LENGTH ? [] : [...keys].flatMap(([name, key]) => (name.startsWith(id) ? [key] : []));

/** Whether one of the keys that the id may name made this signature of this text. */
export const isSignedBy = (keys: PublicKeys, id: string, text: string, signature: string): boolean =>
  keysNamed(keys, id).some((key) => isSigned(text, signature, key));

/** Whether this key made this signature of this text. */
export function isSigned(text: string, signature: string, key: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  // One spelling only: a signature that differs in a byte is another one.
  return bytes.toString('base64url') === signature && verify(null, Buffer.from(text), key, bytes);
}

function parseKey(parse: () => KeyObject): KeyObject | undefined {
  try {
    const key = parse();
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // Whatever the library says about a text that is no key, the answer is the same.
    return undefined;
  }
}
