import type { Io } from '../io.js';

/**
 * Prints one JSON document. `compact` keeps it on one line, for streams of documents; `exact` is for one that hands over
 * a key on purpose.
 */
export const printJson = (
  { out, exact: bytes }: Pick<Io, 'out' | 'exact'>,
  value: unknown,
  { compact = false, exact = false } = {},
): Promise<void> => (exact ? bytes : out)(`${JSON.stringify(value, null, compact ? undefined : 2)}\n`);
