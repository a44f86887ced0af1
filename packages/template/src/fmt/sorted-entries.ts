import type { Value } from '../value/value.js';
import { compareBytes } from './bytes.js';

/** The entries of a map in the order in which Go prints and ranges over them: keys sorted by their bytes. */
export function sortedEntries(
  map: ReadonlyMap<string, Value> | { readonly [key: string]: Value },
): readonly (readonly [string, Value])[] {
  const entries = map instanceof Map ? [...map] : Object.entries(map);
  return entries.sort(([left], [right]) => compareBytes(left, right));
}
