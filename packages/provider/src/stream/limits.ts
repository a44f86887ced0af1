import type { TurnLimits } from '../turn.js';
import { MAX_WAIT_MS } from './clock.js';

/** What a turn may take when nobody says otherwise. A model that thinks, or a tool that builds, is silent for minutes. */
export const DEFAULT_LIMITS: TurnLimits = {
  idleMs: 10 * 60_000,
  totalMs: 60 * 60_000,
  outputBytes: 64 * 1024 * 1024,
  retries: 2,
};

/** Limits are always finite: what is left out or not a number takes the default. */
export function resolveLimits(given: Partial<TurnLimits> = {}): TurnLimits {
  return {
    idleMs: bounded(given.idleMs, DEFAULT_LIMITS.idleMs, MAX_WAIT_MS),
    totalMs: bounded(given.totalMs, DEFAULT_LIMITS.totalMs, MAX_WAIT_MS),
    outputBytes: bounded(given.outputBytes, DEFAULT_LIMITS.outputBytes, MAX_OUTPUT_BYTES),
    retries: bounded(given.retries, DEFAULT_LIMITS.retries, MAX_RETRIES),
  };
}

const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
const MAX_RETRIES = 20;

const bounded = (value: number | undefined, otherwise: number, most: number): number =>
  value === undefined || Number.isNaN(value) ? otherwise : Math.min(Math.max(Math.trunc(value), 0), most);
