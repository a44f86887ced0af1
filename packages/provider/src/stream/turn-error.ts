import type { Redactor } from '@cuebook/prompt';
import { wordCut } from '@cuebook/prompt';
import type { TurnEnd, TurnError } from '../turn.js';

/** Thrown inside a turn to end it with exactly this. Everything else that is thrown is `E_PROVIDER_FAILED`. */
export class TurnStop extends Error {
  readonly end: Omit<TurnEnd, 'type'>;

  constructor(end: Omit<TurnEnd, 'type'>) {
    super(end.error?.message ?? end.reason);
    this.name = 'TurnStop';
    this.end = end;
  }
}

/** How a turn ends with an error of this package. */
export function failedEnd(
  code: string,
  message: string,
  more: { readonly status?: number; readonly retryable?: boolean } = {},
): Omit<TurnEnd, 'type'> {
  const { status, retryable = false } = more;
  return {
    reason: 'error',
    error: { code, message, retryable, ...(status === undefined ? {} : { status }) },
  };
}

/** The end that something thrown stands for. */
export function endOfThrown(thrown: unknown): Omit<TurnEnd, 'type'> {
  if (thrown instanceof TurnStop) return thrown.end;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return failedEnd('E_PROVIDER_FAILED', message === '' ? 'The provider broke off.' : message);
}

/** Fit for any screen and log: one line, bounded, and nothing private in it. */
export function cleanError(error: TurnError, redactor: Redactor): TurnError {
  return { ...error, message: cleanLine(error.message, redactor) };
}

/** Cut before it is cleaned as well, so that a long text costs little; after it, so that the bound holds. */
export function cleanLine(text: string, redactor: Redactor): string {
  const cut = text.slice(0, 4 * MAX_MESSAGE).toWellFormed();
  return shorten(redactor.redactText(cut).text.replace(/\s+/g, ' ').trim());
}

const MAX_MESSAGE = 2_000;

const shorten = (text: string): string =>
  text.length <= MAX_MESSAGE ? text : `${text.slice(0, wordCut(text, MAX_MESSAGE)).toWellFormed()}…`;
