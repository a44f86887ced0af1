import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** What a sign-in needs when the browser comes back. It travels sealed, so that any server of the project ends it. */
export interface SignInState {
  readonly verifier: string;
  readonly nonce: string;
  readonly redirect: string;
  /** Of the key that the page keeps. */
  readonly keyHash: string;
  readonly expiresAt: number;
}

/** Seals and opens states with a secret that all servers of a project have. */
export function stateSealer(secret: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'cuebook sign-in', 32));
  return {
    seal(state: SignInState): string {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const body = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    /** Undefined: nobody here sealed it. */
    open(text: string): SignInState | undefined {
      try {
        const bytes = Buffer.from(text, 'base64url');
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE));
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        const body = Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]);
        return JSON.parse(body.toString('utf8')) as SignInState;
      } catch {
        return undefined; // Another key, or changed bytes.
      }
    },
  };
}

/** As the page makes it. */
export const keyHashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
