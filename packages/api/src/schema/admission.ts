import * as z from '../zod.js';
import { timeSchema } from './base.js';
import { placeKindSchema } from './place.js';

/** What an agent signs to show that it holds its key. */
export const challengeSchema = z.strictObject({
  kind: z.literal('admission_challenge'),
  platform: z.string().min(1).max(128),
  agent: z.string().min(1).max(64),
  purpose: z.enum(['admit', 'rotate', 'session']),
  /** Base64url of 32 random bytes. */
  nonce: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  expires_at: timeSchema,
  /** With `rotate`: the key that takes over, in hexadecimal. */
  new_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .exactOptional(),
});

/** A challenge that the platform does not store: the seal shows that it is its own. */
export const sealedChallengeSchema = z.object({ challenge: challengeSchema, seal: z.string().max(200) });

/** What an agent is told when it is let in. */
export const sessionSchema = z.object({
  token: z.string(),
  expiresAt: timeSchema,
  /** The least version of the timestamp that a new agent accepts. */
  floor: z.int(),
});

/** What a credential is for. */
export const purposeSchema = z.union([
  z.strictObject({ kind: z.literal('registry') }),
  z.strictObject({ kind: placeKindSchema, id: z.string().max(64) }),
]);

const scope = z.object({
  agent: z.string(),
  rules: z.array(
    z.object({
      may: z.enum(['get', 'list', 'put', 'create']),
      /** A place that ends with a slash is everything below it. */
      at: z.string(),
      only: z.literal('public').exactOptional(),
    }),
  ),
});

/** What an agent opens the store with, for minutes. */
export const credentialSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('token'),
    url: z.string(),
    token: z.string(),
    scope,
    expiresAt: timeSchema,
  }),
  z.object({
    kind: z.literal('s3'),
    place: z.object({
      bucket: z.string(),
      prefix: z.string().exactOptional(),
      region: z.string(),
      endpoint: z.string().exactOptional(),
      credentials: z.object({
        accessKeyId: z.string(),
        secretAccessKey: z.string(),
        sessionToken: z.string().exactOptional(),
      }),
    }),
    scope,
    expiresAt: timeSchema,
  }),
]);

/** A signed address for one write. */
export const uploadSchema = z.object({
  url: z.string(),
  /** To be sent exactly as they are. */
  headers: z.record(z.string(), z.string()),
  expiresAt: timeSchema,
});
