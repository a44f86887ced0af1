import { type JournalError, JournalFailure } from '../error.js';

/**
 * The error for a package that a store needs and that is not installed; undefined for anything else. SQLite comes with
 * an installation unless optional packages were left out of it; the client of Postgres is a package to add.
 */
export function missingPart(thrown: unknown): JournalError | undefined {
  const { code, message } = thrown instanceof Error ? (thrown as NodeJS.ErrnoException) : {};
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const [, part] =
    /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w-][\w.-]*)'/.exec(message ?? '') ?? [];
  return part === undefined ? undefined : { code: 'E_JOURNAL_PART', part };
}

/** Loads a part of a store; one that is not installed is a `JournalFailure`. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (thrown) {
    const error = missingPart(thrown);
    throw error === undefined ? thrown : new JournalFailure(error);
  }
}
