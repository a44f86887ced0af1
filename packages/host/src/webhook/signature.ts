import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { guard } from '@cuebook/guard';

/** A delivery as it came in, signed as Standard Webhooks has it. Nothing of it is believed yet. */
export interface SignedDelivery {
  /** The header `webhook-id`: the same in every attempt of one delivery. */
  readonly id: string;
  /** The header `webhook-timestamp`: seconds since the epoch. */
  readonly timestamp: string;
  /** The header `webhook-signature`: `v1,BASE64`, several with spaces between them. */
  readonly signature: string;
  readonly body: Uint8Array;
}

/** A new secret, in the form that libraries of Standard Webhooks take. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** The signature of a delivery, as a sender makes it. */
export const signDelivery = (
  secret: string,
  { id, timestamp, body }: Pick<SignedDelivery, 'id' | 'timestamp' | 'body'>,
): string => `v1,${macOf(secret, { id, timestamp, body }).toString('base64')}`;

/**
 * Whether one of the secrets signed a delivery, and not long ago. The time that it takes says nothing about where a
 * signature differs, nor about which secret it is of.
 */
export function isSigned(secrets: readonly string[], delivery: SignedDelivery, now: number): boolean {
  const { id, timestamp, signature } = delivery;
  if (!DELIVERY_ID.test(id) || !/^\d{1,12}$/.test(timestamp)) return false;
  const isOld = Math.abs(now - Number(timestamp) * 1_000) > WINDOW_MS;
  if (guard('webhook.window', isOld)) return false;
  const given = signature
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []));
  let isRight = false;
  for (const secret of secrets) {
    const right = macOf(secret, delivery);
    for (const each of given)
      if (each.length === right.length && timingSafeEqual(each, right)) isRight = true;
  }
  return !guard('webhook.signature', !isRight);
}

/** How far the clock of a sender may be from ours, and how long a delivery may be on its way. */
export const WINDOW_MS = 5 * 60_000;

const PREFIX = 'whsec_';
const DELIVERY_ID = /^[\x21-\x7e]{1,150}$/;
/** A sender has one for each secret that it has at the time. */
const MOST_SIGNATURES = 5;

/** The id is signed too: whoever listens in cannot send the same words under another id. */
function macOf(
  secret: string,
  { id, timestamp, body }: Pick<SignedDelivery, 'id' | 'timestamp' | 'body'>,
): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
