import { type ChildExit, describeFailure, hasRun } from '@cuebook/process';
import { wordFrom } from '@cuebook/prompt';
import { asNumber, asText, type Fields } from '../../agent/fields.js';
import { statusError } from '../../stream/http-status.js';
import { failedEnd } from '../../stream/turn-error.js';
import type { TurnEnd } from '../../turn.js';

export type ClaudeEnding = Omit<TurnEnd, 'type'>;

/** What a `result` line means. `is_error` decides: a failed call has the subtype `success` too. */
export function endOfResult(result: Fields, failure: string | undefined): ClaudeEnding {
  if (result.is_error !== true) return answeredEnd(asText(result.stop_reason) ?? '');
  if (asText(result.terminal_reason)?.startsWith('aborted')) return { reason: 'aborted' };
  const status = asNumber(result.api_error_status);
  const subtype = asText(result.subtype) ?? 'no reason';
  const message = asText(result.result) || `Claude Code ended the turn: ${subtype}.`;
  if (TOO_LONG.test(message)) return failedEnd('E_PROVIDER_CONTEXT', message);
  if (status !== undefined) return { reason: 'error', error: statusError(status, message) };
  const known = FAILURES.get(failure ?? '');
  if (known) return failedEnd(known.code, message, known);
  // Its own limits and mishaps have a subtype; without one nobody answered, or the answer broke off.
  if (subtype.startsWith('error_')) return failedEnd('E_PROVIDER_FAILED', message);
  return failedEnd('E_PROVIDER_NETWORK', message, { retryable: true });
}

/** The process ended while its turn was running. `tail` is what it wrote last on standard error. */
export function endOfExit({ code, signal, failure }: ChildExit, tail: string): ClaudeEnding {
  if (failure && !hasRun(failure)) {
    return failedEnd('E_PROVIDER_START', `Claude Code did not start: ${describeFailure(failure)}.`);
  }
  const how = failure
    ? describeFailure(failure)
    : signal === null
      ? `it ended with code ${code}`
      : `it was ended by ${signal}`;
  const wrote = tail.trim();
  const last =
    wrote === '' ? '' : ` It wrote: ${wrote.slice(wordFrom(wrote, Math.max(0, wrote.length - 1_000)))}`;
  return failedEnd('E_PROVIDER_EXIT', `Claude Code broke off: ${how}.${last}`, {
    retryable: signal !== null,
  });
}

/** What standard error says about a session that could not be opened as asked. */
export function sessionTrouble(tail: string): 'in-use' | 'unknown' | undefined {
  if (/session id \S+ is already in use/i.test(tail)) return 'in-use';
  return /no conversation found/i.test(tail) ? 'unknown' : undefined;
}

const TOO_LONG = /prompt is too long|input length and .* exceed|context window/i;

/** What Claude Code calls a failure that has no status. */
const FAILURES: ReadonlyMap<string, { readonly code: string; readonly retryable: boolean }> = new Map([
  ['authentication_failed', { code: 'E_PROVIDER_AUTH', retryable: false }],
  ['oauth_org_not_allowed', { code: 'E_PROVIDER_AUTH', retryable: false }],
  ['billing_error', { code: 'E_PROVIDER_QUOTA', retryable: false }],
  ['rate_limit', { code: 'E_PROVIDER_RATE', retryable: true }],
  ['server_error', { code: 'E_PROVIDER_DOWN', retryable: true }],
  ['overloaded', { code: 'E_PROVIDER_DOWN', retryable: true }],
  ['invalid_request', { code: 'E_PROVIDER_REJECTED', retryable: false }],
  ['model_not_found', { code: 'E_PROVIDER_MODEL', retryable: false }],
]);

function answeredEnd(stop: string): ClaudeEnding {
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') {
    const end = failedEnd('E_PROVIDER_LENGTH', 'The model reached its limit of output tokens.');
    return { ...end, stop: 'length' };
  }
  if (stop === 'refusal') {
    const end = failedEnd('E_PROVIDER_FILTER', 'The provider or the model refused to answer.');
    return { ...end, reason: 'refused', stop: 'content-filter' };
  }
  return stop === '' ? { reason: 'done' } : { reason: 'done', stop: STOPS.get(stop) ?? stop };
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
]);
