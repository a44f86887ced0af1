import { entriesOf } from '../value/entries.js';
import { Float } from '../value/number.js';
import type { MapValue, Value } from '../value/value.js';
import { compareBytes } from './bytes.js';

/** The entries of a map in the order in which Go prints and ranges over them: strings by their bytes, NaN first. */
export function sortedEntries(map: MapValue): readonly (readonly [key: Value, value: Value])[] {
  return [...entriesOf(map)].sort(([left], [right]) => compareKeys(left, right));
}

function compareKeys(left: Value, right: Value): number {
  if (typeof left === 'string') return compareBytes(left, right as string);
  if (left instanceof Float) return compareFloats(left.value, (right as Float).value);
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
}

const compareFloats = (left: number, right: number): number =>
  Number.isNaN(left) || Number.isNaN(right)
    ? Number(Number.isNaN(right)) - Number(Number.isNaN(left))
    : left - right;
