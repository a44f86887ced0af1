import { createHash, hash, type Hash as Sha256 } from 'node:crypto';
import type { GrowingHash, Hash } from '@cuebook/prompt';

/** `sha256:` and the hex digest of a text's UTF-8 bytes, or of bytes: how blobs and blocks are named. */
export const digest = (content: string | Uint8Array): string => `sha256:${hash('sha256', content)}`;

/** `digest` for composing: it goes on from the beginning of a text that was hashed before. */
export const promptHash: Hash = Object.assign((text: string) => digest(text), {
  begin: () => growFrom(createHash('sha256')),
});

const growFrom = (state: Sha256): GrowingHash => ({
  add: (text) => {
    state.update(text);
  },
  copy: () => growFrom(state.copy()),
  read: () => `sha256:${state.copy().digest('hex')}`,
});

/** The same name in 43 characters, as receipts keep it. */
export const shortHash = (hash: string): string =>
  Buffer.from(hash.slice('sha256:'.length), 'hex').toString('base64url');

/** The full name again. */
export const longHash = (short: string): string =>
  `sha256:${Buffer.from(short, 'base64url').toString('hex')}`;

/** `shortHash(digest(content))`. */
export const shortDigest = (content: string | Uint8Array): string => hash('sha256', content, 'base64url');

/** Six bytes of it: enough to tell a repeated command from another one, and proof of nothing. */
export const briefDigest = (content: string): string => shortDigest(content).slice(0, 8);
