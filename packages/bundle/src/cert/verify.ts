import { verify } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { readCanonical } from '../json/read.js';
import type { JsonProblem } from '../json/scan.js';
import type { JsonMember } from '../json/scan-canonical.js';
import type { SignerKeys } from '../key/key.js';
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
      /** The key of the object, where it is known. */
      readonly at?: string;
    };

export interface VerifyOptions {
  /** The keys that may sign this kind of object now. */
  readonly keys: SignerKeys;
  /** What is asked for: an object that is valid elsewhere is not valid here. */
  readonly expect: Binding;
  /** The version that was seen last; a lower one is refused. */
  readonly floor?: number | undefined;
  /** Left out where the age of the object does not matter, as for what was taken before. */
  readonly now?: number | undefined;
  /** In bytes. 1 MiB by default. */
  readonly limit?: number | undefined;
}

/** An object that its certificate vouches for. It is built when it is asked for. */
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
  const read = readCanonical(bytes, limit === undefined ? {} : { bytes: limit });
  if (!read.ok) return read;
  const { members } = read.value;
  const place = members.get('cert');
  const parsed = certSchema.safeParse(member(bytes, place));
  if (!parsed.success || place === undefined) return refuse('missing_cert');
  const cert = parsed.data;
  const signature = Buffer.from(cert.signature, 'base64');
  // One spelling only: base64 leaves bits of its last letter unused.
  if (guard('cert.spelling', signature.toString('base64') !== cert.signature)) return refuse('bad_signature');
  const key = keys.get(cert.key_id);
  if (key === undefined) return refuse('unknown_key');
  if (guard('cert.signature', !verify(null, signedPart(bytes, place, cert), key, signature)))
    return refuse('bad_signature');
  const reason =
    bindingProblem((name) => member(bytes, members.get(name)), cert, expect) ?? ageProblem(cert, floor, now);
  if (reason !== undefined) return refuse(reason);
  return ok({
    cert,
    get object() {
      return read.value.value as Verified['object'];
    },
  });
}

/** The bytes without `,"signature":"..."`: inside a certificate no text can hold a bare quote, so it is found once. */
function signedPart(bytes: Uint8Array, place: JsonMember, { signature }: Cert): Buffer {
  const cut = `,"signature":"${signature}"`;
  const start = asBuffer(bytes).indexOf(cut, place.value, 'latin1');
  const length = bytes.length - cut.length;
  const signed = length > SCRATCH.length ? Buffer.alloc(length) : SCRATCH.subarray(0, length);
  signed.set(bytes.subarray(0, start));
  signed.set(bytes.subarray(start + cut.length), start);
  return signed;
}

/** Used anew by each call, which never waits in between: a new buffer of this size costs as much as the rest. */
const SCRATCH = Buffer.alloc(64 * 1024);

/** A member's value, alone. */
const member = (bytes: Uint8Array, place: JsonMember | undefined): unknown =>
  place === undefined ? undefined : JSON.parse(asBuffer(bytes).toString('utf8', place.value, place.end));

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

type Reason = Extract<CertError, { code: 'E_CERT' }>['reason'];

function bindingProblem(of: (name: string) => unknown, cert: Cert, expect: Binding): Reason | undefined {
  if (guard('cert.kind', cert.kind !== expect.kind || of('kind') !== expect.kind)) return 'wrong_kind';
  const members = Object.hasOwn(BOUND_MEMBERS, cert.kind) ? BOUND_MEMBERS[cert.kind] : undefined;
  const named = members === undefined ? expect.subject : of(members.subject);
  if (guard('cert.subject', cert.subject !== expect.subject || named !== expect.subject))
    return 'wrong_subject';
  if (guard('cert.place', cert.object_key !== expect.objectKey)) return 'wrong_place';
  const numbered = members === undefined ? cert.version : of(members.version);
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

const refuse = (reason: Reason) => fail<CertError>({ code: 'E_CERT', reason });
