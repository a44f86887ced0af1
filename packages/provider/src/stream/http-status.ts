import type { TurnError } from '../turn.js';

/** What an HTTP status means for a turn, whoever heard it. */
export function statusError(status: number, message: string): TurnError {
  return { code: codeOf(status), message, status, retryable: isPassing(status) };
}

function codeOf(status: number): string {
  if (status === 401 || status === 403) return 'E_PROVIDER_AUTH';
  if (status === 402) return 'E_PROVIDER_QUOTA';
  if (status === 404) return 'E_PROVIDER_MODEL';
  if (status === 413) return 'E_PROVIDER_CONTEXT';
  if (status === 429) return 'E_PROVIDER_RATE';
  if (isPassing(status)) return 'E_PROVIDER_DOWN';
  return 'E_PROVIDER_REJECTED';
}

const isPassing = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;
