import type { Io } from '../io.js';
import { printWithIds } from '../redact/with-ids.js';

/**
 * Prints one JSON document. `compact` keeps it on one line, for streams of documents; `exact` is for one that hands over
 * a key on purpose; `ids` are those in it by which somebody finds something again.
 */
export function printJson(
  io: Pick<Io, 'out' | 'exact'>,
  value: unknown,
  {
    compact = false,
    exact = false,
    ids = [],
  }: { readonly compact?: boolean; readonly exact?: boolean; readonly ids?: readonly string[] } = {},
): Promise<void> {
  const text = `${JSON.stringify(value, null, compact ? undefined : 2)}\n`;
  return exact ? io.exact(text) : printWithIds(io, text, ids);
}
