import type { JsonValue } from '@cuebook/prompt';

/**
 * A value with its keys in the order in which the journal gives them back: a state that was projected while its events
 * were written is told in the same bytes as one that was read again. What is in order already is the same object.
 */
export function inKeyOrder<Value>(value: Value): Value {
  return ordered(value as JsonValue) as Value;
}

function ordered(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const object = value as Readonly<Record<string, JsonValue>>;
  const keys = Object.keys(object);
  const sorted = keys.toSorted();
  const entries = sorted.map((key) => [key, ordered(object[key] as JsonValue)] as const);
  const isSame = entries.every(([key, each], index) => key === keys[index] && each === object[key]);
  return isSame ? object : (Object.fromEntries(entries) as JsonValue);
}
