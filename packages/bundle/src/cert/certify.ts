import { fail, ok, type Result } from '@cuebook/prompt';
import { DEFAULT_JSON_BYTES, readCanonical, writeCanonical } from '../json/read.js';
import type { JsonProblem } from '../json/scan.js';
import type { KeySigner } from '../key/key.js';
import { type Binding, type Cert, printTime } from './cert.js';

export interface CertifyOptions {
  readonly signer: KeySigner;
  readonly issuer: string;
  readonly binding: Binding;
  /** Greater than that of every object published before under this key. */
  readonly version: number;
  readonly now: number;
  readonly lifetimeMs: number;
}

/**
 * The object with its certificate, in the canonical bytes that are stored. An object that a strict reader would
 * refuse is not signed.
 */
export function certify(
  object: Readonly<Record<string, unknown>>,
  { signer, issuer, binding, version, now, lifetimeMs }: CertifyOptions,
): Result<Buffer, JsonProblem> {
  const unsigned: Omit<Cert, 'signature'> = {
    alg: 'Ed25519',
    issuer,
    key_id: signer.keyId,
    issued_at: printTime(now),
    expires_at: printTime(now + lifetimeMs),
    kind: binding.kind,
    subject: binding.subject,
    version,
    object_key: binding.objectKey,
  };
  const written = writeCanonical({ ...object, cert: unsigned });
  if (written === undefined) return fail({ code: 'E_JSON', reason: 'syntax', at: 0 });
  const { bytes } = written;
  if (bytes.length > DEFAULT_JSON_BYTES) return fail({ code: 'E_JSON', reason: 'too-large', at: 0 });
  const read = written.members === undefined ? readCanonical(bytes) : ok({ members: written.members });
  if (!read.ok) return read;
  // In the canonical order `signature` follows `object_key`, and `subject` comes next. No text has a bare quote in it.
  const end = bytes.indexOf(',"subject":', read.value.members.get('cert')?.value ?? 0);
  const member = `,"signature":"${signer.sign(bytes).toString('base64')}"`;
  return ok(Buffer.concat([bytes.subarray(0, end), Buffer.from(member), bytes.subarray(end)]));
}
