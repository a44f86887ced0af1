import { verify } from 'node:crypto';
import { fail, ok, type Result } from '@cuebook/prompt';
import { guard } from '../guard.js';
import { readCanonical } from '../json/read.js';
import type { JsonProblem } from '../json/scan.js';
import type { KeyRing } from '../key/key.js';
import { type Binding, BOUND_MEMBERS, type Cert, certSchema } from './cert.js';

/** Why an object is not taken. */
export type CertError =
  | JsonProblem
  | {
      readonly code: 'E_CERT';
      readonly reason:
        | 'missing_cert'
        | 'bad_signature'
        | 'unknown_key'
        | 'expired'
        | 'rollback'
        | 'wrong_kind'
        | 'wrong_subject'
        | 'wrong_place'
        | 'wrong_version';
    };

export interface VerifyOptions {
  /** The keys that may sign this kind of object now. */
  readonly keys: KeyRing;
  /** What is asked for: an object that is valid elsewhere is not valid here. */
  readonly expect: Binding;
  /** The version that was seen last; a lower one is refused. */
  readonly floor?: number | undefined;
  /** Left out where the age of the object does not matter, as for what was taken before. */
  readonly now?: number | undefined;
  /** In bytes. 1 MiB by default. */
  readonly limit?: number | undefined;
}

/** An object that its certificate vouches for. */
export interface Verified {
  readonly object: Readonly<Record<string, unknown>>;
  readonly cert: Cert;
}

/**
 * Checks the stored bytes of a certified object. The signature is checked over the bytes as they are, the
 * signature's own member cut out: there is one form of an object, and no other form verifies.
 */
export function verifyObject(bytes: Uint8Array, options: VerifyOptions): Result<Verified, CertError> {
  const { limit, keys, expect, floor, now } = options;
  const read = readCanonical(bytes, MARK, limit === undefined ? {} : { bytes: limit });
  if (!read.ok) return read;
  const { value, text, marked } = read.value;
  const object = value as Verified['object'];
  const parsed = certSchema.safeParse(object?.cert);
  if (!parsed.success || marked === undefined) return refuse('missing_cert');
  const cert = parsed.data;
  const signature = Buffer.from(cert.signature, 'base64');
  // One spelling only: base64 leaves bits of its last letter unused.
  if (guard('cert.spelling', signature.toString('base64') !== cert.signature)) return refuse('bad_signature');
  const key = keys.get(cert.key_id);
  if (key === undefined) return refuse('unknown_key');
  const start = Buffer.byteLength(text.slice(0, marked.start)) - 1;
  const end = start + 1 + (marked.end - marked.start);
  const signed = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  if (guard('cert.signature', !verify(null, signed, key, signature))) return refuse('bad_signature');
  const reason = bindingProblem(object, cert, expect) ?? ageProblem(cert, floor, now);
  return reason === undefined ? ok({ object, cert }) : refuse(reason);
}

type Reason = Extract<CertError, { code: 'E_CERT' }>['reason'];

function bindingProblem(object: Verified['object'], cert: Cert, expect: Binding): Reason | undefined {
  if (guard('cert.kind', cert.kind !== expect.kind || object.kind !== expect.kind)) return 'wrong_kind';
  const members = Object.hasOwn(BOUND_MEMBERS, cert.kind) ? BOUND_MEMBERS[cert.kind] : undefined;
  const named = members === undefined ? expect.subject : object[members.subject];
  if (guard('cert.subject', cert.subject !== expect.subject || named !== expect.subject))
    return 'wrong_subject';
  if (guard('cert.place', cert.object_key !== expect.objectKey)) return 'wrong_place';
  const numbered = members === undefined ? cert.version : object[members.version];
  if (guard('cert.version', numbered !== cert.version)) return 'wrong_version';
  return undefined;
}

function ageProblem(cert: Cert, floor: number | undefined, now: number | undefined): Reason | undefined {
  if (guard('cert.floor', floor !== undefined && cert.version < floor)) return 'rollback';
  // NaN is no time at all: such a certificate has expired.
  const isFresh = now === undefined || now < Date.parse(cert.expires_at);
  if (guard('cert.expiry', !isFresh)) return 'expired';
  return undefined;
}

const MARK = ['cert', 'signature'] as const;
const refuse = (reason: Reason) => fail<CertError>({ code: 'E_CERT', reason });
