import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { readCanonical } from '../json/read.js';
import { keyIdOf } from '../key/key.js';
import type { TrustError } from './error.js';

const key = z.object({
  keytype: z.literal('ed25519'),
  scheme: z.literal('ed25519'),
  keyval: z.strictObject({ public: z.string().regex(/^[0-9a-f]{64}$/) }),
});
const keys = z
  .record(z.string(), key)
  .refine(
    (named) => Object.entries(named).every(([id, { keyval }]) => keyIdOf(keyval.public) === id),
    'a key goes by the id that its bytes give it',
  );

const metadata = z.strictObject({
  signatures: z
    .array(
      z.strictObject({
        keyid: z.string().regex(/^[0-9a-f]{64}$/),
        sig: z.string().regex(/^[0-9a-f]{128}$/),
      }),
    )
    .min(1)
    .max(64),
  signed: z.looseObject({
    version: z.int().min(1),
    expires: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
      .refine((text) => !Number.isNaN(Date.parse(text))),
    keys: keys.optional(),
    delegations: z.looseObject({ keys }).optional(),
  }),
});

/**
 * Metadata in its one form, before the library sees it: canonical JSON, nothing beside what is signed, signatures
 * and keys spelled one way. A key under two ids would count twice, and a date that is none would never pass.
 */
export function readMetadata(bytes: Uint8Array, at: string): Result<Buffer, TrustError> {
  const read = readCanonical(bytes);
  if (!read.ok) return fail({ ...read.error, key: at });
  const isRight = metadata.safeParse(read.value.value).success;
  if (guard('trust.spelling', !isRight)) return fail({ code: 'E_TRUST', reason: 'malformed', at });
  return ok(Buffer.from(bytes));
}
