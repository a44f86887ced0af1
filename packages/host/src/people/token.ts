import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new token: its text, told once, and what is kept of it. */
export function newPersonToken(): { readonly text: string; readonly id: string; readonly hash: string } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { text: `cbu.${id}.${secret}`, id, hash: hashOf(secret) };
}

/** The parts of a token's text; undefined for a text that is none. */
export function parsePersonToken(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = /^cbu\.([0-9a-f]{16})\.([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** In constant time. */
export function isTokenSecret(secret: string, hash: string): boolean {
  const [given, right] = [Buffer.from(hashOf(secret)), Buffer.from(hash)];
  return given.length === right.length && timingSafeEqual(given, right);
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
