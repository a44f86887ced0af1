import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { canonicalBytes } from '../json/read.js';

/** Signs with one Ed25519 key. The id names the key in certificates and in trust metadata alike. */
export interface KeySigner {
  readonly keyId: string;
  readonly publicKey: PublicKey;
  sign(bytes: Uint8Array): Buffer;
}

/** An Ed25519 public key: its 32 bytes in lower-case hexadecimal, and what node:crypto takes. */
export interface PublicKey {
  readonly hex: string;
  readonly object: KeyObject;
}

/** The keys that may have signed something, by id. */
export type SignerKeys = ReadonlyMap<string, KeyObject>;

/** A new key pair: the signer, and the private key as PEM (PKCS 8) to be kept. */
export function createKey(): { readonly signer: KeySigner; readonly pem: string } {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { signer: keySigner(pem) as KeySigner, pem };
}

/** A signer from a private key as PEM. Undefined when it is not an Ed25519 key. */
export function keySigner(pem: string): KeySigner | undefined {
  const secret = tryKey(() => createPrivateKey(pem));
  if (secret === undefined) return undefined;
  const object = createPublicKey(secret);
  const publicKey = { hex: hexOf(object), object };
  return { keyId: keyIdOf(publicKey.hex), publicKey, sign: (bytes) => sign(null, bytes, secret) };
}

/** A public key from its 32 bytes in hexadecimal. Undefined when it is none. */
export function publicKeyOf(hex: string): PublicKey | undefined {
  if (!/^[0-9a-f]{64}$/.test(hex)) return undefined;
  const x = Buffer.from(hex, 'hex').toString('base64url');
  const object = tryKey(() => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }));
  return object === undefined ? undefined : { hex, object };
}

/** A key as trust metadata holds it. */
export const tufKey = (hex: string) => ({ keytype: 'ed25519', scheme: 'ed25519', keyval: { public: hex } });

/** The id of a key as The Update Framework computes it: sha256 of its canonical form. */
export const keyIdOf = (hex: string): string =>
  createHash('sha256')
    .update(canonicalBytes(tufKey(hex)) as Buffer)
    .digest('hex');

const hexOf = (key: KeyObject): string =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');

function tryKey(parse: () => KeyObject): KeyObject | undefined {
  try {
    const key = parse();
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // Whatever the library says about a text that is no key, the answer is the same.
    return undefined;
  }
}
