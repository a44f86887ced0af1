/** How long to wait after so many failures in a row. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Between 0 and 1: how much of the time is left to chance, so that many who failed at once do not come back at once. */
  readonly jitter?: number;
  readonly random?: () => number;
}

/** Twice as long each time, up to a limit. */
export function backoffMs(failures: number, options: BackoffOptions): number {
  const { firstMs, maxMs, jitter = 0.2, random = Math.random } = options;
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 50));
  return whole * (1 - jitter * random());
}
