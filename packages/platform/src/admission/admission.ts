import { createHmac, timingSafeEqual } from 'node:crypto';
import { type AdmissionError, type Challenge, canonicalBytes, provesKey } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';

/** Where an agent stands with the platform. Plain data; every function here is pure. */
export interface Admission {
  readonly status: 'none' | 'pending' | 'admitted' | 'revoked';
  /** The one challenge that is open. A new one takes its place. */
  readonly challenge?: Challenge;
  /** The key that the agent showed, in hexadecimal. */
  readonly key?: string;
  /** Keys that were replaced: whoever has one of them is not let in any more, whatever the card says. */
  readonly replaced?: readonly string[];
  /** When the agent last asked to be let in, with proof that it has the key on its card. */
  readonly asked?: number;
  /** Nonces of session challenges that were used and have not expired. */
  readonly used: readonly { readonly nonce: string; readonly expires_at: number }[];
}

export const NO_ADMISSION: Admission = { status: 'none', used: [] };

/** Opens a challenge to admit an agent or to change its key. Who is admitted stays so meanwhile. */
export const startAdmission = (admission: Admission, challenge: Challenge): Admission => ({
  ...admission,
  status: admission.status === 'admitted' ? 'admitted' : 'pending',
  challenge,
});

/** What an agent hands in. */
export interface Proof {
  readonly challenge: Challenge;
  /** Base64 of the signature. */
  readonly signature: string;
}

/** The admission after a proof for the open challenge. The challenge is gone with it: it works once. */
export function completeAdmission(
  admission: Admission,
  { challenge, signature }: Proof,
  { key, now }: { readonly key: string | undefined; readonly now: number },
): Result<Admission, AdmissionError> {
  const open = admission.challenge;
  if (guard('admission.single-use', open === undefined)) return refuse('no-challenge');
  if (open === undefined || !isSame(open, challenge)) return refuse('other-challenge');
  if (guard('admission.expiry', now >= open.expires_at)) return refuse('expired');
  const expected = open.purpose === 'rotate' ? open.new_key : key;
  if (expected === undefined) return refuse('no-key');
  const { replaced = [] } = admission;
  if (guard('admission.replaced', replaced.includes(expected))) return refuse('replaced-key');
  if (guard('admission.proof', !provesKey(open, signature, expected))) return refuse('bad-proof');
  const isOther = admission.key !== undefined && admission.key !== expected;
  const gone = isOther ? [...replaced, admission.key as string].slice(-MAX_REPLACED) : replaced;
  return ok({
    status: 'admitted',
    key: expected,
    used: admission.used,
    ...(gone.length === 0 ? {} : { replaced: gone }),
  });
}

/** The admission after it was ended. No challenge is open any more; the key on the card counts for the next one. */
export const endAdmission = ({ used, replaced }: Admission): Admission => ({
  status: 'revoked',
  used,
  ...(replaced === undefined ? {} : { replaced }),
});

/**
 * Whether a proof for a session holds. Session challenges are sealed and not stored, so that nobody can fill the
 * journal by asking for them; what is stored is that one was used, until it expires.
 */
export function openSession(
  admission: Admission,
  { challenge, signature }: Proof,
  { now, isSealed }: { readonly now: number; readonly isSealed: boolean },
): Result<Admission, AdmissionError> {
  if (guard('admission.gate', admission.status !== 'admitted')) return refuse('not-admitted');
  if (challenge.purpose !== 'session' || !isSealed) return refuse('other-challenge');
  if (now >= challenge.expires_at) return refuse('expired');
  const used = admission.used.filter(({ expires_at }) => expires_at > now);
  if (used.some(({ nonce }) => nonce === challenge.nonce)) return refuse('used');
  if (used.length >= MAX_USED) return refuse('busy');
  if (guard('admission.proof', !provesKey(challenge, signature, admission.key ?? '')))
    return refuse('bad-proof');
  const { nonce, expires_at } = challenge;
  return ok({ ...admission, used: [...used, { nonce, expires_at }] });
}

/** Whether an agent that is not admitted shows, with a challenge for a session, that it has this key. */
export const asksToEnter = (
  { status }: Admission,
  { challenge, signature }: Proof,
  {
    key,
    now,
    isSealed,
  }: { readonly key: string | undefined; readonly now: number; readonly isSealed: boolean },
): boolean =>
  status !== 'admitted' &&
  challenge.purpose === 'session' &&
  isSealed &&
  now < challenge.expires_at &&
  key !== undefined &&
  provesKey(challenge, signature, key);

/** Marks a challenge as made here, without keeping it. */
export const sealChallenge = (challenge: Challenge, secret: Uint8Array): string =>
  createHmac('sha256', secret)
    .update('cuebook session challenge 1\n')
    .update(canonicalBytes(challenge) as Buffer)
    .digest('base64url');

export function isSealed(challenge: Challenge, seal: string, secret: Uint8Array): boolean {
  const right = Buffer.from(sealChallenge(challenge, secret));
  const given = Buffer.from(seal);
  return given.length === right.length && timingSafeEqual(given, right);
}

const isSame = (a: Challenge, b: Challenge): boolean =>
  canonicalBytes(a)?.equals(canonicalBytes(b) ?? Buffer.alloc(0)) === true;
const refuse = (reason: AdmissionError['reason']) => fail<AdmissionError>({ code: 'E_ADMISSION', reason });
const MAX_USED = 32;
const MAX_REPLACED = 64;
