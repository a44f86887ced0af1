import { type JournalError, JournalFailure } from '../error.js';

/** What a failure of the database means. Only its code is kept: messages may hold addresses and values. */
export function explainPostgres(thrown: unknown): JournalError {
  if (thrown instanceof JournalFailure) return thrown.error;
  const system = codeOf(thrown);
  if (/^(55P03|57014)$/.test(system)) return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy', system };
  if (/^XX00[12]$/.test(system)) return { code: 'E_JOURNAL_CORRUPT', what: 'the database' };
  if (/^53/.test(system)) return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'disk', system };
  const isLost = /^(08|28|3D|57P)/.test(system) || /^E[A-Z]+$/.test(system) || isConnectionMessage(thrown);
  const reason = isLost ? 'connection' : 'failed';
  return { code: 'E_JOURNAL_UNAVAILABLE', reason, ...(system ? { system } : {}) };
}

function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
  return typeof code === 'string' && /^([0-9A-Z]{5}|E[A-Z]{2,20})$/.test(code) ? code : '';
}

/** The driver's own errors have no code. */
const isConnectionMessage = (thrown: unknown): boolean =>
  thrown instanceof Error && /connection|not queryable|timeout/i.test(thrown.message);
