import { randomBytes, verify } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { canonicalBytes } from '../json/read.js';
import { type KeySigner, publicKeyOf } from '../key/key.js';

/**
 * What a platform asks an agent to sign, to show that it holds its key. It names who asks, who is asked and what for,
 * so that a signature is of no use anywhere else.
 */
export interface Challenge {
  readonly kind: 'admission_challenge';
  readonly platform: string;
  readonly agent: string;
  readonly purpose: ChallengePurpose;
  /** Base64url of 32 random bytes. */
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
  /** With `rotate`: the key that takes over, which signs. In hexadecimal. */
  readonly new_key?: string;
}

/** `admit` once, by the owner's wish; `rotate` to another key; `session` whenever the agent comes back. */
export type ChallengePurpose = 'admit' | 'rotate' | 'session';

export const challengeSchema = z.strictObject({
  kind: z.literal('admission_challenge'),
  platform: z.string().min(1).max(128),
  agent: z.string().min(1).max(64),
  purpose: z.enum(['admit', 'rotate', 'session']),
  nonce: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  expires_at: z.int(),
  new_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .exactOptional(),
});

/** `E_ADMISSION`: why an agent is not let in. */
export interface AdmissionError {
  readonly code: 'E_ADMISSION';
  readonly reason:
    | 'unknown-agent'
    | 'not-approved'
    | 'no-key'
    | 'not-owner'
    | 'no-challenge'
    | 'other-challenge'
    | 'expired'
    | 'used'
    | 'bad-proof'
    | 'not-admitted'
    | 'replaced-key'
    | 'busy';
}

export const CHALLENGE_MS = 10 * 60_000;

export const newChallenge = (
  about: Pick<Challenge, 'platform' | 'agent' | 'purpose'> & { readonly new_key?: string },
  now: number,
  nonce: Uint8Array = randomBytes(32),
): Challenge => ({
  kind: 'admission_challenge',
  ...about,
  nonce: Buffer.from(nonce).toString('base64url'),
  expires_at: now + CHALLENGE_MS,
});

/**
 * The agent's side: signs a challenge only if it is for this agent, from the platform that it belongs to, and for
 * what it set out to do. Anything else would make it a signing machine for whoever asks.
 */
export function signChallenge(
  challenge: Challenge,
  expect: Pick<Challenge, 'platform' | 'agent' | 'purpose'>,
  signer: KeySigner,
): Result<string, AdmissionError> {
  const { platform, agent, purpose } = challenge;
  const isIt = platform === expect.platform && agent === expect.agent && purpose === expect.purpose;
  if (guard('admission.binding', !isIt)) return fail({ code: 'E_ADMISSION', reason: 'other-challenge' });
  return ok(signer.sign(challengeBytes(challenge)).toString('base64'));
}

/** Whether a proof is the signature of this key over exactly this challenge. */
export function provesKey(challenge: Challenge, proof: string, keyHex: string): boolean {
  const key = publicKeyOf(keyHex);
  if (key === undefined || !/^[A-Za-z0-9+/]{86}==$/.test(proof)) return false;
  return verify(null, challengeBytes(challenge), key.object, Buffer.from(proof, 'base64'));
}

/** The first line keeps a signature over a challenge from being one over anything else that is signed here. */
const challengeBytes = (challenge: Challenge): Buffer =>
  Buffer.concat([Buffer.from('cuebook admission challenge 1\n'), canonicalBytes(challenge) as Buffer]);
