import { type Fields, isFields, textOf } from '../../agent/fields.js';
import { statusError } from '../../stream/http-status.js';
import { failedEnd } from '../../stream/turn-error.js';
import type { TurnEnd } from '../../turn.js';

type Ending = Omit<TurnEnd, 'type'>;

/** How a turn ended that the app-server calls failed. */
export function endOfTurnError({ message, codexErrorInfo }: Fields): Ending {
  const text = textOf(message) || 'Codex says that the turn failed, and not why.';
  const known = typeof codexErrorInfo === 'string' ? CODE_OF_WORD.get(codexErrorInfo) : undefined;
  if (known !== undefined) return failedEnd(known, text);
  return endOfStatus(statusOfInfo(codexErrorInfo) ?? statusInText(text), text);
}

/** What waiting does not fix, and has no status. */
const CODE_OF_WORD: ReadonlyMap<string, string> = new Map([
  ['contextWindowExceeded', 'E_PROVIDER_CONTEXT'],
  ['usageLimitExceeded', 'E_PROVIDER_QUOTA'],
  ['sessionBudgetExceeded', 'E_PROVIDER_QUOTA'],
]);

/** How a turn of `codex exec` ended that it calls failed: all it gives is a sentence. */
export function endOfExecError(message: string): Ending {
  const text = message || 'Codex says that the turn failed, and not why.';
  return endOfStatus(statusInText(text), text);
}

/** A failure with the status of HTTP behind it, where there was one. */
export function endOfStatus(status: number | undefined, message: string): Ending {
  return status === undefined
    ? failedEnd('E_PROVIDER_FAILED', message)
    : { reason: 'error', error: statusError(status, message) };
}

/** Either a word, or an object with one key that holds the status. */
function statusOfInfo(info: unknown): number | undefined {
  if (typeof info === 'string') return STATUS_OF_WORD.get(info);
  if (!isFields(info)) return undefined;
  const statuses = Object.values(info).map((value) => (isFields(value) ? value.httpStatusCode : undefined));
  return statuses.find((status): status is number => typeof status === 'number');
}

const STATUS_OF_WORD: ReadonlyMap<string, number> = new Map([
  ['unauthorized', 401],
  ['badRequest', 400],
  ['modelNotFound', 404],
  ['rateLimitExceeded', 429],
  ['internalServerError', 500],
  ['serverOverloaded', 503],
]);

/** Codex writes the status into its sentence; of a plain 500 it keeps only a sentence of its own. */
function statusInText(text: string): number | undefined {
  const [, digits] = /\bstatus:? (\d{3})\b/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  return /\bexperiencing high demand\b/.test(text) ? 500 : undefined;
}
