import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Signs receipts with one Ed25519 key. */
export interface Signer {
  readonly keyId: string;
  /** The public key as PEM: what others verify with. */
  readonly publicKey: string;
  /** The signature of a text's UTF-8 bytes, in base64url. */
  sign(text: string): string;
}

/** The public keys that signatures are checked with, by key id. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** A signer from a private key as PEM (PKCS 8). Undefined when it is not an Ed25519 key. */
export function signerOf(pem: string): Signer | undefined {
  const secret = parseKey(() => createPrivateKey(pem));
  if (secret === undefined) return undefined;
  const open = createPublicKey(secret);
  return {
    keyId: keyIdOf(open),
    publicKey: open.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
  };
}

/** A public key from PEM. Undefined when it is not an Ed25519 key. */
export const publicKeyOf = (pem: string): KeyObject | undefined => parseKey(() => createPublicKey(pem));

/** The first 12 hex digits of the sha256 of the 32 bytes of the public key. It names a key; it proves nothing. */
export function keyIdOf(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' });
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex').slice(0, 12);
}

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
