import type { TrustState } from './state.js';

/** How far two right clocks may be apart, in milliseconds. */
export const CLOCK_SKEW = 10 * 60_000;

/** When signed bytes say that they were made; 0 where they say nothing. */
export function issuedIn(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const { signed, cert } = JSON.parse(text) as {
    readonly signed?: { readonly issued_at?: unknown };
    readonly cert?: { readonly issued_at?: unknown };
  };
  const said = (signed ?? cert)?.issued_at;
  const time = typeof said === 'string' ? Date.parse(said) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

/** The latest time that a verified state proves to have come: what is signed in it says when it was made. */
export const provenTime = ({ timestamp, card, bundle, checkpoint }: TrustState): number =>
  Math.max(...[timestamp, card, bundle, checkpoint].map(issuedIn));
