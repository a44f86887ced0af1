import { type ChildExit, describeFailure, hasRun } from '@cuebook/process';
import { wordCut, wordFrom } from '@cuebook/prompt';
import { fieldsOf, textOf } from '../agent/fields.js';
import { statusError } from '../stream/http-status.js';
import type { TurnError } from '../turn.js';

/**
 * What a failed request means. Agents report one and the same HTTP status in many ways: as the error's own
 * code, as "authentication required", inside a JSON text, or in words.
 */
export function requestError(thrown: unknown): TurnError {
  const { code, message, data } = fieldsOf(
    thrown instanceof Error ? { ...thrown, message: thrown.message } : thrown,
  );
  const whole = `${textOf(message)} ${data === undefined ? '' : JSON.stringify(data)}`;
  const words = whole.slice(0, wordCut(whole, MAX_WORDS));
  const status = code === AUTH_REQUIRED ? 401 : (statusOf(code) ?? statusIn(words));
  return status === undefined ? unknownFailure(words) : statusFailure(status, words);
}

/**
 * Some agents say a failure as if the model had said it, and end the turn in good order. Only a text that is
 * nothing else counts: short, at its very start, with the status.
 */
export function saidError(text: string): TurnError | undefined {
  const words = text.replace(RETRIES, '').trim();
  if (words.length > MAX_SAID || !/^(error\b|failed to\b|api error\b)/i.test(words)) return undefined;
  const status = statusIn(words);
  return status === undefined ? undefined : statusFailure(status, words);
}

/** What such an agent says before it gives up. */
const RETRIES = /^(?:\s*Info: [^\n]{0,200}?Retrying\.\.\.)+/;

/** A process that ended before its turn did. What it wrote to standard error is the best that is known. */
export function endOfChild({ code, signal, failure }: ChildExit, stderr: string): TurnError {
  const said = stderr.trim();
  const tail = said.slice(wordFrom(said, Math.max(0, said.length - MAX_SAID)));
  const how = signal === null ? `with exit code ${code ?? 'unknown'}` : `by ${signal}`;
  const why = failure === undefined ? `it ended ${how}` : describeFailure(failure);
  const isStarted = failure === undefined || hasRun(failure);
  return {
    code: isStarted ? 'E_PROVIDER_EXIT' : 'E_PROVIDER_START',
    message: `The agent is gone: ${why}.${tail === '' ? '' : ` It said: ${tail}`}`,
    retryable: false,
  };
}

const AUTH_REQUIRED = -32_000;
const MAX_WORDS = 4000;
const MAX_SAID = 600;

const statusOf = (code: unknown): number | undefined =>
  typeof code === 'number' && code >= 400 && code <= 599 ? code : undefined;

function statusIn(words: string): number | undefined {
  const [found] = /\b(?:40[0-489]|413|422|429|50[0-4]|529)\b/.exec(words) ?? [];
  if (found !== undefined) return Number(found);
  return /authenticat|unauthori[sz]ed|api.?key.{0,20}(invalid|not valid)|not logged in/i.test(words)
    ? 401
    : undefined;
}

const statusFailure = (status: number, words: string): TurnError =>
  statusError(status, `The agent's model answered with status ${status}: ${words.trim()}`);

const unknownFailure = (words: string): TurnError => ({
  code: 'E_PROVIDER_REJECTED',
  message: `The agent refused: ${words.trim() || 'it does not say why'}`,
  retryable: false,
});
