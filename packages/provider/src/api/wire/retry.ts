import type { TurnLimits } from '../../turn.js';
import type { ApiFailure } from './api-error.js';

/** Longer pauses are the caller's to make. */
const MAX_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 500;

/**
 * How long to wait before the same request goes out again, or undefined when it must not. What the vendor asks
 * for is kept to; otherwise the pause doubles, spread so that many turns do not come back at once.
 */
export function pauseBefore(
  attempt: number,
  { error, retryAfterMs }: ApiFailure,
  { limits, random }: { readonly limits: TurnLimits; readonly random: () => number },
): number | undefined {
  if (!error.retryable || attempt > limits.retries) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_PAUSE_MS ? retryAfterMs : undefined;
  const most = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
  return Math.round(most * (0.5 + random() / 2));
}
