import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { type CertifyOptions, certify } from '../cert/certify.js';
import { type CertError, verifyObject } from '../cert/verify.js';
import { KEYS } from '../ids.js';
import type { JsonProblem } from '../json/scan.js';
import type { SignerKeys } from '../key/key.js';

/** A log of this size had this root: signed by the key of the log, which signs nothing else. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

const schema = z.object({
  kind: z.literal('log_checkpoint'),
  schema_version: z.literal(1),
  origin: z.string(),
  size: z.int().min(1),
  root: z.string().regex(/^[0-9a-f]{64}$/),
});

const binding = (origin: string) => ({ kind: 'log_checkpoint', subject: origin, objectKey: KEYS.checkpoint });

export const signCheckpoint = (
  { origin, size, root }: Checkpoint,
  options: Omit<CertifyOptions, 'binding' | 'version'>,
): Result<Buffer, JsonProblem> =>
  certify(
    { kind: 'log_checkpoint', schema_version: 1, origin, size, root: root.toString('hex') },
    { ...options, binding: binding(origin), version: size },
  );

/** The checkpoint in stored bytes, its signature checked. Its age is not: an old one is found by its size. */
export function readCheckpoint(
  bytes: Uint8Array,
  origin: string,
  keys: SignerKeys,
): Result<Checkpoint, CertError> {
  const verified = verifyObject(bytes, { keys, expect: binding(origin), limit: 4096 });
  if (!verified.ok) return verified;
  const parsed = schema.safeParse(verified.value.object);
  if (!parsed.success) return fail({ code: 'E_CERT', reason: 'wrong_kind' });
  const { size, root } = parsed.data;
  return ok({ origin, size, root: Buffer.from(root, 'hex') });
}
