import { createHmac, timingSafeEqual } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { readJson } from '../json/read.js';
import type { CredentialScope } from './scope.js';

/** What a token says: whose it is, what it opens, for which platform, until when. */
export interface TokenClaims {
  readonly platform: string;
  readonly scope: CredentialScope;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const schema = z.strictObject({
  platform: z.string(),
  expiresAt: z.int(),
  scope: z.strictObject({
    agent: z.string(),
    rules: z
      .array(
        z.strictObject({
          may: z.enum(['get', 'list', 'put', 'create']),
          at: z.string(),
          only: z.literal('public').exactOptional(),
        }),
      )
      .max(64),
  }),
});

/** A token for the folder that our server serves: claims, and an HMAC-SHA-256 over them with the server's secret. */
export function signToken(claims: TokenClaims, secret: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${PREFIX}${body}.${sealOf(body, secret).toString('base64url')}`;
}

/** The claims of a token that this secret sealed for this platform and that is still valid; else undefined. */
export function verifyToken(
  token: string,
  { secret, platform, now }: { readonly secret: Uint8Array; readonly platform: string; readonly now: number },
): TokenClaims | undefined {
  if (token.length > MAX_TOKEN || !token.startsWith(PREFIX)) return undefined;
  const [body = '', seal = '', ...more] = token.slice(PREFIX.length).split('.');
  // Compared as it is spelled: base64 leaves bits of its last letter unused, and there is one form of a token.
  const given = Buffer.from(seal);
  const right = Buffer.from(sealOf(body, secret).toString('base64url'));
  const isSealed = more.length === 0 && given.length === right.length && timingSafeEqual(given, right);
  if (guard('token.signature', !isSealed)) return undefined;
  const read = readJson(Buffer.from(body, 'base64url'));
  const parsed = schema.safeParse(read.ok ? read.value : undefined);
  if (!parsed.success) return undefined;
  if (guard('token.audience', parsed.data.platform !== platform)) return undefined;
  if (guard('token.expiry', now >= parsed.data.expiresAt)) return undefined;
  return parsed.data;
}

/** The first part tells what is signed, so that no seal of another kind of text is one of these. */
const PREFIX = 'cbobj1.';
const MAX_TOKEN = 32 * 1024;

const sealOf = (body: string, secret: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(PREFIX).update(body).digest();
