import { JournalFailure } from '../../error.js';

/**
 * Does one part of a look at what may be damaged. Whatever is thrown is taken for damage and told, so that the parts
 * after it are looked at too; only a place that cannot be reached ends the look.
 */
export async function attempt<Value>(
  work: () => Promise<Value>,
  tell: (reason: string) => void,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (isUnreachable(thrown)) throw thrown;
    tell(codeOf(thrown));
    return undefined;
  }
}

function isUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof JournalFailure)) return /^(ECONN|57P|08)/.test(codeOf(thrown));
  const { error } = thrown;
  return error.code === 'E_JOURNAL_UNAVAILABLE' && (error.reason === 'connection' || error.reason === 'busy');
}

/** A code of the system or the database; never a message, which may hold content. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof JournalFailure) {
    const { error } = thrown;
    return 'system' in error && error.system ? error.system : error.code;
  }
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  return /^[A-Z0-9_]{3,40}$/.test(code) ? code : 'not of its form';
}
