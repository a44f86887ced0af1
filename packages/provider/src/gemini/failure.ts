import { type Child, type ChildExit, describeFailure, hasRun } from '@cuebook/process';
import { type Fields, fieldsOf, textOf } from '../agent/fields.js';
import { endOfStatus } from '../codex/report/failure.js';
import { failedEnd } from '../stream/turn-error.js';
import type { TurnEnd } from '../turn.js';

type Ending = Omit<TurnEnd, 'type'>;

/** How the turn ended, from its last event. Where that says only that it failed, the exit code may say why. */
export function endOfResult({ status, error }: Fields, exitCode?: number | null): Ending {
  if (status === 'success') return { reason: 'done', stop: 'stop' };
  const message = textOf(fieldsOf(error).message) || 'Gemini CLI says that the turn failed, and not why.';
  return endOfStatus(statusIn(message) ?? statusOfExit(exitCode), message);
}

/** The answer of the API stands in the message as it came, JSON and all. */
function statusIn(message: string): number | undefined {
  const [, digits] =
    /"code"\s*:\s*([45]\d\d)\b/.exec(message) ?? /\bstatus:? ([45]\d\d)\b/.exec(message) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Why there was no last event: whatever its exit code, a turn without one has failed. */
export async function endOfChild(child: Child): Promise<Ending> {
  const { code, signal, failure } = await child.exited;
  if (failure !== undefined) {
    return hasRun(failure)
      ? failedEnd('E_PROVIDER_EXIT', `Gemini CLI broke off: ${describeFailure(failure)}.`)
      : failedEnd('E_PROVIDER_START', `Gemini CLI did not run: ${describeFailure(failure)}.`);
  }
  const said = lastWords(child.stderrTail());
  const known = code === null ? undefined : BY_EXIT_CODE[code];
  if (known !== undefined) return failedEnd(known, said || `Gemini CLI ended with code ${code}.`);
  const status = statusOfExit(code);
  if (status !== undefined) return endOfStatus(status, said || `The model answered with status ${status}.`);
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  return failedEnd('E_PROVIDER_EXIT', `Gemini CLI ended ${how} before the turn did. ${said}`.trim());
}

/** Its exit, soon: a program that has said its last is not waited for. */
export async function exitOf(child: Child): Promise<ChildExit> {
  const late = setTimeout(() => void child.kill(), LINGER_MS);
  const exit = await child.exited;
  clearTimeout(late);
  return exit;
}

const LINGER_MS = 5_000;

/** No key or login; a session that is not there, or no input; a folder that is not trusted. */
const BY_EXIT_CODE: Readonly<Record<number, string>> = {
  41: 'E_PROVIDER_AUTH',
  42: 'E_PROVIDER_SESSION',
  52: 'E_PROVIDER_CONFIG',
  55: 'E_PROVIDER_TRUST',
};

/** An exit code has one byte: Gemini CLI puts the status of HTTP into it all the same. */
const statusOfExit = (code: number | null | undefined): number | undefined =>
  STATUSES.find((each) => each % 256 === code);

const STATUSES = [400, 401, 403, 408, 409, 413, 422, 429, 500, 502, 503, 504] as const;

/** Its standard error is full of remarks about the terminal; the last lines are about the end. */
function lastWords(stderr: string): string {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');
  const lines = stderr
    .replace(escapes, '')
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(-2)
    .join(' ');
}
