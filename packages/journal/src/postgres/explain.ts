import { type JournalError, JournalFailure } from '../error.js';

/** What a failure of the database means. Only its code is kept: messages may hold addresses and values. */
export function explainPostgres(thrown: unknown): JournalError {
  if (thrown instanceof JournalFailure) return thrown.error;
  const system = codeOf(thrown);
  if (/^(55P03|57014)$/.test(system)) return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy', system };
  if (/^XX00[12]$/.test(system)) return { code: 'E_JOURNAL_CORRUPT', what: 'the database' };
  // A prepared statement that is not there, or there already, was prepared on somebody else's connection.
  if (/^(42P05|26000)$/.test(system)) return { code: 'E_JOURNAL_POOL' };
  if (/^(53|25006)/.test(system)) return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'disk', system };
  const isLost =
    /^(08|28|3D|57P|25P0[34])/.test(system) ||
    /^(E[A-Z]+|address|password|tls)$/.test(system) ||
    isConnectionMessage(thrown);
  const reason = isLost ? 'connection' : 'failed';
  return { code: 'E_JOURNAL_UNAVAILABLE', reason, ...(system ? { system } : {}) };
}

function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
  if (typeof code === 'string' && /^([0-9A-Z]{5}|E[A-Z]{2,20})$/.test(code)) return code;
  const said = `${String(code)} ${thrown instanceof Error ? thrown.message : ''}`;
  return UNNAMED.find(([words]) => words.test(said))?.[1] ?? '';
}

/** What the driver refuses by itself has words only, or a code of OpenSSL. */
const UNNAMED: readonly (readonly [words: RegExp, system: string])[] = [
  [/ERR_INVALID_URL|Invalid URL/, 'address'],
  [/SASL|client password|authentication/i, 'password'],
  [/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|support SSL/, 'tls'],
];

/** The driver's own errors have no code. */
const isConnectionMessage = (thrown: unknown): boolean =>
  thrown instanceof Error && /connection|not queryable|timeout/i.test(thrown.message);
