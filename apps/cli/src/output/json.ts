import type { Io } from '../io.js';

/** Prints one JSON document; `compact` keeps it on one line, for streams of documents. */
export const printJson = (io: Io, value: unknown, { compact = false } = {}): Promise<void> =>
  io.out(`${compact ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`);
