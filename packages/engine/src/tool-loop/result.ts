import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { Outcome } from '../machine.js';
import { byteLength, clipBytes } from './clip.js';

/** What a model is told of one call. Every call gets exactly one. */
export type CallResult = {
  readonly status: ResultStatus;
  readonly text: string;
  /** Set on everything that is not `ok`. */
  readonly code?: string;
  /** Where the whole result is kept, when `text` is only a part of it or a word about it. */
  readonly blob?: string;
};

/**
 * `ok`, `error`: it ran. `refused`: it could not be run as written. `denied`, `expired`: nobody allowed it.
 * `stopped`: the run ended first, it did not run. `unknown`: it was begun and nobody can say how it ended.
 */
export type ResultStatus = 'ok' | 'error' | 'refused' | 'denied' | 'expired' | 'stopped' | 'unknown';

export const isErrorResult = (result: CallResult): boolean => result.status !== 'ok';

/** The output of a `tool.call` effect: a text, `{ text, isError?, blob? }`, or any JSON, which is printed. */
export function readOutcome(outcome: Outcome, maxBytes: number): CallResult {
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    if (code === UNKNOWN_OUTCOME.error.code) return unknownResult();
    return { status: 'error', code, text: clipBytes(message, maxBytes) };
  }
  const { text, isError, blob } = readOutput(outcome.output);
  const fit = guard('tool.result-size', byteLength(text) > maxBytes) ? clipBytes(text, maxBytes) : text;
  return {
    status: isError ? 'error' : 'ok',
    text: fit,
    ...(isError ? { code: 'E_TOOL_FAILED' } : {}),
    ...(blob === undefined ? {} : { blob }),
  };
}

/** For `effect.resolve`, when a person cannot say either whether a call was done. */
export const UNKNOWN_OUTCOME = {
  ok: false,
  error: { code: 'E_TOOL_OUTCOME_UNKNOWN', message: 'Nobody can say whether the call was done.' },
} as const satisfies Outcome;

export const unknownResult = (): CallResult => ({
  status: 'unknown',
  code: 'E_TOOL_OUTCOME_UNKNOWN',
  text: 'This call was begun, and it is unknown whether it ran. Look at its effect before calling it again.',
});

export const stoppedResult = (why: string): CallResult => ({
  status: 'stopped',
  code: 'E_TOOL_STOPPED',
  text: `This call was not run: ${why}.`,
});

interface Output {
  readonly text: string;
  readonly isError: boolean;
  readonly blob?: string;
}

function readOutput(output: JsonValue): Output {
  if (typeof output === 'string') return { text: output, isError: false };
  if (typeof output !== 'object' || output === null || !('text' in output) || typeof output.text !== 'string')
    return { text: JSON.stringify(output), isError: false };
  const { text, isError, blob } = output;
  return { text, isError: isError === true, ...(typeof blob === 'string' ? { blob } : {}) };
}
